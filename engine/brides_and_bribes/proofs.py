"""What an action proved about tiles that lie hidden [10].

A proof is a kind and the tiles that it is about. The tiles stand for the places where they lie:
others know that something holds of what lies there, not what it is. `hidden` draws by it.
"""

from collections.abc import Sequence

from engine.brides_and_bribes.tiles import FIRST_OBJECT, KIND

Proof = tuple[str, tuple[int, ...]]

OBJECTS = "objects"
"""All are objects: they came on a ship and were not shown, or nobody of theirs could guide."""
CHARACTER = "character"
"""One of them at least is a character: a rat was played against a seat that could change."""
KILLER = "killer"
"""One of them at least is an assassin or poison: a wed bride was declared for [R21]."""

KILLERS = ("assassin", "poison")
IS_KILLER = tuple([kind in KILLERS for kind in KIND])
"""By tile."""


def holds(what: str, tiles: Sequence[int]) -> bool:
    """Return whether that is true of these tiles."""
    if what == OBJECTS:
        return all(tile >= FIRST_OBJECT for tile in tiles)
    if what == CHARACTER:
        return any(tile < FIRST_OBJECT for tile in tiles)
    return any(IS_KILLER[tile] for tile in tiles)
