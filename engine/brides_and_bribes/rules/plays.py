"""Rules for playing tiles: which plays are legal, and how other seats can counter them [7.6]."""
# compiled: see setup.py

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from engine.brides_and_bribes.actions import (
    COUNTER,
    COUNTER_OF,
    DECLARE,
    DECLINE,
    PLACE_ARGUMENT,
    PLAY,
    PLAY_OF,
    SEAT_ARGUMENT,
)
from engine.brides_and_bribes.position.position import CHARACTER, IS_KILLER, Changes, Position
from engine.brides_and_bribes.rules import effects, targets
from engine.brides_and_bribes.rules.effects import eliminate
from engine.brides_and_bribes.tiles import DOWRY_OBJECTS, FIRST_OBJECT, KIND, NONE, without
from engine.fields import read_table

Targets = Callable[[Position, int], Sequence[int]]
Effect = Callable[[Position, int, int], Changes]

ABILITIES: Final[Mapping[str, Mapping[str, str]]] = read_table(
    "engine.brides_and_bribes", "abilities.toml"
)
WINDOWS: Final = ("order", "react", "before", "wedding", "after")


def _effect(kind: str) -> Effect | None:
    if kind not in ABILITIES:
        return None
    name, *amount = ABILITIES[kind]["effect"].split()
    function: Any = getattr(effects, name)
    return partial(function, int(amount[0])) if amount else function


def _targets(kind: str, window: str, declared: str) -> Targets | None:
    when, _, name = ABILITIES.get(kind, {}).get(window, "").partition(" ")
    is_meant = name and when in ("any", declared.partition(" ")[0])
    return getattr(targets, name) if is_meant else None


EFFECT: Final = tuple([_effect(kind) for kind in KIND])
_TARGETS: Final = {
    window: tuple(
        [tuple([_targets(kind, window, declared) for kind in KIND]) for declared in DECLARE]
    )
    for window in WINDOWS
}


def plays(position: Position, seat: int, window: str) -> list[str]:
    resolution = position.resolution
    # In the window `order`, no action is declared (-1), and all rows are the same.
    by_tile = _TARGETS[window][resolution.declared]
    options: list[str] = []
    tiles = resolution.hand[seat]
    if not resolution.guide_used[seat]:  # inlined from `usable` for speed
        tiles += (resolution.guide[seat],)
    for tile in tiles:
        find = by_tile[tile]
        if find is not None:
            row = PLAY[tile]
            for argument in find(position, seat):
                options.append(row[argument])
    if options:
        options.append(DECLINE)
        options.sort()
    return options


IS_GUARD: Final = tuple([kind in ("guard", "antidote") for kind in KIND])
# By tile: whether an assassin or a poison can stop it when it is played [R25].
IS_STOPPABLE: Final = tuple(
    [tile < FIRST_OBJECT and not IS_KILLER[tile] for tile in range(len(KIND))]
)


Responder = tuple[int, list[int], int]  # seat asked, all responders, index of the current one


def play(position: Position, seat: int, tile: int, argument: int, window: str) -> None:
    """Play a tile, whose ability takes effect unless another seat counters it.

    Callers must return immediately afterwards, because other seats may still have to respond.
    """
    position.log.notes.append(("played", seat, tile, argument))
    if KIND[tile] == "rat":
        _prove_change(position, seat, window)
    _spend(position, seat, tile)
    resolution = position.resolution
    resolution.pending = (seat, tile, argument, victim_of(position, seat, tile, argument))
    responders: list[int] = []
    if window in ("react", "wedding"):
        responders = [resolution.active]
    elif window != "order":  # nothing can be countered there [R18]
        responders = position.others(seat)
    exchange(position, responders, 0)


def _prove_change(position: Position, seat: int, window: str) -> None:
    resolution = position.resolution
    others = [resolution.active] if window == "react" else position.others(seat)
    tiles: tuple[int, ...] = ()
    for other in others:
        if not resolution.guide_married[other]:
            tiles += resolution.hand[other]
    position.proofs += ((CHARACTER, tiles),)


def _spend(position: Position, seat: int, tile: int) -> None:
    resolution = position.resolution
    if tile == resolution.guide[seat]:
        resolution.guide_used[seat] = True
        return
    resolution.hand[seat] = without(resolution.hand[seat], tile)
    if tile < FIRST_OBJECT:
        position.alley_shown[seat] += (tile,)
    elif tile in DOWRY_OBJECTS:
        position.stock |= {tile}
    else:
        position.used[seat] += (tile,)


def victim_of(position: Position, seat: int, tile: int, argument: int) -> int:
    """Return the victim of an assassin or poison, or `NONE` if there is none [7.5.2]."""
    if not IS_KILLER[tile]:
        return NONE
    if argument >= PLACE_ARGUMENT:
        spot = 2 * position.resolution.borough + argument - PLACE_ARGUMENT
        owner = position.spouse_seat[spot]
        return NONE if owner == seat else owner
    return argument - SEAT_ARGUMENT


def exchange(position: Position, responders: list[int], number: int) -> None:
    """Let other seats counter a played tile, then apply the tile's effect [7.5.3]."""
    guide = position.resolution.guide
    while number < len(responders):
        seat = responders[number]
        if guide[seat] >= 0:
            options = counter_options(position, seat)
            if options:
                position.ask(seat, "counter", options, countered, (seat, responders, number))
                return
        number += 1
    _take_effect(position)


def _take_effect(position: Position) -> None:
    resolution = position.resolution
    assert resolution.pending is not None
    seat, tile, argument, _ = resolution.pending
    resolution.pending = None
    effect = EFFECT[tile]
    assert effect is not None, "a tile that is played has an effect"
    position.log.notes.append(("effect", seat, tile, argument, effect(position, seat, argument)))


def counter_options(position: Position, seat: int) -> list[str]:
    """Return the legal counters to a play [7.5.3]."""
    resolution = position.resolution
    assert resolution.pending is not None
    player, tile, _, victim = resolution.pending
    married = resolution.guide_married[player] and resolution.guide[player] == tile
    stoppable = IS_STOPPABLE[tile] and not married
    options = [
        COUNTER[own]
        for own in resolution.usable(seat)
        if (stoppable and IS_KILLER[own]) or (seat == victim and IS_GUARD[own])
    ]
    if options:
        options.append(DECLINE)
        options.sort()
    return options


def countered(position: Position, action: str, argument: Responder) -> None:
    """Counter a play [7.5.3]."""
    seat, responders, number = argument
    if action == DECLINE:
        exchange(position, responders, number + 1)
        return
    pending = position.resolution.pending
    assert pending is not None
    tile, player = COUNTER_OF[action], pending[0]
    _spend(position, seat, tile)
    if IS_GUARD[tile]:
        position.log.notes.append(("countered", seat, tile, "guard"))
        _cancel(position)
        return
    position.log.notes.append(("countered", seat, tile, "stop"))
    options = save_options(position, player)
    position.ask(player, "save", options, saved, (player, responders, number))


def save_options(position: Position, seat: int) -> list[str]:
    """Return how a seat can respond when another seat stops its tile [7.5.3]."""
    own = [COUNTER[tile] for tile in position.resolution.usable(seat) if IS_GUARD[tile]]
    return sorted([DECLINE, *own])


def saved(position: Position, action: str, argument: Responder) -> None:
    """Let a seat save its stopped tile with a counter. Without one, it has no effect [7.5.3]."""
    seat, responders, number = argument
    if action != DECLINE:
        tile = COUNTER_OF[action]
        _spend(position, seat, tile)
        position.log.notes.append(("countered", seat, tile, "save"))
        exchange(position, responders, number)
        return
    pending = position.resolution.pending
    assert pending is not None
    _cancel(position)
    if position.resolution.guide[seat] == pending[1]:
        eliminate(position, seat)


def _cancel(position: Position) -> None:
    pending = position.resolution.pending
    assert pending is not None
    position.resolution.pending = None
    position.log.notes.append(("no_effect", pending[0], pending[1]))


Responders = tuple[Sequence[int], int]
Window = Callable[[Position, Responders], None]
Circuit = tuple[Sequence[int], int, bool]  # seats to ask, next index, whether any has played
CircuitWindow = Callable[[Position, Circuit], None]


def ask_each(position: Position, name: str, window: Window, argument: Responders) -> None:
    seats, number = argument
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
    name, window, seats, number = where
    if action == DECLINE:
        window(position, (seats, number + 1))
    else:
        position.push(window, (seats, number))
        tile, argument = PLAY_OF[action]
        play(position, seats[number], tile, argument, name)


def first_circuit(position: Position) -> Circuit:
    return position.others(position.resolution.active), 0, False


def ask_circuit(position: Position, name: str, window: CircuitWindow, circuit: Circuit) -> None:
    """Let each seat play a tile, and repeat until no seat plays one [R24]."""
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
    name, window, seats, number, somebody_played = where
    if action == DECLINE:
        window(position, (seats, number + 1, somebody_played))
    else:
        position.push(window, (seats, number + 1, True))
        tile, argument = PLAY_OF[action]
        play(position, seats[number], tile, argument, name)
