"""Define the interface between the referee of a game and its players."""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

import msgspec

from arena.base.errors import BotError
from arena.base.protocol import Act, Fault
from arena.base.record import Entrant
from engine import State


class Decision(msgspec.Struct, frozen=True, gc=False):
    """A request for a decision."""

    seat: int
    turn: int  # number of the decision at this seat, starting at 1
    state: State
    """The current state of the game, valid until the bot answers."""
    events: Sequence[msgspec.Struct]
    """The events since the seat's last decision."""
    legal: list[str]
    move: int = 0  # number of actions played so far
    worlds: int = 0
    """Secret seed for drawing random worlds."""

    @property
    def view(self) -> msgspec.Struct:
        return self.state.view(self.seat)

    @property
    def world(self) -> bytes:
        """A random game state, as JSON, that is consistent with everything the player knows.
        `Variant.load` parses the JSON.
        """
        rng = random.Random(f"world {self.worlds} {self.seat} {self.turn}")
        return self.state.determinize(self.seat, rng).dump()

    @property
    def tensor(self) -> tuple[float, ...]:
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


class ActionSource:
    """Chooses the actions of a game. By default, the bots' answers are played."""

    def prepare(self, state: State) -> None:
        """Prepare for a new or replayed game, given its initial state."""

    def asks(self, seat: int, move: int) -> bool:
        """Return whether the player at `seat` chooses the next action."""
        return True

    def action(self, move: int, answer: Answer | None, legal: Sequence[str]) -> str:
        """Return the bot's action, or the first legal action if the bot has failed."""
        return legal[0] if answer is None or isinstance(answer, Fault) else answer.action


class Seat(Protocol):
    """A player's seat in one game."""

    def ask(self, decision: Decision) -> Answer | None:
        """Ask the player for a decision. Return None if the answer will arrive later."""
        ...


class Script(NamedTuple):
    """A player whose answers are computed by a function instead of a bot process."""

    answer: Callable[[Decision], Answer | None]

    def ask(self, decision: Decision) -> Answer | None:
        return self.answer(decision)


Player = Entrant | Script


def always(fault: Fault) -> Script:
    return Script(lambda _: fault)
