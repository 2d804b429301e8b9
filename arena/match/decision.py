"""A decision to ask of a seat, and its answer, as data."""

from collections.abc import Sequence

import msgspec

from arena.protocol import Act, Fault
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

    @property
    def view(self) -> msgspec.Struct:
        """The view of the seat, made on request, since not every bot wants it."""
        return self.state.view(self.seat)


class Reply(msgspec.Struct, frozen=True, gc=False):
    """The answer of a seat."""

    action: str
    note: str = ""


Answer = Reply | Act | Fault
"""What a referee is sent for a decision. The act of a process is a reply as it came."""
