"""Players, the decisions they are asked for, and their answers."""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

import msgspec

from arena.base.errors import BotError
from arena.base.protocol import Act, Fault
from arena.base.record import Entrant
from engine import State


class Ask(msgspec.Struct, frozen=True, gc=False):
    """A request for a decision by `seat`. `turn` counts the decisions of that seat, from 1."""

    seat: int
    turn: int
    state: State
    """The current state. It stays unchanged until the answer is sent."""
    events: Sequence[msgspec.Struct]
    """Events since this seat's previous decision."""
    legal: list[str]
    move: int = 0
    """Number of earlier actions in the game, by all seats."""
    worlds: int = 0
    """The seed for drawing worlds. Bots never see it."""

    @property
    def view(self) -> msgspec.Struct:
        return self.state.view(self.seat)

    @property
    def world(self) -> bytes:
        """A world drawn at random for this decision, as JSON for `Variant.load`."""
        rng = random.Random(f"world {self.worlds} {self.seat} {self.turn}")
        return self.state.determinize(self.seat, rng).dump()

    @property
    def tensor(self) -> tuple[float, ...]:
        """The seat's view as numbers."""
        return tuple(self.state.variant.tensor(self.state, self.seat))


def lacks_worlds(bot: str, variants: Iterable[str]) -> BotError:
    return BotError(
        f"{bot} asks for worlds, which these variants don't have: {', '.join(variants)}; choose a "
        "bot or variant that plays without them"
    )


class Reply(msgspec.Struct, frozen=True, gc=False):
    action: str
    note: str = ""


Answer = Reply | Act | Fault
"""What a referee accepts as an answer. An `Act` comes from a bot process."""


class ActionSource:
    """Chooses the actions of a game. By default, these are the answers of the seats."""

    def prepare(self, state: State) -> None:
        """Called with the state at the start of a game, and again whenever the game is replayed."""

    def asks(self, seat: int, move: int) -> bool:
        """Return whether to ask `seat` for the action with index `move`."""
        return True

    def action(self, move: int, answer: Answer | None, legal: Sequence[str]) -> str:
        """Return the action to play. After a fault, that is a stand-in's action."""
        return legal[0] if answer is None or isinstance(answer, Fault) else answer.action


class Seat(Protocol):
    """A seat in one game."""

    def ask(self, asked: Ask) -> Answer | None:
        """Ask for a decision. Return the answer, or None if it will arrive later."""
        ...


class Script(NamedTuple):
    """A player without a process, whose answers come from a function. It has no time limits."""

    answer: Callable[[Ask], Answer | None]

    def ask(self, asked: Ask) -> Answer | None:
        return self.answer(asked)


Player = Entrant | Script
"""A bot or a script."""


def always(fault: Fault) -> Script:
    """Return a player that commits this fault at its first decision."""
    return Script(lambda _: fault)
