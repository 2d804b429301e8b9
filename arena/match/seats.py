"""Seats of a game, of three kinds: a bot's process, a person and a script."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from arena.match.decision import Answer, Ask, Reply
from arena.protocol import Fault
from arena.record import Entrant


class Seat(Protocol):
    """A seat of one game, which is asked for its decisions."""

    def ask(self, asked: Ask) -> Answer | None:
        """Return the answer, or None if it comes later."""
        ...


class Script(NamedTuple):
    """A player whose answers are computed at once, without a process and a clock."""

    answer: Callable[[Ask], Answer]

    def ask(self, asked: Ask) -> Answer:
        """Return the answer."""
        return self.answer(asked)


class Person(NamedTuple):
    """A player who is asked by a call, which may take any time."""

    answer: Callable[[Ask], Reply]


Player = Entrant | Person | Script
"""What a name in a game stands for."""


def always(fault: Fault) -> Script:
    """Return a player that answers everything with this fault, so that a stand-in plays."""
    return Script(lambda _: fault)
