"""First phase: the placement of tiles [6.1]."""

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
)
from engine.brides_and_bribes.events import notes
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.tiles import DELEGATION, FIRST_OBJECT, SEATS, SHIPS

ACTIONS_PER_TURN: Final = 2
"""Actions that a seat takes in succession [R9]."""


def begin(position: Position) -> None:
    """Let the seats take turns, clockwise from F, until all have passed."""
    position.phase = "placement"
    begin_turn(position, position.first_seat)


def begin_turn(position: Position, seat: int) -> None:
    """Let the next seat that has not passed, clockwise from `seat`, take its actions."""
    passed, n = position.passed, position.parameters.seats
    for _ in range(n):
        if seat not in passed:
            position.actions_left = ACTIONS_PER_TURN
            act(position, seat)
            return
        seat = (seat + 1) % n
    _fix_favor_order(position)


def act(position: Position, seat: int) -> None:
    """Ask where to place a tile; a seat with an empty hand passes [R9]."""
    position.ask(seat, "place", place_options(position, seat), place, seat)


def place_options(position: Position, seat: int) -> list[str]:
    """Return the legal places [6.1]."""
    hand, options = position.hands[seat], [PASS]
    if not hand:
        return options
    coach = position.coaches[seat] > 0
    delegations = position.delegations
    for borough in position.in_play:
        tiles = delegations[borough * SEATS + seat]
        if (len(tiles) < DELEGATION) if tiles else coach:
            options.append(PLACE[borough])
    own = position.ship[seat]
    if own:
        if len(position.ship_tiles[seat]) < DELEGATION:
            options.append(PLACE[FIRST_SHIP + own - 1])
    elif coach:
        taken = position.ship
        options += [PLACE[FIRST_SHIP + ship - 1] for ship in SHIPS if ship not in taken]
    if seat not in position.favor_asked:
        for tile in hand:
            if tile < FIRST_OBJECT:
                options.append(PLACE[FAVOR])
                break
    options.sort()
    return options


def place(position: Position, action: str, seat: int) -> None:
    """Pass, or ask which tile to place."""
    if action == PASS:
        put_away = position.hands[seat]
        position.passed += (seat,)
        position.actions_left = 0
        position.hands[seat] = ()
        position.alley_hidden[seat] += put_away
        position.tell(notes.passed, seat, len(put_away))
        begin_turn(position, (seat + 1) % position.parameters.seats)
        return
    position.placing = DESTINATION_OF[action]
    position.ask(seat, "tile", tile_options(position, seat), put_tile, seat)


def tile_options(position: Position, seat: int) -> list[str]:
    """Return the tiles that can go where the seat decided to place one [6.1]."""
    destination, hand = position.placing, position.hands[seat]
    if destination == FAVOR:
        row = SEND[FAVOR]
        return sorted([row[tile] for tile in hand if tile < FIRST_OBJECT])
    row = (REINFORCE if _delegation(position, seat, destination) else SEND)[destination]
    return sorted([row[tile] for tile in hand])


def _delegation(position: Position, seat: int, destination: int) -> tuple[int, ...]:
    """Return the tiles that a seat has at a borough or on its ship."""
    if destination < FIRST_SHIP:
        return position.delegations[destination * SEATS + seat]
    return position.ship_tiles[seat]


def put_tile(position: Position, action: str, seat: int) -> None:
    """Put a tile where the seat decided."""
    tile, destination = PLACED_TILE[action], position.placing
    position.hands[seat] = tuple([other for other in position.hands[seat] if other != tile])
    if destination == FAVOR:
        position.favor_asked += (seat,)
        position.alley_shown[seat] += (tile,)
        position.tell(notes.favor_asked, seat, tile)
    else:
        before = _delegation(position, seat, destination)
        if destination < FIRST_SHIP:
            position.delegations[destination * SEATS + seat] = (*before, tile)
        else:
            position.ship[seat] = destination - FIRST_SHIP + 1
            position.ship_tiles[seat] = (*before, tile)
        if before:
            position.tell(notes.reinforced, seat, destination, len(before) + 1, tile)
        else:
            position.coaches[seat] -= 1
            position.tell(notes.sent, seat, destination, 1, tile)
    position.actions_left -= 1
    if position.actions_left:
        act(position, seat)
    else:
        begin_turn(position, (seat + 1) % position.parameters.seats)


def _fix_favor_order(position: Position) -> None:
    """Move the seats that asked for favor to the front of the favor order [6.1]."""
    asked, order = position.favor_asked, position.favor_order
    if asked:
        position.favor_order = (*asked, *[seat for seat in order if seat not in asked])
    position.tell(notes.favor_fixed, position.favor_order)
