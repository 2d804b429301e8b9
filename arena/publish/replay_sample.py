"""A sample of a run's games for its site."""

import heapq
from collections import defaultdict


class ReplaySample:
    """The games of each variant with the smallest keys.

    Keys are digests, so this is as good as a random sample. Most of it stays when a run grows.
    """

    def __init__(self, size: int) -> None:
        """Take the `size` of the sample, over all variants."""
        self._size = size
        self._keys: dict[str, list[str]] = defaultdict(list)

    def add(self, variant: str, key: str) -> None:
        """Consider a game."""
        keys = self._keys[variant]
        keys.append(key)
        if len(keys) > 2 * self._size + 100:
            keys[:] = heapq.nsmallest(self._size, keys)

    def chosen(self) -> list[str]:
        """Return the keys of the sample, with equally many games of each variant if it has them."""
        smallest = [heapq.nsmallest(self._size, keys) for keys in self._keys.values()]
        in_turn = [own[turn] for turn in range(self._size) for own in smallest if turn < len(own)]
        return in_turn[: self._size]
