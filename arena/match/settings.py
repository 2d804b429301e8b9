import msgspec

from arena.base.contracts import SandboxSettings
from arena.base.protocol import DEFAULT_LIMITS, Limits

MAX_GAMES = 16
"""Maximum number of simultaneous games if all bots answer quickly."""


class MatchSettings(msgspec.Struct, frozen=True):
    """The settings of a match. Only `limits` and `sandbox` affect game records."""

    limits: Limits = DEFAULT_LIMITS
    sandbox: SandboxSettings = SandboxSettings()
    tables: int | None = None
    """Maximum number of simultaneous games. The default depends on how quickly the bots answer."""
    waiting_games: int = 0
    """Maximum number of simultaneous games if a bot waits for another machine, such as an API
    server.

    If 0, such bots play one game at a time."""
    always_charge: bool = False
    """Whether a broken process causes a fault in every game that it was playing.

    By default, the games are replayed if it is uncertain which of them broke the process."""
