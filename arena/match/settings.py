import msgspec

from arena.base.contracts import SandboxSettings
from arena.base.protocol import DEFAULT_LIMITS, Limits

MAX_GAMES = 16  # at the same time, if all bots answer quickly


class MatchSettings(msgspec.Struct, frozen=True):
    """The settings of a match. Only `limits` and `sandbox` affect game records."""

    limits: Limits = DEFAULT_LIMITS
    sandbox: SandboxSettings = SandboxSettings()
    tables: int | None = None
    """Maximum number of simultaneous games. By default, it depends on how fast the bots answer."""
    waiting_games: int = 0
    """Maximum number of simultaneous games with bots that call a remote service, or 0 for no
    separate limit."""
    always_charge: bool = False
    """Whether a bot whose process fails gets a fault in all of its unfinished games. Otherwise, it
    may get a second chance in a new process."""
