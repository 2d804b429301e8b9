import msgspec

from arena.base.contracts import SandboxSettings
from arena.base.protocol import DEFAULT_LIMITS, Limits

MAX_GAMES = 16
"""Maximum number of games that bots with quick answers play at the same time."""


class MatchSettings(msgspec.Struct, frozen=True):
    """The settings of a match. Only `limits` and `sandbox` affect game records."""

    limits: Limits = DEFAULT_LIMITS
    sandbox: SandboxSettings = SandboxSettings()
    tables: int | None = None
    """Maximum number of simultaneous games, or None if it depends on how quickly the bots answer.
    """
    waiting_games: int = 0
    """Maximum number of simultaneous games with bots that wait for another machine. With 0, such
    bots are treated like all other bots."""
    always_charge: bool = False
    """Whether to charge a failed bot with a fault in all its games instead of replaying them."""
