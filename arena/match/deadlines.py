"""Deadlines of pending requests."""

import heapq
from collections.abc import Hashable, Iterator
from itertools import count
from typing import Generic, TypeVar

Who = TypeVar("Who", bound=Hashable)


class Clocks(Generic[Who]):
    """For each who is waited for the time at which to look next, in seconds of any clock.

    Setting a time is cheap where one is set that is not later: it stands. So who is looked at
    may find that it is too early, and sets the time anew.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Who]] = []
        self._times: dict[Who, float] = {}
        self._order = count()

    def set(self, who: Who, time: float) -> None:
        """Have somebody looked at when it is `time`, unless an earlier look is due anyway."""
        set_before = self._times.get(who)
        if set_before is None or time < set_before:
            self._times[who] = time
            heapq.heappush(self._heap, (time, next(self._order), who))

    def next(self, otherwise: float) -> float:
        """Return the time of the next look, or what it is otherwise, when none is due."""
        return self._heap[0][0] if self._heap else otherwise

    def due(self, now: float) -> Iterator[Who]:
        """Yield, and forget, whoever has to be looked at now."""
        while self._heap and self._heap[0][0] <= now:
            time, _, who = heapq.heappop(self._heap)
            if self._times.get(who) == time:  # else it was looked at earlier
                del self._times[who]
                yield who
