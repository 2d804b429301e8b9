"""The first phase: tiles are placed [6.1]."""

from typing import TYPE_CHECKING

from engine.brides_and_bribes import story
from engine.brides_and_bribes.actions import (
    DESTINATION_OF,
    FAVOR,
    FIRST_SHIP,
    PASS,
    PLACE,
    PLACED_TILE,
    REINFORCE,
    SEND,
)
from engine.brides_and_bribes.tiles import DELEGATION, FIRST_OBJECT, SEATS, SHIPS

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState

TURN = 2
"""Actions that a seat takes in succession [R9]."""


def begin(state: "BridesAndBribesState") -> None:
    """Let the seats take turns, clockwise from F, until all have passed."""
    state.phase = "placement"
    state.push(begin_turn, state.first_seat)


def begin_turn(state: "BridesAndBribesState", seat: int) -> None:
    """Let the next seat that has not passed, clockwise from `seat`, take its actions."""
    passed, n = state.passed, state.variant.seats
    for _ in range(n):
        if not passed[seat]:
            state.actions_left = TURN
            state.push(act, seat)
            return
        seat = (seat + 1) % n
    _fix_favor_order(state)


def act(state: "BridesAndBribesState", seat: int) -> None:
    """Ask where to; with an empty hand a seat passes [R9]."""
    state.ask(seat, "place", place_options(state, seat), place, seat)


def place_options(state: "BridesAndBribesState", seat: int) -> list[str]:
    """Return the legal places [6.1]."""
    hand, options = state.hands[seat], [PASS]
    if not hand:
        return options
    coach = state.coaches[seat] > 0
    delegations = state.delegations
    for borough in state.in_play:
        tiles = delegations[borough * SEATS + seat]
        if (len(tiles) < DELEGATION) if tiles else coach:
            options.append(PLACE[borough])
    own = state.ship[seat]
    if own:
        if len(state.ship_tiles[seat]) < DELEGATION:
            options.append(PLACE[FIRST_SHIP + own - 1])
    elif coach:
        options += [PLACE[FIRST_SHIP + ship - 1] for ship in SHIPS if ship not in state.ship]
    if seat not in state.favor_asked:
        for tile in hand:
            if tile < FIRST_OBJECT:
                options.append(PLACE[FAVOR])
                break
    options.sort()
    return options


def place(state: "BridesAndBribesState", action: str, seat: int) -> None:
    """Pass, or ask which tile."""
    if action == PASS:
        put_away = state.hands[seat]
        state.passed[seat] = True
        state.actions_left = 0
        state.hands[seat] = ()
        state.alley_hidden[seat] += put_away
        state.tell(story.passed, seat, len(put_away))
        state.push(begin_turn, (seat + 1) % state.variant.seats)
        return
    state.placing = DESTINATION_OF[action]
    state.ask(seat, "tile", tile_options(state, seat), put_tile, seat)


def tile_options(state: "BridesAndBribesState", seat: int) -> list[str]:
    """Return the tiles that can go where the seat decided to place one [6.1]."""
    destination, hand = state.placing, state.hands[seat]
    if destination == FAVOR:
        row = SEND[FAVOR]
        return sorted([row[tile] for tile in hand if tile < FIRST_OBJECT])
    row = (REINFORCE if _delegation(state, seat, destination) else SEND)[destination]
    return sorted([row[tile] for tile in hand])


def _delegation(state: "BridesAndBribesState", seat: int, destination: int) -> tuple[int, ...]:
    """Return the tiles that a seat has there."""
    if destination < FIRST_SHIP:
        return state.delegations[destination * SEATS + seat]
    return state.ship_tiles[seat]


def put_tile(state: "BridesAndBribesState", action: str, seat: int) -> None:
    """Put a tile where the seat decided."""
    tile, destination = PLACED_TILE[action], state.placing
    state.hands[seat] = tuple([other for other in state.hands[seat] if other != tile])
    if destination == FAVOR:
        state.favor_asked += (seat,)
        state.alley_shown[seat] += (tile,)
        state.tell(story.favor_asked, seat, tile)
    else:
        before = _delegation(state, seat, destination)
        if destination < FIRST_SHIP:
            state.delegations[destination * SEATS + seat] = (*before, tile)
        else:
            state.ship[seat] = destination - FIRST_SHIP + 1
            state.ship_tiles[seat] = (*before, tile)
        if before:
            state.tell(story.reinforced, seat, destination, len(before) + 1, tile)
        else:
            state.coaches[seat] -= 1
            state.tell(story.sent, seat, destination, 1, tile)
    state.actions_left -= 1
    if state.actions_left:
        state.push(act, seat)
    else:
        state.push(begin_turn, (seat + 1) % state.variant.seats)


def _fix_favor_order(state: "BridesAndBribesState") -> None:
    """Fix the new favor order [6.1]."""
    asked = state.favor_asked
    if asked:
        state.favor_order = (*asked, *[seat for seat in state.favor_order if seat not in asked])
    state.tell(story.favor_fixed, state.favor_order)
