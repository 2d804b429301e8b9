"""Compute the score differences between all pairs of bots, as arrays."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from arena.rating.intervals import ALPHA, MIN_DEGREES, Estimate, quantile, upper_tail
from arena.rating.score_equations import Array, Solution

GRID = 64


@dataclass(frozen=True, eq=False)
class Gaps:
    """Matrix of the score differences between all pairs of bots. Each entry is the score of the
    row's bot minus the score of the column's bot.
    """

    names: Sequence[str]
    mean: Array
    error: Array
    degrees: Array
    is_comparable: NDArray[np.bool_]
    met: NDArray[np.bool_]

    @cached_property
    def is_known(self) -> NDArray[np.bool_]:
        """Whether the two bots of each pair have played enough boards for a statistical test."""
        return self.is_comparable & (self.degrees >= MIN_DEGREES)

    @cached_property
    def places(self) -> Mapping[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def get(self, bot: str, other: str) -> Estimate | None:
        cell = self.places[bot], self.places[other]
        if not self.is_comparable[cell]:
            return None
        return Estimate(float(self.mean[cell]), float(self.error[cell]), float(self.degrees[cell]))

    def certainty(self, bot: str, other: str) -> float | None:
        """Return the probability that the first bot is better than the second, without a correction
        for multiple comparisons.

        Return None if the bots can't be compared or have played too few boards.
        """
        gap = self.get(bot, other)
        return 1 - gap.doubt if gap and gap.is_known else None

    def opponents(self, bot: str) -> list[str]:
        row = self.met[self.places[bot]]
        return sorted([self.names[place] for place in np.flatnonzero(row).tolist()])

    @cached_property
    def is_sure(self) -> NDArray[np.bool_]:
        """Whether the first bot of each pair has a significantly higher score than the second.

        The probability of one or more false positives among all pairs is below 5%.
        """
        size = len(self.names)
        sure = np.zeros((size, size), dtype=bool)
        positive = np.argwhere(self.is_known & (self.mean > 0))
        if not len(positive):
            return sure
        doubt = ALPHA / (size * (size - 1))
        rows, columns = positive.T
        t, degrees = (self.mean / self.error)[rows, columns], self.degrees[rows, columns]
        grid = np.unique(np.quantile(degrees, np.linspace(0, 1, GRID), method="nearest"))
        thresholds = np.array([quantile(1 - doubt, value) for value in grid.tolist()])
        above = thresholds[np.searchsorted(grid, degrees, side="right") - 1]
        below = thresholds[np.searchsorted(grid, degrees)]
        is_sure = t > above
        for place in np.flatnonzero((t > below) & ~is_sure).tolist():
            is_sure[place] = upper_tail(float(t[place]), float(degrees[place])) < doubt
        sure[rows[is_sure], columns[is_sure]] = True
        return sure

    def among(self, names: Sequence[str]) -> "Gaps":
        places = [self.places[name] for name in names]
        cell = np.ix_(places, places)
        return Gaps(
            names,
            self.mean[cell],
            self.error[cell],
            self.degrees[cell],
            self.is_comparable[cell],
            self.met[cell],
        )

    def sure_in(self, order: Sequence[str]) -> NDArray[np.bool_]:
        places = [self.places[name] for name in order]
        return self.is_sure[np.ix_(places, places)]


def no_gaps(names: Sequence[str]) -> Gaps:
    zeros, never = np.zeros((len(names),) * 2), np.zeros((len(names),) * 2, dtype=bool)
    return Gaps(names, zeros, zeros, zeros, never, never)


def gaps_of(names: Sequence[str], solution: Solution) -> Gaps:
    own = solution.boards.diagonal()
    variances = solution.covariance.diagonal()
    variance = variances[:, None] + variances - 2 * solution.covariance
    seated = own > 0
    counts, kinds = np.unique(np.where(seated, own, 1), return_inverse=True)
    # `math.hypot` rounds identically on all processors.
    least = np.array([[math.hypot(1 / m, 1 / n) for n in counts] for m in counts])
    error = np.maximum(np.sqrt(np.maximum(0.0, variance)), least[np.ix_(kinds, kinds)])
    both = own[:, None] + own - solution.boards
    met = solution.boards > 0
    np.fill_diagonal(met, val=False)
    return Gaps(
        names,
        mean=solution.scores[:, None] - solution.scores,
        error=error,
        degrees=both * solution.freedom - 1,
        is_comparable=solution.is_comparable & seated[:, None] & seated,
        met=met,
    )


def mean_gaps(parts: Sequence[Gaps], names: Sequence[str]) -> Gaps:
    """Average the score differences over several games. All given bots must play all games."""
    own = [part.among(names) for part in parts]
    is_known = np.logical_and.reduce([part.is_known for part in own])
    # The degrees of freedom follow from the Welch-Satterthwaite equation.
    share = 1 / len(parts)
    squares = [np.where(is_known, share * part.error, 1.0) ** 2 for part in own]
    variance = _sum(squares)
    lost = _sum(
        [
            square * square / np.where(is_known, part.degrees, 1.0)
            for square, part in zip(squares, own, strict=True)
        ]
    )
    return Gaps(
        names,
        mean=_sum([share * part.mean for part in own]),
        error=np.where(is_known, np.sqrt(variance), math.inf),
        degrees=np.where(is_known, variance * variance / lost, 0.0),
        is_comparable=np.logical_and.reduce([part.is_comparable for part in own]),
        met=np.logical_or.reduce([part.met for part in own]),
    )


def _sum(parts: Sequence[Array]) -> Array:
    total, lost = parts[0], np.zeros_like(parts[0])
    for part in parts[1:]:
        grown = total + part
        lost = lost + np.where(
            abs(total) >= abs(part), (total - grown) + part, (part - grown) + total
        )
        total = grown
    return total + lost
