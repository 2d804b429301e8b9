"""Windows in which several seats are asked in turn: `order`, `react`, `wedding` [7.2-7.4]."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from engine.brides_and_bribes.abilities import plays
from engine.brides_and_bribes.actions import DECLINE, PLAY_OF
from engine.brides_and_bribes.playing import play

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState

Window = Callable[["BridesAndBribesState", Sequence[int], int], None]
"""The step that asks these seats from this number on."""


def ask_each(
    state: "BridesAndBribesState", name: str, window: Window, seats: Sequence[int], number: int
) -> None:
    """Ask the next seat, from this number on, that is present and has something to play."""
    while number < len(seats):
        seat = seats[number]
        if state.guide[seat] >= 0:
            options = plays(state, seat, name)
            if options:
                state.ask(seat, name, options, answered, name, window, seats, number)
                return
        number += 1


def answered(
    state: "BridesAndBribesState",
    action: str,
    name: str,
    window: Window,
    seats: Sequence[int],
    number: int,
) -> None:
    """Play and be asked again, or decline, whereupon the next one is asked."""
    if action == DECLINE:
        state.push(window, seats, number + 1)
    else:
        state.push(window, seats, number)
        play(state, seats[number], *PLAY_OF[action], name)
