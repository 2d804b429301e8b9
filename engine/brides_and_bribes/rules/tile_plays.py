"""Playing a tile: spend it, let seats counter it, and apply its effect [7.5]."""
# compiled: see setup.py

from typing import Final

from engine.brides_and_bribes.actions import (
    COUNTER,
    COUNTER_OF,
    DECLINE,
    PLACE_ARGUMENT,
    SEAT_ARGUMENT,
)
from engine.brides_and_bribes.position import CHARACTER, IS_KILLER, Position
from engine.brides_and_bribes.rules.abilities import EFFECT
from engine.brides_and_bribes.rules.effects import eliminate
from engine.brides_and_bribes.tiles import DOWRY_OBJECTS, FIRST_OBJECT, KIND, NONE, without

IS_GUARD: Final = tuple([kind in ("guard", "antidote") for kind in KIND])
"""By tile."""
IS_STOPPABLE: Final = tuple(
    [tile < FIRST_OBJECT and not IS_KILLER[tile] for tile in range(len(KIND))]
)
"""By tile: true for characters except assassins. A married guide can't be stopped either [R25]."""


Responder = tuple[int, list[int], int]
"""The seat being asked, the seats that respond, and the index of the current one."""


def play(position: Position, seat: int, tile: int, argument: int, window: str) -> None:
    """Spend a tile. It takes effect unless a seat counters it.

    This may ask a seat, so a step must call it last.
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
    """Record that a rat was played, which proves that another seat can change its guide [7.6]."""
    resolution = position.resolution
    others = [resolution.active] if window == "react" else position.others(seat)
    tiles: tuple[int, ...] = ()
    for other in others:
        if not resolution.guide_married[other]:
            tiles += resolution.hand[other]
    position.proofs += ((CHARACTER, tiles),)


def _spend(position: Position, seat: int, tile: int) -> None:
    """Use up a tile, whether or not it takes effect [7.5.1, R49]."""
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
    """Return the seat that an assassin or poison harms, or `NONE` [7.5.2].

    It is the target seat itself, or the seat married to the target bride.
    """
    if not IS_KILLER[tile]:
        return NONE
    if argument >= PLACE_ARGUMENT:
        spot = 2 * position.resolution.borough + argument - PLACE_ARGUMENT
        owner = position.spouse_seat[spot]
        return NONE if owner == seat else owner
    return argument - SEAT_ARGUMENT


def exchange(position: Position, responders: list[int], number: int) -> None:
    """Ask `responders` from index `number` on for counters, or apply the effect [7.5.3]."""
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
    """Return how a responder can counter the pending tile; empty if it can't [7.5.3]."""
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


def countered(position: Position, action: str, asked: Responder) -> None:
    """Guard against the pending tile, try to stop it, or decline [7.5.3]."""
    seat, responders, number = asked
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
    """Return how the playing seat can save its tile from being stopped, and declining."""
    own = [COUNTER[tile] for tile in position.resolution.usable(seat) if IS_GUARD[tile]]
    return sorted([DECLINE, *own])


def saved(position: Position, action: str, asked: Responder) -> None:
    """Save the played tile and ask the same responder again, or lose the tile [7.5.3]."""
    seat, responders, number = asked
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
