"""Opponents in an environment: who sits in the seats that are not yours.

An `Agent` sits down in a seat of each new game, possibly in several seats and games at once.
"""

from typing import Protocol

from arena.bot import Bot, Start
from arena.bot_games import ask, new_bot
from arena.match.decision import Ask
from arena.match.seat_messages import SeatMessages
from arena.protocol import DEFAULT_LIMITS, End


class Seated(Protocol):
    """An agent in one seat of one game."""

    def act(self, asked: Ask) -> str:
        """Return the action for a decision; what is not legal is refused."""
        ...

    def end(self, points: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        """Hear the result of the game, by seat."""
        ...


class Agent(Protocol):
    """Someone who can sit in a seat: a bot process, a bot in this process, or a policy of yours."""

    def sit(self, table: Start) -> Seated:
        """Begin a game; `table.table` is 0 and means nothing."""
        ...

    def close(self) -> None:
        """Release what it holds. It does not sit down again; a second call does nothing."""
        ...


class ClassAgent:
    """A bot in Python, in this process, without a clock. What it raises, you get."""

    def __init__(self, bot_class: type[Bot]) -> None:
        self._bot_class = bot_class

    def sit(self, table: Start) -> Seated:
        """Begin a game with a new bot of the class."""
        return _SeatedBot(new_bot(self._bot_class, table))

    def close(self) -> None:
        """Do nothing."""


class _SeatedBot:
    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._messages = SeatMessages(0, bot.detail, DEFAULT_LIMITS)

    def act(self, asked: Ask) -> str:
        return ask(self._bot, self._messages.turn(asked)).action

    def end(self, points: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        self._bot.end(End(0, points, ranks, ()))
