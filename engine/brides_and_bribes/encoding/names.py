"""Names of Brides & Bribes and their numbers, as the slices of a vector use them."""

from array import array
from collections.abc import Iterable, Sequence
from typing import Final

from engine.brides_and_bribes.actions import DESTINATIONS
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    BRIDES,
    CARDS,
    COLOURS,
    FIRST_COMMON,
    FIRST_OBJECT,
    PLACES,
    STACKS,
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
WORDS = (
    *TILES,
    *BRIDES,
    *DESTINATIONS,
    *COLOURS,
    *CARDS,
    *("marry", "first", "second", "employ", "hire", "influence", "ducato"),
    *("stop", "guard", "save", "coins"),
)
CHARACTERS = TILES[:FIRST_OBJECT]
LOYAL_TILES = TILES[:FIRST_COMMON]
COMMON_TILES = TILES[FIRST_COMMON:FIRST_OBJECT]
OBJECT_TILES = TILES[FIRST_OBJECT:]
SPOT_NAMES = tuple([f"{borough} {place}" for borough in BOROUGHS for place in PLACES])
TILE_COUNT: Final = len(TILES)


def _number(names: Sequence[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


PHASE_NUMBER = _number(PHASES)
WINDOW_NUMBER = _number(WINDOWS)
STACK_SIZES = tuple(map(len, STACKS))
"""By shop."""


def mark(vector: "array[int]", start: int, numbers: Iterable[int]) -> None:
    """Write 1 at each of `numbers`, counted from `start`."""
    for number in numbers:
        vector[start + number] = 1
