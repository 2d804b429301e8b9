"""Playing a tile: it is spent, may be countered, and takes effect [7.5]."""

from itertools import chain

from engine.brides_and_bribes.actions import (
    COUNTER,
    COUNTER_OF,
    DECLINE,
    PLACE_ARGUMENT,
    SEAT_ARGUMENT,
)
from engine.brides_and_bribes.events import notes
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.proofs import CHARACTER, IS_KILLER
from engine.brides_and_bribes.resolution import Play
from engine.brides_and_bribes.rules.abilities import EFFECT
from engine.brides_and_bribes.rules.effects import eliminate
from engine.brides_and_bribes.tiles import DOWRY_OBJECTS, FIRST_OBJECT, KIND, NONE

IS_GUARD = tuple([kind in ("guard", "antidote") for kind in KIND])
"""By tile."""
IS_STOPPABLE = tuple([tile < FIRST_OBJECT and not IS_KILLER[tile] for tile in range(len(KIND))])
"""By tile: characters, but no assassin; nor is a married guide [R25]."""


def play(position: Position, seat: int, tile: int, argument: int, window: str) -> None:
    """Spend a tile; what it does comes next, if nobody counters it."""
    resolution = position.resolution
    position.tell(notes.played, seat, tile, argument)
    if KIND[tile] == "rat":
        _prove_change(position, seat, window)
    _spend(position, seat, tile)
    resolution.pending = (seat, tile, argument, victim_of(position, seat, tile, argument))
    responders: list[int] = []
    if window in ("react", "wedding"):
        responders = [resolution.active]
    elif window != "order":  # nothing can be countered there [R18]
        responders = position.others(seat)
    position.push(exchange, responders, 0)


def _prove_change(position: Position, seat: int, window: str) -> None:
    """Note that a rat is only played where somebody can change its guide [7.6]."""
    resolution = position.resolution
    others = [resolution.active] if window == "react" else position.others(seat)
    hands = [resolution.hand[other] for other in others if not resolution.guide_married[other]]
    position.proofs += ((CHARACTER, tuple(chain.from_iterable(hands))),)


def _spend(position: Position, seat: int, tile: int) -> None:
    """Use up a tile, whatever happens next [7.5.1, R49]."""
    resolution = position.resolution
    if tile == resolution.guide[seat]:
        resolution.guide_used[seat] = True
        return
    resolution.hand[seat] = tuple([other for other in resolution.hand[seat] if other != tile])
    if tile < FIRST_OBJECT:
        position.alley_shown[seat] += (tile,)
    elif tile in DOWRY_OBJECTS:
        position.stock |= {tile}
    else:
        position.used[seat] += (tile,)


def victim_of(position: Position, seat: int, tile: int, argument: int) -> int:
    """Return whom an assassin or poison harms: a seat, or the owner of a wed bride [7.5.2]."""
    if not IS_KILLER[tile]:
        return NONE
    if argument >= PLACE_ARGUMENT:
        owner = position.spouse_seat[2 * position.resolution.borough + argument - PLACE_ARGUMENT]
        return NONE if owner == seat else owner
    return argument - SEAT_ARGUMENT


def exchange(position: Position, responders: list[int], number: int) -> None:
    """Ask the responders from this number on for counters; then the play takes effect [7.5.3]."""
    resolution = position.resolution
    pending = resolution.pending
    assert pending is not None
    while number < len(responders):
        seat = responders[number]
        if resolution.guide[seat] >= 0:
            options = counter_options(position, seat)
            if options:
                position.ask(seat, "counter", options, countered, seat, responders, number)
                return
        number += 1
    _take_effect(position, pending)


def _take_effect(position: Position, pending: Play) -> None:
    seat, tile, argument, _ = pending
    position.resolution.pending = None
    effect = EFFECT[tile]
    assert effect is not None, "a tile that is played has an effect"
    position.tell(notes.took_effect, seat, tile, argument, effect(position, seat, argument))


def counter_options(position: Position, seat: int) -> list[str]:
    """Return how a responder can counter the pending play; empty if it cannot [7.5.3]."""
    resolution = position.resolution
    assert resolution.pending is not None
    player, tile, _, victim = resolution.pending
    married = resolution.guide_married[player] and resolution.guide[player] == tile
    counters = IS_STOPPABLE[tile] and not married
    options = [
        COUNTER[own]
        for own in resolution.usable(seat)
        if (counters and IS_KILLER[own]) or (seat == victim and IS_GUARD[own])
    ]
    if options:
        options.append(DECLINE)
        options.sort()
    return options


def countered(
    position: Position, action: str, seat: int, responders: list[int], number: int
) -> None:
    """Guard against the pending play, or stop it unless it is saved; or decline [7.5.3]."""
    resolution = position.resolution
    if action == DECLINE:
        position.push(exchange, responders, number + 1)
        return
    assert resolution.pending is not None
    tile, player = COUNTER_OF[action], resolution.pending[0]
    _spend(position, seat, tile)
    if IS_GUARD[tile]:
        position.tell(notes.countered, seat, tile, "guard")
        _come_to_nothing(position)
        return
    position.tell(notes.countered, seat, tile, "stop")
    options = save_options(position, player)
    position.ask(player, "save", options, saved, player, responders, number)


def save_options(position: Position, seat: int) -> list[str]:
    """Return how the playing seat can save its tile from a stop, or decline to."""
    return sorted(
        [DECLINE, *[COUNTER[own] for own in position.resolution.usable(seat) if IS_GUARD[own]]]
    )


def saved(position: Position, action: str, seat: int, responders: list[int], number: int) -> None:
    """Save the played tile, so that the same responder is asked again, or lose it [7.5.3]."""
    resolution = position.resolution
    if action != DECLINE:
        tile = COUNTER_OF[action]
        _spend(position, seat, tile)
        position.tell(notes.countered, seat, tile, "save")
        position.push(exchange, responders, number)
        return
    assert resolution.pending is not None
    stopped = resolution.pending[1]
    _come_to_nothing(position)
    if resolution.guide[seat] == stopped:
        eliminate(position, seat)


def _come_to_nothing(position: Position) -> None:
    """End the pending play without effect."""
    resolution = position.resolution
    assert resolution.pending is not None
    seat, tile, _, _ = resolution.pending
    resolution.pending = None
    position.tell(notes.had_no_effect, seat, tile)
