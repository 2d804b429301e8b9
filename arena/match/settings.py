"""The settings of a match."""

import msgspec

from arena.base.contracts import SandboxSettings
from arena.base.protocol import DEFAULT_LIMITS, Limits

MAX_GAMES = 16
"""Games under way at a time, while bots answer at once."""


class MatchSettings(msgspec.Struct, frozen=True):
    """The settings of a match. Only `limits` and `sandbox` change a record."""

    limits: Limits = DEFAULT_LIMITS
    sandbox: SandboxSettings = SandboxSettings()
    tables: int | None = None
    """Games under way at a time; None adapts it to the bots."""
    waiting_games: int = 0
    """Games under way at a time with bots that wait for another machine.

    Without any, such a bot is played like a bot that thinks: one game at a time.
    """
    always_charge: bool = False
    """Whether a broken process is charged in all its games.

    Otherwise a game is replayed where it is not certain that it broke the process.
    """
