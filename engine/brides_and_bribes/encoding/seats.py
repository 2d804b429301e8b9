"""Write the slices for the seats: what is public about each, and the viewer's own tiles."""
# compiled: see setup.py

from array import array

from engine.brides_and_bribes.actions import FIRST_SHIP
from engine.brides_and_bribes.encoding.names import (
    OBJECT_TILES,
    TILE_COUNT,
    At,
    mark,
)
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.tiles import CARDS, COLOURS, FAMILIES, FIRST_OBJECT, SEATS

MAX_INFLUENCE = 63
"""Larger influence is capped at this."""


def write_seat(vector: "array[int]", at: At, position: Position, seat: int, distance: int) -> None:
    """Write what is public about the seat `distance` places clockwise from the viewer.

    Which tiles a seat hides is public; where each of them lies is not.
    """
    vector[at["family"] + len(FAMILIES) * distance + position.families[seat]] = 1
    row = at["holds"] + (6 + len(COLOURS)) * distance
    shown, influence = position.alley_shown[seat], position.influence[seat]
    vector[row] = influence if influence < MAX_INFLUENCE else MAX_INFLUENCE
    vector[row + 1] = position.coins[seat]
    vector[row + 2] = len(position.hands[seat])
    vector[row + 3] = position.coaches[seat]
    vector[row + 4] = len(position.alley_hidden[seat])
    vector[row + 5] = seat in position.passed
    for place, number in enumerate(position.workers[seat], start=row + 6):
        if number:
            vector[place] = number
    _write_tiles(vector, position, seat, at["tiles"] + TILE_COUNT * distance)
    if shown:
        mark(vector, at["shown"] + TILE_COUNT * distance, shown)
    if used := position.used[seat]:
        mark(vector, at["used"] + len(OBJECT_TILES) * distance - FIRST_OBJECT, used)
    if shops := position.shops[seat]:
        mark(vector, at["cards"] + len(CARDS) * distance, shops)


def _write_tiles(vector: "array[int]", position: Position, seat: int, start: int) -> None:
    """Write the tiles a seat owns, wherever they are, except married loyals [11]."""
    mark(vector, start, position.hands[seat])
    mark(vector, start, position.alley_shown[seat])
    mark(vector, start, position.alley_hidden[seat])
    mark(vector, start, position.ship_tiles[seat])
    for sent in position.delegations[seat::SEATS]:
        if sent:
            mark(vector, start, sent)
    resolution = position.resolution
    mark(vector, start, resolution.hand[seat])
    guide = resolution.guide[seat]
    if guide >= 0 and not resolution.guide_married[seat]:
        vector[start + guide] = 1


def write_own(vector: "array[int]", at: At, position: Position, seat: int) -> None:
    """Write where the viewer's tiles are."""
    mark(vector, at["hand"], position.hands[seat])
    mark(vector, at["alley"], position.alley_shown[seat])
    mark(vector, at["alley"], position.alley_hidden[seat])
    for borough in position.in_play:
        sent = position.delegations[borough * SEATS + seat]
        mark(vector, at["own_sent"] + TILE_COUNT * borough, sent)
    if ship := position.ship[seat]:
        place = FIRST_SHIP + ship - 1
        mark(vector, at["own_sent"] + TILE_COUNT * place, position.ship_tiles[seat])
