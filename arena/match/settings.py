"""Settings of a match: what a bot may use, and how many games are played at a time."""

import msgspec

from arena.contracts import SandboxSettings
from arena.match.fair_share import EXCUSED_SHARE
from arena.protocol import DEFAULT_LIMITS, Limits

MAX_GAMES = 16
"""Games under way at a time, while bots answer at once."""


class MatchSettings(msgspec.Struct, frozen=True):
    """How games are played. None of it but `limits` and `sandbox` changes a record."""

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
    excused_share: float = EXCUSED_SHARE
    """A time-out is excused if the machine took this share of the bot's time from it."""
