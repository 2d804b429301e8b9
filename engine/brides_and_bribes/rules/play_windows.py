"""Windows in which seats may play tiles, one after another [7.2-7.4]."""
# compiled: see setup.py

from collections.abc import Callable, Sequence

from engine.brides_and_bribes.actions import DECLINE, PLAY_OF
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.rules.abilities import plays
from engine.brides_and_bribes.rules.tile_plays import play

Asked = tuple[Sequence[int], int]
"""The seats, and the index of the next one to ask."""
Window = Callable[[Position, Asked], None]
"""A step that asks seats."""
Circuit = tuple[Sequence[int], int, bool]
"""The seats, the index of the next one to ask, and whether an earlier one has played."""
CircuitWindow = Callable[[Position, Circuit], None]
"""A step that asks seats in circuits."""


def ask_each(position: Position, name: str, window: Window, asked: Asked) -> None:
    """Ask the next seat that is present and has a tile to play."""
    seats, number = asked
    guide = position.resolution.guide
    for index in range(number, len(seats)):
        seat = seats[index]
        if guide[seat] >= 0:
            options = plays(position, seat, name)
            if options:
                position.ask(seat, name, options, answered, (name, window, seats, index))
                return


def answered(
    position: Position, action: str, where: tuple[str, Window, Sequence[int], int]
) -> None:
    """Play a tile and ask the same seat again, or decline and ask the next one."""
    name, window, seats, number = where
    if action == DECLINE:
        window(position, (seats, number + 1))
    else:
        position.push(window, (seats, number))
        tile, argument = PLAY_OF[action]
        play(position, seats[number], tile, argument, name)


def first_circuit(position: Position) -> Circuit:
    """Return a circuit of the present seats except the active one, clockwise from it."""
    return position.others(position.resolution.active), 0, False


def ask_circuit(position: Position, name: str, window: CircuitWindow, circuit: Circuit) -> None:
    """Ask the next seat that is present and has a tile to play.

    If a seat has played in this circuit, another circuit follows [R24].
    """
    seats, number, somebody_played = circuit
    guide = position.resolution.guide
    for index in range(number, len(seats)):
        seat = seats[index]
        if guide[seat] >= 0:
            options = plays(position, seat, name)
            if options:
                where = (name, window, seats, index, somebody_played)
                position.ask(seat, name, options, answered_in_circuit, where)
                return
    if somebody_played:
        window(position, first_circuit(position))


def answered_in_circuit(
    position: Position, action: str, where: tuple[str, CircuitWindow, Sequence[int], int, bool]
) -> None:
    """Play a tile or decline, and ask the next seat."""
    name, window, seats, number, somebody_played = where
    if action == DECLINE:
        window(position, (seats, number + 1, somebody_played))
    else:
        position.push(window, (seats, number + 1, True))
        tile, argument = PLAY_OF[action]
        play(position, seats[number], tile, argument, name)
