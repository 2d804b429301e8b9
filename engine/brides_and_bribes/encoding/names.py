"""Names in Brides & Bribes and their numbers in the slices of a vector."""
# compiled: see setup.py

from array import array
from collections.abc import Iterable, Mapping
from typing import Final

from engine.brides_and_bribes.actions import (
    ARGUMENTS,
    DECLARE,
    DESTINATIONS,
    FAVOR,
    PLACE_ARGUMENT,
)
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    BRIDES,
    CARDS,
    COLOURS,
    FAMILIES,
    FIRST_COMMON,
    FIRST_OBJECT,
    LORDS,
    PLACES,
    SHIPS,
    SHOPS,
    TILES,
)

PHASES = ("opening", "placement", "colonies", "resolution", "end", "over")
WINDOWS = (
    *("opening", "place", "tile", "ship", "activate", "guide", "replace", "order", "react"),
    *("before", "wedding", "after", "declare", "counter", "save", "peek", "upkeep"),
    *("buy-back", "build"),
)
EVENTS = (
    *("start", "opening", "round", "sent", "reinforced", "favor", "passed", "favor_order"),
    *("ship", "traded", "activated", "guides", "order", "declared", "failed", "charmed"),
    *("lost_action", "done", "played", "countered", "no_effect", "effect", "peeked", "switched"),
    *("opened", "guide_lost", "guide_new", "married", "dowry", "murdered", "moved_up", "bride"),
    *("borough_end", "income", "upkeep", "dismissed", "bought_back", "built", "over"),
)
EVENT_WORDS = (
    *TILES,
    *BRIDES,
    *DESTINATIONS,
    *COLOURS,
    *CARDS,
    *("marry", "first", "second", "employ", "hire", "influence", "ducato"),
    *("stop", "guard", "save", "coins"),
)
COMMON_TILES = TILES[FIRST_COMMON:FIRST_OBJECT]
OBJECT_TILES = TILES[FIRST_OBJECT:]
TILE_COUNT: Final = len(TILES)
WORDS = {
    "phases": PHASES,
    "windows": WINDOWS,
    "colours": COLOURS,
    "boroughs": BOROUGHS,
    "lords": LORDS,
    "brides": BRIDES,
    "spots": [f"{borough} {place}" for borough in BOROUGHS for place in PLACES],
    "ships": [f"ship-{ship}" for ship in SHIPS],
    "workshops": SHOPS,
    "cards": CARDS,
    "families": FAMILIES,
    "tiles": TILES,
    "characters": TILES[:FIRST_OBJECT],
    "loyals": TILES[:FIRST_COMMON],
    "commons": COMMON_TILES,
    "objects": OBJECT_TILES,
    "places": DESTINATIONS[:FAVOR],
    "destinations": DESTINATIONS,
    "declarations": DECLARE,
    "targets": ARGUMENTS[PLACE_ARGUMENT:],
}
"""Word lists in `slices.toml` that are the same in all variants."""
At = Mapping[str, int]
"""Where each slice starts, by name."""


PHASE_NUMBER = {phase: number for number, phase in enumerate(PHASES)}
WINDOW_NUMBER = {window: number for number, window in enumerate(WINDOWS)}


def mark(vector: "array[int]", start: int, numbers: Iterable[int]) -> None:
    """Write a 1 at each of `numbers`, counted from `start`."""
    for number in numbers:
        vector[start + number] = 1
