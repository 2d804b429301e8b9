import msgspec

from arena.base.contracts import SandboxSettings
from arena.base.protocol import DEFAULT_LIMITS, Limits

MAX_GAMES = 16
"""Maximum number of games that fast bots play at the same time."""


class MatchSettings(msgspec.Struct, frozen=True):
    """The settings of a match. Only `limits` and `sandbox` affect game records."""

    limits: Limits = DEFAULT_LIMITS
    sandbox: SandboxSettings = SandboxSettings()
    tables: int | None = None
    """Maximum number of simultaneous games, or None to adapt it to how quickly the bots answer."""
    waiting_games: int = 0
    """Maximum number of simultaneous games with bots that call a remote service, or 0 to treat them
    like other bots."""
    always_charge: bool = False
    """Whether a failed bot gets a fault in all its unfinished games instead of a second chance in a
    new process."""
