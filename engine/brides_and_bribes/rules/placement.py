"""Rules for the first phase of a round, in which seats place tiles [6.1]."""
# compiled: see setup.py

from collections.abc import Sequence
from functools import cache
from typing import Final

from engine.brides_and_bribes.actions import (
    DESTINATION_OF,
    FAVOR,
    FIRST_SHIP,
    PASS,
    PLACE,
    PLACED_TILE,
    REINFORCE,
    SEND,
    characters,
)
from engine.brides_and_bribes.position.position import Position
from engine.brides_and_bribes.tiles import DELEGATION, FIRST_OBJECT, SEATS, SHIPS, without

ACTIONS_PER_TURN: Final = 2  # [R9]
SHIP_BIT: Final = (0, *[1 << (FIRST_SHIP + ship - 1) for ship in SHIPS])
ALL_SHIPS: Final = sum(SHIP_BIT)


def begin(position: Position, _: None) -> None:
    """Let seats take turns until all have passed."""
    position.phase = "placement"
    begin_turn(position, position.first_seat)


def begin_turn(position: Position, seat: int) -> None:
    passed = position.passed
    for other in position.parameters.clockwise[seat]:
        if other not in passed:
            position.actions_left = ACTIONS_PER_TURN
            position.ask(other, "place", place_options(position, other), place, other)
            return
    _fix_favor_order(position)


def place_options(position: Position, seat: int) -> Sequence[str]:
    """List the places where a seat can put a tile. Passing is always legal [6.1, R9]."""
    hand = position.hands[seat]
    if not hand:
        return _place_list(0)
    coach = position.coaches[seat] > 0
    delegations = position.delegations
    places = 0
    for borough in position.in_play:
        tiles = delegations[borough * SEATS + seat]
        if (len(tiles) < DELEGATION) if tiles else coach:
            places |= 1 << borough
    own = position.ship[seat]
    if own:
        if len(position.ship_tiles[seat]) < DELEGATION:
            places |= SHIP_BIT[own]
    elif coach:
        places |= ALL_SHIPS
        for taken in position.ship:
            places &= ~SHIP_BIT[taken]
    if seat not in position.favor_asked:
        for tile in hand:
            if tile < FIRST_OBJECT:
                places |= 1 << FAVOR
                break
    return _place_list(places)


@cache
def _place_list(places: int) -> tuple[str, ...]:
    return tuple(sorted([PASS, *[text for to, text in enumerate(PLACE) if places >> to & 1]]))


def place(position: Position, action: str, seat: int) -> None:
    if action == PASS:
        put_away = position.hands[seat]
        position.passed += (seat,)
        position.actions_left = 0
        position.hands[seat] = ()
        position.alley_hidden[seat] += put_away
        position.log.notes.append(("passed", seat, len(put_away)))
        begin_turn(position, (seat + 1) % position.parameters.seats)
        return
    position.placing = DESTINATION_OF[action]
    position.ask(seat, "tile", tile_options(position, seat), put_tile, seat)


def tile_options(position: Position, seat: int) -> Sequence[str]:
    """Return the tiles that a seat can put in the chosen place [6.1]."""
    destination, hand = position.placing, position.hands[seat]
    row = (REINFORCE if _delegation(position, seat, destination) else SEND)[destination]
    if destination == FAVOR:
        hand = tuple(characters(hand))
    options = [row[tile] for tile in hand]
    options.sort()
    return options


def _delegation(position: Position, seat: int, destination: int) -> tuple[int, ...]:
    if destination < FIRST_SHIP:
        return position.delegations[destination * SEATS + seat]
    return () if destination == FAVOR else position.ship_tiles[seat]


def put_tile(position: Position, action: str, seat: int) -> None:
    tile, destination = PLACED_TILE[action], position.placing
    position.hands[seat] = without(position.hands[seat], tile)
    if destination == FAVOR:
        position.favor_asked += (seat,)
        position.alley_shown[seat] += (tile,)
        position.log.notes.append(("favor", seat, tile))
    else:
        number = len(_delegation(position, seat, destination)) + 1
        if destination < FIRST_SHIP:
            position.delegations[destination * SEATS + seat] += (tile,)
        else:
            position.ship[seat] = destination - FIRST_SHIP + 1
            position.ship_tiles[seat] += (tile,)
        if number > 1:
            position.log.notes.append(("reinforced", seat, destination, number, tile))
        else:
            position.coaches[seat] -= 1
            position.log.notes.append(("sent", seat, destination, 1, tile))
    position.actions_left -= 1
    if position.actions_left:
        position.ask(seat, "place", place_options(position, seat), place, seat)
    else:
        begin_turn(position, (seat + 1) % position.parameters.seats)


def _fix_favor_order(position: Position) -> None:
    # [6.1]
    requested, order = position.favor_asked, position.favor_order
    if requested:
        position.favor_order = (*requested, *[seat for seat in order if seat not in requested])
    position.log.notes.append(("favor_order", position.favor_order))
