"""Windows in which several seats are asked in turn: `order`, `react`, `wedding` [7.2-7.4]."""

from collections.abc import Callable, Sequence

from engine.brides_and_bribes.actions import DECLINE, PLAY_OF
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.rules.abilities import plays
from engine.brides_and_bribes.rules.tile_plays import play

Window = Callable[[Position, Sequence[int], int], None]
"""The step that asks these seats from this number on."""


def ask_each(
    position: Position, name: str, window: Window, seats: Sequence[int], number: int
) -> None:
    """Ask the next seat, from this number on, that is present and has something to play."""
    while number < len(seats):
        seat = seats[number]
        if position.resolution.guide[seat] >= 0:
            options = plays(position, seat, name)
            if options:
                position.ask(seat, name, options, answered, name, window, seats, number)
                return
        number += 1


def answered(
    position: Position,
    action: str,
    name: str,
    window: Window,
    seats: Sequence[int],
    number: int,
) -> None:
    """Play and be asked again, or decline, whereupon the next one is asked."""
    if action == DECLINE:
        position.push(window, seats, number + 1)
    else:
        position.push(window, seats, number)
        play(position, seats[number], *PLAY_OF[action], name)
