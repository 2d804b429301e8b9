"""Agents: bots that sit in the seats of games which others conduct, decision by decision.

An agent is a bot process, a bot in this process, or a policy of yours. It sits down in a seat of
each new game, possibly in several seats and games at once. Environments for learning and games in
the browser are played with agents; the games of a run are not.
"""

from collections.abc import Callable
from typing import Protocol

from arena.base.protocol import DEFAULT_LIMITS, End
from arena.bot import Bot, Start
from arena.match.in_process import Decider
from arena.match.seats import Ask
from arena.sdk.games import new_bot


class Seated(Protocol):
    """An agent in one seat of one game."""

    def act(self, asked: Ask) -> str:
        """Return the action for a decision; what is not legal is refused."""
        ...

    def end(self, points: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        """Hear the result of the game, by seat."""
        ...


class Agent(Protocol):
    """Sits down in seats of games: a bot process, a bot in this process, or a policy of yours."""

    def sit(self, table: Start) -> Seated:
        """Begin a game; `table.table` is 0 and means nothing."""
        ...

    def close(self) -> None:
        """Release what it holds. It does not sit down again; a second call does nothing."""
        ...


class ClassAgent:
    """A bot in Python, in this process, without a clock. What it raises, you get."""

    def __init__(self, make_bot: Callable[[], Bot]) -> None:
        """Take what makes a bot for a game: its class."""
        self._make_bot = make_bot

    def sit(self, table: Start) -> Seated:
        """Begin a game with a new bot."""
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
