"""Proofs: facts about hidden tiles that actions have proved to all seats [10].

A proof is a kind and the tiles that it is about. The tiles stand for their places: the other seats
know a fact about the tiles in these places, not which tiles they are. `hidden` keeps these facts
true when it redraws hidden tiles.
"""
# compiled: see setup.py

from collections.abc import Sequence
from typing import Final

from engine.brides_and_bribes.tiles import FIRST_OBJECT, KIND

Proof = tuple[str, tuple[int, ...]]
"""A kind of proof, and the tiles."""

OBJECTS: Final = "objects"
"""All are objects: they came on a ship and were not shown, or none of them could be a guide."""
CHARACTER: Final = "character"
"""At least one is a character: a rat was played, so a guide can be changed."""
KILLER: Final = "killer"
"""At least one is an assassin or poison: a marriage to a married bride was declared [R21]."""

KILLERS: Final = ("assassin", "poison")
IS_KILLER: Final = tuple([kind in KILLERS for kind in KIND])
"""By tile."""


def holds(what: str, tiles: Sequence[int]) -> bool:
    """Return whether a proof of the kind `what` is true of `tiles`."""
    if what == OBJECTS:
        return all(tile >= FIRST_OBJECT for tile in tiles)
    if what == CHARACTER:
        return any(tile < FIRST_OBJECT for tile in tiles)
    return any(IS_KILLER[tile] for tile in tiles)
