"""Windows in which seats may play tiles, one after another [7.2-7.4]."""

from collections.abc import Callable, Sequence

from engine.brides_and_bribes.actions import DECLINE, PLAY_OF
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.rules.abilities import plays
from engine.brides_and_bribes.rules.tile_plays import play

Window = Callable[[Position, Sequence[int], int], None]
"""A step that asks `seats`, from index `number` on."""


def ask_each(
    position: Position, name: str, window: Window, seats: Sequence[int], number: int
) -> None:
    """Ask the next of `seats`, from index `number` on, that is present and has a tile to play."""
    guide = position.resolution.guide
    while number < len(seats):
        seat = seats[number]
        if guide[seat] >= 0:
            options = plays(position, seat, name)
            if options:
                position.ask(seat, name, options, answered, name, window, seats, number)
                return
        number += 1


def answered(  # noqa: PLR0913
    position: Position,
    action: str,
    name: str,
    window: Window,
    seats: Sequence[int],
    number: int,
) -> None:
    """Play a tile and ask the same seat again, or decline and ask the next one.

    The parameters after `action` are those that the question was asked with: a position keeps them
    as plain values, so that it can be copied.
    """
    if action == DECLINE:
        window(position, seats, number + 1)
    else:
        position.push(window, seats, number)
        tile, argument = PLAY_OF[action]
        play(position, seats[number], tile, argument, name)
