"""Bots that take seats in games which the caller plays one decision at a time.

Learning environments and games in the browser use them, but runs don't.
"""

from collections.abc import Callable
from typing import Protocol

from arena.base.protocol import DEFAULT_LIMITS, End
from arena.bot import Bot, Start
from arena.match.seats import Ask
from arena.sdk.games import new_bot
from arena.tournament.in_process import Decider


class Seated(Protocol):
    def act(self, asked: Ask) -> str: ...

    def end(self, points: tuple[int, ...], ranks: tuple[int, ...]) -> None: ...


class Agent(Protocol):
    """Takes seats in games: a bot process, a bot in this process, or your own policy."""

    def sit(self, table: Start) -> Seated:
        """Start a game and return the bot's seat. Ignore `table.table`."""
        ...

    def close(self) -> None:
        """Release resources. Closing an agent twice is allowed."""
        ...


class ClassAgent:
    """A Python bot in this process, without time limits. Its exceptions propagate."""

    def __init__(self, make_bot: Callable[[], Bot]) -> None:
        """Take a function that creates the bot for a game, usually its class."""
        self._make_bot = make_bot

    def sit(self, table: Start) -> Seated:
        return _SeatedBot(new_bot(self._make_bot, table))

    def close(self) -> None:
        """Do nothing."""


class _SeatedBot:
    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._decide = Decider(bot, DEFAULT_LIMITS.move_ms)

    def act(self, asked: Ask) -> str:
        return self._decide(asked).action

    def end(self, points: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        self._bot.end(End(0, points, ranks, ()))
