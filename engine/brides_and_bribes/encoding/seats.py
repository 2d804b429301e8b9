"""Slices of the seats: what all know of each, and where the viewer's own tiles are."""

from array import array
from collections.abc import Sequence

from engine.brides_and_bribes.actions import DESTINATIONS, FAVOR
from engine.brides_and_bribes.encoding.names import (
    CARD_NUMBER,
    DESTINATION_NUMBER,
    FAMILY_NUMBER,
    OBJECT_TILES,
    TILE_COUNT,
    mark,
)
from engine.brides_and_bribes.tiles import CARDS, COLOURS, FAMILIES, FIRST_OBJECT, NUMBER, TILES
from engine.brides_and_bribes.view import OwnView, PlayerView
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

    def write(self, vector: "array[int]", view: PlayerView, seat: int) -> None:
        """Write what all know of a seat that is `seat` places clockwise from the viewer."""
        vector[self._family + len(FAMILIES) * seat + FAMILY_NUMBER[view.family]] = 1
        holds = (
            min(view.influence, MAX_INFLUENCE),
            view.coins,
            view.hand,
            view.coaches_left,
            view.alley_hidden,
            view.passed,
            *view.workers.values(),
        )
        for place, number in enumerate(holds, start=self._holds + (6 + len(COLOURS)) * seat):
            vector[place] = number
        mark(vector, self._tiles + TILE_COUNT * seat, NUMBER, view.tiles)
        mark(vector, self._shown + TILE_COUNT * seat, NUMBER, view.alley_shown)
        used = self._used + len(OBJECT_TILES) * seat - FIRST_OBJECT
        mark(vector, used, NUMBER, view.used_objects)
        mark(vector, self._cards + len(CARDS) * seat, CARD_NUMBER, view.workshops)

    def write_own(self, vector: "array[int]", own: OwnView) -> None:
        """Write where the viewer's own tiles are."""
        mark(vector, self._hand, NUMBER, own.hand)
        mark(vector, self._alley, NUMBER, own.alley)
        for place, tiles in own.delegations.items():
            mark(vector, self._own_sent + TILE_COUNT * DESTINATION_NUMBER[place], NUMBER, tiles)
