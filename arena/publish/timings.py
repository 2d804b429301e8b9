"""Times that bots take for their answers, and quantiles of counts."""

import math
from collections import Counter
from collections.abc import Mapping

from arena.record import Timing

BINS_PER_DECADE = 40
"""Logarithmic bins in which times are counted, each 6 % wide."""


class Timings:
    """The times of a bot's answers."""

    def __init__(self) -> None:
        self.answers = 0
        self.total_us = 0
        self.worst_us = 0
        self._games: Counter[int] = Counter()  # by the bin of their mean

    def add(self, timing: Timing) -> None:
        """Count the answers of a game."""
        if not timing.answers:
            return
        self.answers += timing.answers
        self.total_us += timing.total_us
        self.worst_us = max(self.worst_us, timing.worst_us)
        mean = max(1.0, timing.total_us / timing.answers)
        self._games[round(math.log10(mean) * BINS_PER_DECADE)] += 1

    @property
    def mean_ms(self) -> float:
        """The mean time of an answer, in ms."""
        return self.total_us / max(1, self.answers) / 1000

    @property
    def worst_ms(self) -> float:
        """The longest time of an answer, in ms."""
        return self.worst_us / 1000

    def quantile_ms(self, share: float) -> float:
        """Return the mean time of an answer that a `share` of the games does not exceed, in ms."""
        return 10 ** (quantile(self._games, share) / BINS_PER_DECADE) / 1000


def quantile(counts: Mapping[int, int], share: float) -> float:
    """Return the least value that at least a `share` of all counted values does not exceed.

    Args:
        counts: how often each value was counted.
        share: from 0 to 1.

    Raises:
        ValueError: nothing was counted.
    """
    wanted = share * sum(counts.values())
    seen = 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= wanted:
            return value
    raise ValueError("no counts")
