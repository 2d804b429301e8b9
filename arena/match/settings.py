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
    """Maximum number of simultaneous games, or None if it depends on how quickly the bots answer.
    """
    waiting_games: int = 0
    """Maximum number of simultaneous games of a bot that waits for another machine, or 0 to play
    one game at a time."""
    always_charge: bool = False
    """Whether a failed bot process is charged with a fault in each of its games, even if another
    game may have caused the failure."""
