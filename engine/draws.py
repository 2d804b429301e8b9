"""Faster versions of `random.Random.shuffle` and `random.Random.sample` with the same results."""
# compiled: see setup.py

import random
from collections.abc import Sequence
from functools import cache
from typing import Final, TypeVar

_Item = TypeVar("_Item")

_SMALL_SAMPLE: Final = 5
_SMALL_POOL: Final = 21  # `random.sample` copies populations up to this size into a list


def shuffle(items: list[_Item], rng: random.Random) -> None:
    getrandbits = rng.getrandbits
    for last, bits in _steps(len(items)):
        place = getrandbits(bits)
        while place > last:
            place = getrandbits(bits)
        items[last], items[place] = items[place], items[last]


@cache
def _steps(size: int) -> list[tuple[int, int]]:
    return [(place, (place + 1).bit_length()) for place in range(size - 1, 0, -1)]


def sample(items: Sequence[_Item], count: int, rng: random.Random) -> list[_Item]:
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
