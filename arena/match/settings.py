"""The settings of a match."""

import msgspec

from arena.base.contracts import SandboxSettings
from arena.base.protocol import DEFAULT_LIMITS, Limits

MAX_GAMES = 16
"""Maximum number of running games while bots answer immediately."""


class MatchSettings(msgspec.Struct, frozen=True):
    """The settings of a match. Only `limits` and `sandbox` affect records."""

    limits: Limits = DEFAULT_LIMITS
    sandbox: SandboxSettings = SandboxSettings()
    tables: int | None = None
    """Maximum number of running games. Default: adapt to the bots."""
    waiting_games: int = 0
    """Maximum number of running games with bots that wait for another machine.

    If 0, such bots are treated like slow ones: one game at a time."""
    always_charge: bool = False
    """Whether to charge a broken process in all its games.

    By default, a game is replayed if it is uncertain that it broke the process."""
