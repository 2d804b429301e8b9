"""Write the slices for the boroughs and for the game as a whole."""
# compiled: see setup.py

from array import array
from collections.abc import Sequence

from engine.brides_and_bribes.encoding.names import (
    COMMON_TILES,
    PHASE_NUMBER,
    WINDOW_NUMBER,
    At,
    mark,
)
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.tiles import (
    BRIDES,
    COLOURS,
    FIRST_COMMON,
    LORDS,
    NONE,
    SEATS,
    STACKS,
)


def write_game(
    vector: "array[int]", at: At, position: Position, seat: int, seat_from: Sequence[int]
) -> None:
    """Write what `seat` knows of the game apart from boroughs and seats."""
    vector[at["seat"] + seat] = 1
    vector[at["phase"] + PHASE_NUMBER[position.phase]] = 1
    vector[at["round"]] = position.round
    window = position.window
    if window is not None and seat == position.seat_to_act:
        vector[at["window"] + WINDOW_NUMBER[window]] = 1
        if position.phase == "placement":
            vector[at["round"] + 1] = position.actions_left
        if window == "tile":
            vector[at["placing"] + position.placing] = 1
    if window == "ship":
        _, (trading, ship, left) = position.stack[-1]
        vector[at["trade_seat"] + seat_from[trading]] = 1
        vector[at["trade"] + ship - 1] = left
    vector[at["first_seat"] + seat_from[position.first_seat]] = 1
    for column, order in enumerate((position.favor_order, position.favor_asked)):
        for place, other in enumerate(order, start=1):
            vector[at["favor"] + 2 * seat_from[other] + column] = place
    supply = (position.coin_pile, position.token_pile, *position.worker_pile)
    for place, number in enumerate(supply, start=at["supply"]):
        vector[place] = number
    for other, ship in enumerate(position.ship):
        if ship:
            vector[at["ships"] + len(seat_from) * (ship - 1) + seat_from[other]] = 1
            vector[at["ship_tiles"] + ship - 1] = len(position.ship_tiles[other])
    for box in position.boxes:
        mark(vector, at["box"], box)
    for shop, taken in enumerate(position.shops_taken):
        vector[at["workshops"] + shop] = len(STACKS[shop]) - taken


def write_boroughs(
    vector: "array[int]", at: At, position: Position, seat: int, seat_from: Sequence[int]
) -> None:
    seats = len(seat_from)
    for borough in position.in_play:
        deck = position.decks[borough]
        row = at["boroughs"] + (4 + len(COLOURS)) * borough
        vector[row] = 1
        if borough in position.resolved:
            vector[row + 1] = 1
        vector[row + 2] = position.tokens[borough]
        vector[row + 3] = len(deck)
        for place, number in enumerate(position.borough_workers[borough], start=row + 4):
            if number:
                vector[place] = number
        vector[at["lord"] + len(LORDS) * borough + position.lords[borough]] = 1
        commons, common = len(COMMON_TILES) * borough - FIRST_COMMON, position.commons[borough]
        if common != NONE:
            vector[at["common"] + commons + common] = 1
        if deck and seat in position.known_below[borough]:
            vector[at["below"] + commons + deck[0]] = 1
        sent, first = at["sent"] + seats * borough, borough * SEATS
        for other, distance in enumerate(seat_from):
            if tiles := position.delegations[first + other]:
                vector[sent + distance] = len(tiles)
    for spot, bride in enumerate(position.brides):
        if bride != NONE:
            vector[at["bride"] + len(BRIDES) * spot + bride] = 1
            if (spouse := position.spouse[spot]) != NONE:
                married = seat_from[position.spouse_seat[spot]]
                vector[at["spouse_seat"] + seats * spot + married] = 1
                vector[at["spouse"] + FIRST_COMMON * spot + spouse] = 1
