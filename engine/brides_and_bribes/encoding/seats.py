"""Slices of the seats: what all know of each, and where the viewer's own tiles are."""

from array import array
from collections.abc import Sequence

from engine.brides_and_bribes.actions import DESTINATIONS, FAVOR, FIRST_SHIP
from engine.brides_and_bribes.encoding.names import OBJECT_TILES, TILE_COUNT, mark
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.tiles import (
    CARDS,
    COLOURS,
    FAMILIES,
    FIRST_OBJECT,
    SEATS,
    TILES,
)
from engine.encoding import Layout

MAX_INFLUENCE = 63
"""A greater influence is written as this."""


class SeatSlices:
    """Slices of the seats."""

    def __init__(self, layout: Layout, seats: Sequence[str]) -> None:
        add, add_numbers = layout.add, layout.add_numbers
        self._family = add("family", "By seat: its family.", FAMILIES, seats)
        self._holds = add_numbers(
            "holds",
            "By seat: influence, coins, tiles in hand, coaches, unseen tiles in the alley, whether "
            "it has passed, workers by colour.",
            ("influence", "coins", "hand", "coaches", "hidden in alley", "passed", *COLOURS),
            (0, MAX_INFLUENCE),
            seats,
        )
        self._tiles = add("tiles", "By seat: the tiles that it owns.", TILES, seats)
        self._used = add("used", "By seat: its used objects.", OBJECT_TILES, seats)
        self._shown = add("shown", "By seat: the tiles seen in its alley.", TILES, seats)
        self._cards = add("cards", "By seat: its workshops.", CARDS, seats)
        self._hand = layout.add("hand", "Your hand.", TILES)
        self._alley = layout.add("alley", "Your alley.", TILES)
        self._own_sent = layout.add(
            "own_sent", "By place: the tiles of your delegation.", TILES, DESTINATIONS[:FAVOR]
        )

    def write(self, vector: "array[int]", position: Position, seat: int, distance: int) -> None:
        """Write what all know of a seat that is `distance` places clockwise from the viewer.

        Its hidden tiles are known as a set, but not where each is.
        """
        vector[self._family + len(FAMILIES) * distance + position.families[seat]] = 1
        at = self._holds + (6 + len(COLOURS)) * distance
        hand, shown, hidden = (
            position.hands[seat],
            position.alley_shown[seat],
            position.alley_hidden[seat],
        )
        influence = position.influence[seat]
        vector[at] = influence if influence < MAX_INFLUENCE else MAX_INFLUENCE
        vector[at + 1] = position.coins[seat]
        vector[at + 2] = len(hand)
        vector[at + 3] = position.coaches[seat]
        vector[at + 4] = len(hidden)
        vector[at + 5] = seat in position.passed
        for place, number in enumerate(position.workers[seat], start=at + 6):
            if number:
                vector[place] = number
        self._write_tiles(vector, position, seat, self._tiles + TILE_COUNT * distance)
        if shown:
            mark(vector, self._shown + TILE_COUNT * distance, shown)
        if used := position.used[seat]:
            mark(vector, self._used + len(OBJECT_TILES) * distance - FIRST_OBJECT, used)
        if shops := position.shops[seat]:
            mark(vector, self._cards + len(CARDS) * distance, shops)

    def _write_tiles(self, vector: "array[int]", position: Position, seat: int, start: int) -> None:
        """Write the tiles that a seat owns, in all places, but no married loyals [11]."""
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

    def write_own(self, vector: "array[int]", position: Position, seat: int) -> None:
        """Write where the viewer's own tiles are."""
        mark(vector, self._hand, position.hands[seat])
        mark(vector, self._alley, position.alley_shown[seat])
        mark(vector, self._alley, position.alley_hidden[seat])
        for borough in position.in_play:
            sent = position.delegations[borough * SEATS + seat]
            mark(vector, self._own_sent + TILE_COUNT * borough, sent)
        if ship := position.ship[seat]:
            place = FIRST_SHIP + ship - 1
            mark(vector, self._own_sent + TILE_COUNT * place, position.ship_tiles[seat])
