"""Run bots one decision at a time, for example in a training environment."""

from collections.abc import Callable
from typing import Protocol

from arena.base.protocol import DEFAULT_LIMITS, End
from arena.bot import Bot, Start
from arena.match.seats import Decision
from arena.sdk.games import new_bot
from arena.tournament.in_process import Decider


class Seated(Protocol):
    def act(self, decision: Decision) -> str: ...

    def end(self, points: tuple[int, ...], ranks: tuple[int, ...]) -> None: ...


class Agent(Protocol):
    """A player in a game: a bot process, a Python bot or your own policy."""

    def sit(self, table: Start) -> Seated:
        """Start a game and return the bot's seat. Implementations should ignore `table.table`."""
        ...

    def close(self) -> None: ...


class ClassAgent:
    """A Python bot that plays in this process, without time limits."""

    def __init__(self, make_bot: Callable[[], Bot]) -> None:
        self._make_bot = make_bot

    def sit(self, table: Start) -> Seated:
        return _SeatedBot(new_bot(self._make_bot, table))

    def close(self) -> None:
        """Do nothing."""


class _SeatedBot:
    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._decide = Decider(bot, DEFAULT_LIMITS.move_ms)

    def act(self, decision: Decision) -> str:
        return self._decide(decision).action

    def end(self, points: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        self._bot.end(End(0, points, ranks, ()))
