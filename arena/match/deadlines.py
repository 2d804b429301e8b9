"""Deadlines of pending requests: a heap of times."""
# compiled: see setup.py

import heapq
import math
from collections.abc import Hashable, Iterator
from itertools import count
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)


class Deadlines(Generic[KeyT]):
    """The time at which to look at each key next, in seconds of any clock.

    Setting a time is cheap where an earlier one is set: the earlier one stays. So a key can be due
    too early, and its time is set again then.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, KeyT]] = []
        self._times: dict[KeyT, float] = {}
        self._order = count()
        self.earliest = math.inf
        """The earliest time that is set, or a time before; infinite without one."""

    def set(self, key: KeyT, time: float) -> None:
        """Have `key` due at `time`, unless it is due earlier anyway."""
        set_before = self._times.get(key)
        if set_before is None or time < set_before:
            self._times[key] = time
            heapq.heappush(self._heap, (time, next(self._order), key))
            self.earliest = self._heap[0][0]

    def due(self, now: float) -> Iterator[KeyT]:
        """Yield and forget every key whose time has come."""
        while self._heap and self._heap[0][0] <= now:
            time, _, key = heapq.heappop(self._heap)
            if self._times.get(key) == time:  # else an earlier time of this key was due before
                del self._times[key]
                yield key
        self.earliest = self._heap[0][0] if self._heap else math.inf
