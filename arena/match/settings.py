import msgspec

from arena.base.contracts import SandboxSettings
from arena.base.protocol import DEFAULT_LIMITS, Limits

MAX_GAMES = 16
"""Maximum number of games played at a time when all bots answer quickly."""


class MatchSettings(msgspec.Struct, frozen=True):
    """How to play the games of a match. Only `limits` and `sandbox` affect records."""

    limits: Limits = DEFAULT_LIMITS
    sandbox: SandboxSettings = SandboxSettings()
    tables: int | None = None
    """Maximum number of games played at a time. Default: depends on how quickly the bots answer."""
    waiting_games: int = 0
    """Maximum number of games played at a time by bots that wait for another machine.

    With 0, such bots play one game at a time."""
    always_charge: bool = False
    """Whether a broken process means a fault in all its games.

    By default, games are replayed if it is uncertain which of them broke the process."""
