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
    """Maximum number of simultaneous games, or None to choose it from the bots' response times."""
    waiting_games: int = 0
    """Maximum number of simultaneous games with bots that call a remote service. If 0, these bots
    are treated like all others."""
    always_charge: bool = False
    """Whether a failed bot immediately gets a fault in every unfinished game. If False, the bot may
    get a second chance in a new process."""
