"""Shuffling and sampling with the results of `random.Random`, in less time.

Most of the time of `determinize` and of a schedule passes in drawing. `random` calls a function for
each number; these functions ask for its bits directly. For the same generator they draw the same
numbers and return the same results as the methods of `random.Random`.
"""
# compiled: see setup.py

import random
from collections.abc import Sequence
from functools import cache
from typing import Final, TypeVar

_Item = TypeVar("_Item")

_SMALL_SAMPLE: Final = 5
_SMALL_POOL: Final = 21
"""`random.sample` draws from a list of the items if that is not much longer than the sample: in a
sample of up to 5 items, if there are at most 21, in a greater one of k items, at least 3 k more."""


def shuffle(items: list[_Item], rng: random.Random) -> None:
    """Shuffle `items` in place, as `rng.shuffle` does."""
    getrandbits = rng.getrandbits
    for last, bits in _steps(len(items)):
        place = getrandbits(bits)
        while place > last:
            place = getrandbits(bits)
        items[last], items[place] = items[place], items[last]


@cache
def _steps(size: int) -> list[tuple[int, int]]:
    """Return the places of `size` items from the last one on, with the bits of the next place."""
    return [(place, (place + 1).bit_length()) for place in range(size - 1, 0, -1)]


def sample(items: Sequence[_Item], count: int, rng: random.Random) -> list[_Item]:
    """Return `count` different ones of `items` in random order, as `rng.sample` does."""
    size = len(items)
    if size > _SMALL_POOL + (3 * count if count > _SMALL_SAMPLE else 0) or count > size:
        return rng.sample(items, count)
    getrandbits = rng.getrandbits
    pool, drawn = list(items), []
    bits = size.bit_length()
    for left in range(size, size - count, -1):
        if not left >> (bits - 1):
            bits -= 1
        place = getrandbits(bits)
        while place >= left:
            place = getrandbits(bits)
        drawn.append(pool[place])
        pool[place] = pool[left - 1]
    return drawn
