"""Playing a tile: it is spent, may be countered, and takes effect [7.5]."""

from itertools import chain
from typing import TYPE_CHECKING

from engine.brides_and_bribes import story
from engine.brides_and_bribes.abilities import EFFECT
from engine.brides_and_bribes.actions import (
    COUNTER,
    COUNTER_OF,
    DECLINE,
    PLACE_ARGUMENT,
    SEAT_ARGUMENT,
)
from engine.brides_and_bribes.effects import eliminate
from engine.brides_and_bribes.proofs import CHARACTER, IS_KILLER
from engine.brides_and_bribes.tiles import DOWRY_OBJECTS, FIRST_OBJECT, KIND, NONE

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState, Play

IS_GUARD = tuple([kind in ("guard", "antidote") for kind in KIND])
"""By tile."""
IS_STOPPABLE = tuple([tile < FIRST_OBJECT and not IS_KILLER[tile] for tile in range(len(KIND))])
"""By tile: characters, but no assassin; nor is a married guide [R25]."""


def play(state: "BridesAndBribesState", seat: int, tile: int, argument: int, window: str) -> None:
    """Spend a tile; what it does comes next, if nobody counters it."""
    state.tell(story.played, seat, tile, argument)
    if KIND[tile] == "rat":
        _prove_change(state, seat, window)
    _spend(state, seat, tile)
    state.pending = (seat, tile, argument, victim_of(state, seat, tile, argument))
    responders: list[int] = []
    if window in ("react", "wedding"):
        responders = [state.active]
    elif window != "order":  # nothing can be countered there [R18]
        responders = state.others(seat)
    state.push(exchange, responders, 0)


def _prove_change(state: "BridesAndBribesState", seat: int, window: str) -> None:
    """Note that a rat is only played where somebody can change its guide [7.6]."""
    others = [state.active] if window == "react" else state.others(seat)
    hands = [state.hand[other] for other in others if not state.guide_married[other]]
    state.proofs += ((CHARACTER, tuple(chain.from_iterable(hands))),)


def _spend(state: "BridesAndBribesState", seat: int, tile: int) -> None:
    """Use up a tile, whatever happens next [7.5.1, R49]."""
    if tile == state.guide[seat]:
        state.guide_used[seat] = True
        return
    state.hand[seat] = tuple([other for other in state.hand[seat] if other != tile])
    if tile < FIRST_OBJECT:
        state.alley_shown[seat] += (tile,)
    elif tile in DOWRY_OBJECTS:
        state.stock |= {tile}
    else:
        state.used[seat] += (tile,)


def victim_of(state: "BridesAndBribesState", seat: int, tile: int, argument: int) -> int:
    """Return whom an assassin or poison harms: a seat, or the owner of a wed bride [7.5.2]."""
    if not IS_KILLER[tile]:
        return NONE
    if argument >= PLACE_ARGUMENT:
        owner = state.spouse_seat[2 * state.borough + argument - PLACE_ARGUMENT]
        return NONE if owner == seat else owner
    return argument - SEAT_ARGUMENT


def exchange(state: "BridesAndBribesState", responders: list[int], number: int) -> None:
    """Ask the responders from this number on for counters; then the play takes effect [7.5.3]."""
    pending = state.pending
    assert pending is not None
    while number < len(responders):
        seat = responders[number]
        if state.guide[seat] >= 0:
            options = counter_options(state, seat)
            if options:
                state.ask(seat, "counter", options, countered, seat, responders, number)
                return
        number += 1
    _take_effect(state, pending)


def _take_effect(state: "BridesAndBribesState", pending: "Play") -> None:
    seat, tile, argument, _ = pending
    state.pending = None
    effect = EFFECT[tile]
    assert effect is not None, "a tile that is played has an effect"
    state.tell(story.took_effect, seat, tile, argument, effect(state, seat, argument))


def counter_options(state: "BridesAndBribesState", seat: int) -> list[str]:
    """Return how a responder can counter the pending play; empty if it cannot [7.5.3]."""
    assert state.pending is not None
    player, tile, _, victim = state.pending
    married = state.guide_married[player] and state.guide[player] == tile
    counters = IS_STOPPABLE[tile] and not married
    options = [
        COUNTER[own]
        for own in state.usable(seat)
        if (counters and IS_KILLER[own]) or (seat == victim and IS_GUARD[own])
    ]
    if options:
        options.append(DECLINE)
        options.sort()
    return options


def countered(
    state: "BridesAndBribesState", action: str, seat: int, responders: list[int], number: int
) -> None:
    """Guard against the pending play, or stop it unless it is saved; or decline [7.5.3]."""
    if action == DECLINE:
        state.push(exchange, responders, number + 1)
        return
    assert state.pending is not None
    tile, player = COUNTER_OF[action], state.pending[0]
    _spend(state, seat, tile)
    if IS_GUARD[tile]:
        state.tell(story.countered, seat, tile, "guard")
        _come_to_nothing(state)
        return
    state.tell(story.countered, seat, tile, "stop")
    options = save_options(state, player)
    state.ask(player, "save", options, saved, player, responders, number)


def save_options(state: "BridesAndBribesState", seat: int) -> list[str]:
    """Return how the playing seat can save its tile from a stop, or decline to."""
    return sorted([DECLINE, *[COUNTER[own] for own in state.usable(seat) if IS_GUARD[own]]])


def saved(
    state: "BridesAndBribesState", action: str, seat: int, responders: list[int], number: int
) -> None:
    """Save the played tile, so that the same responder is asked again, or lose it [7.5.3]."""
    if action != DECLINE:
        tile = COUNTER_OF[action]
        _spend(state, seat, tile)
        state.tell(story.countered, seat, tile, "save")
        state.push(exchange, responders, number)
        return
    assert state.pending is not None
    stopped = state.pending[1]
    _come_to_nothing(state)
    if state.guide[seat] == stopped:
        eliminate(state, seat)


def _come_to_nothing(state: "BridesAndBribesState") -> None:
    """End the pending play without effect."""
    assert state.pending is not None
    seat, tile, _, _ = state.pending
    state.pending = None
    state.tell(story.had_no_effect, seat, tile)
