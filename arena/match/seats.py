"""Decisions to ask of a seat, their answers, and the players that sit in a game."""

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import msgspec

from arena.base.protocol import Act, Fault
from arena.base.record import Entrant
from engine import State


class Ask(msgspec.Struct, frozen=True, gc=False):
    """A decision to ask of `seat`; `turn` counts the seat's own decisions, from 1."""

    seat: int
    turn: int
    state: State
    """The position; it stays the same until the answer is sent."""
    events: Sequence[msgspec.Struct]
    """The events that the seat learned of since its last turn."""
    legal: list[str]
    move: int = 0
    """The number of actions before it, of all seats."""
    worlds: int = 0
    """What the generators of the game's worlds are derived from. No bot is told it."""

    @property
    def view(self) -> msgspec.Struct:
        """The view of the seat, made on request, since not every bot wants it."""
        return self.state.view(self.seat)

    @property
    def world(self) -> bytes:
        """A state in which all that the seat cannot know is drawn, as JSON for `Variant.load`."""
        rng = random.Random(f"world {self.worlds} {self.seat} {self.turn}")
        return self.state.determinize(self.seat, rng).dump()


class Reply(msgspec.Struct, frozen=True, gc=False):
    """The answer of a seat."""

    action: str
    note: str = ""


Answer = Reply | Act | Fault
"""The answer to a request of a referee. The act of a process is a reply as it came."""


class ActionSource:
    """Chooses the actions of a game by the answers of its seats. Subclasses may choose others."""

    def asks(self, seat: int, move: int) -> bool:
        """Return whether to ask `seat` for the action of this move, numbered from 0."""
        return True

    def action(self, move: int, answer: Answer | None, legal: Sequence[str]) -> str:
        """Return the action of `answer`, or that of a stand-in for a seat that gives none."""
        return legal[0] if answer is None or isinstance(answer, Fault) else answer.action


class Seat(Protocol):
    """A seat of one game, which is asked for its decisions."""

    def ask(self, asked: Ask) -> Answer | None:
        """Return the answer, or None if it comes later."""
        ...


class Script(NamedTuple):
    """A player, or a seat, whose answers come from a call, without a process and a clock.

    The call may ask a person, and take any time.
    """

    answer: Callable[[Ask], Answer | None]

    def ask(self, asked: Ask) -> Answer | None:
        """Return the answer, or None if it comes later."""
        return self.answer(asked)


Player = Entrant | Script
"""The bot that a name in a game stands for."""


def always(fault: Fault) -> Script:
    """Return a player that answers everything with this fault, so that a stand-in plays."""
    return Script(lambda _: fault)
