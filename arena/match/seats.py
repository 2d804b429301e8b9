"""Requests for decisions, the answers to them, and the players in a game."""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

import msgspec

from arena.base.errors import BotError
from arena.base.protocol import Act, Fault
from arena.base.record import Entrant
from engine import State


class Ask(msgspec.Struct, frozen=True, gc=False):
    """A request for a decision by `seat`. `turn` counts the seat's own decisions, from 1."""

    seat: int
    turn: int
    state: State
    """The current state. It does not change until the answer is sent."""
    events: Sequence[msgspec.Struct]
    """Events that have not been sent to the seat yet."""
    legal: list[str]
    move: int = 0
    """Number of actions so far, over all seats."""
    worlds: int = 0
    """The seed for the generators of worlds. Bots never see it."""

    @property
    def view(self) -> msgspec.Struct:
        """The seat's view, built on demand because not every bot wants it."""
        return self.state.view(self.seat)

    @property
    def world(self) -> bytes:
        """A state with everything the seat cannot know redrawn, as JSON for `Variant.load`."""
        rng = random.Random(f"world {self.worlds} {self.seat} {self.turn}")
        return self.state.determinize(self.seat, rng).dump()

    @property
    def tensor(self) -> tuple[float, ...]:
        """What the seat sees as numbers."""
        return tuple(self.state.variant.tensor(self.state, self.seat))


def lacks_worlds(bot: str, variants: Iterable[str]) -> BotError:
    """Return the error for a bot that asks for worlds of variants without any."""
    return BotError(
        f"{bot} asks for worlds, which these variants don't have: {', '.join(variants)}; choose a "
        "bot or variant that plays without them"
    )


class Reply(msgspec.Struct, frozen=True, gc=False):
    """The answer of a seat."""

    action: str
    note: str = ""


Answer = Reply | Act | Fault
"""An answer to a referee. An `Act` is a process's reply as received."""


class ActionSource:
    """Chooses the actions of a game from the answers of its seats. Subclasses can change that."""

    def prepare(self, state: State) -> None:
        """Prepare for a game from `state`. Called again if the game is replayed."""

    def asks(self, seat: int, move: int) -> bool:
        """Return whether to ask `seat` for the action of this move, from 0."""
        return True

    def action(self, move: int, answer: Answer | None, legal: Sequence[str]) -> str:
        """Return the action in `answer`, or a stand-in's action if there is none."""
        return legal[0] if answer is None or isinstance(answer, Fault) else answer.action


class Seat(Protocol):
    """A seat in one game that is asked for its decisions."""

    def ask(self, asked: Ask) -> Answer | None:
        """Return the answer, or None if it comes later."""
        ...


class Script(NamedTuple):
    """A player or seat whose answers come from a callable, with no process and no clock.

    The callable may ask a person and take as long as it likes.
    """

    answer: Callable[[Ask], Answer | None]

    def ask(self, asked: Ask) -> Answer | None:
        """Return the answer, or None if it comes later."""
        return self.answer(asked)


Player = Entrant | Script
"""What a name in a game stands for."""


def always(fault: Fault) -> Script:
    """Return a player that answers everything with this fault, so that a stand-in plays."""
    return Script(lambda _: fault)
