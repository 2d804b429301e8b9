"""The equations of a score, with numpy: strengths, their errors, and what departs from them.

`docs/ratings.md` has the formulas. Importing numpy takes a tenth of a second,
so this module is imported when a table is made.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.complete_boards import BoardShares

Array = NDArray[np.float64]
MIN_EIGENVALUE = 1e-11
"""Parts of the largest eigenvalue of the normal equations: what is smaller is 0 but for rounding. A
single board that joins two groups of 100,000 boards gives more."""
MIN_DISTANCE = 1e-6
"""Below this, two columns of the projection on the null space are equal but for rounding."""
MIN_SQUARE = 1e-15
"""Below this, the square of interplay is what rounding leaves of 0."""
DECIMALS, DECIMALS_OF_VARIANCES = 12, 15
"""What follows depends on the processor, for which numpy picks its kernels."""


class BoardTable:
    """Boards whose sides have the same sizes: a row for each, a column for each of its entrants."""

    def __init__(self, boards: Sequence[BoardShares], numbers: Mapping[str, int]) -> None:
        """Take at least one board, and the number of each entrant.

        Boards are sorted, so that sums do not depend on the order in which they were played.
        """
        boards = sorted(boards, key=attrgetter("variant", "number"))
        sizes = list(map(len, boards[0].sides))
        side = np.repeat(np.arange(len(sizes)), sizes)
        self.others = len(sizes) - 1
        rows = [[numbers[name] for side in board.sides for name in side] for board in boards]
        self.entrants = np.array(rows, dtype=np.intp)
        before = chain.from_iterable([chain.from_iterable(board.before) for board in boards])
        wholes = np.array([board.whole for board in boards])
        shares = np.fromiter(before, np.float64).reshape(-1, len(sizes), len(sizes))
        shares /= wholes[:, None, None]
        self.pairs = shares[:, side][:, :, side]
        """By board and two entrants: z, the share of games in which the first was before."""
        self.shares = shares.sum(axis=2)[:, side] / self.others
        """By board and entrant: y."""
        self.is_partner = side[:, None] == side
        self.factors = np.where(self.is_partner, 1.0, -1.0 / self.others)
        """By two entrants, the factor of the strength of the second in the share of the first."""

    def sums(self, values: Array, size: int) -> Array:
        """Return by entrant the sum of values by board and entrant."""
        return np.bincount(self.entrants.ravel(), values.ravel(), size).astype(np.float64)

    def pair_sums(self, values: Array, size: int) -> Array:
        """Return by two entrants the sum of values by board and two entrants."""
        cells = self.entrants[:, :, None] * size + self.entrants[:, None, :]
        spread = np.broadcast_to(values, cells.shape)
        found = np.bincount(cells.ravel(), spread.ravel(), size * size).astype(np.float64)
        return found.reshape(size, size)


class Solution(NamedTuple):
    """What boards say of `size` entrants, by entrant or by two entrants."""

    strengths: Array
    """Only differences between comparable entrants have a meaning."""
    is_comparable: NDArray[np.bool_]
    freedom: float
    """The share of the degrees of freedom that is left to the residuals: 1 - h."""
    boards: Array
    """By two entrants, the number of boards of both; on the diagonal, of one."""
    scores: Array
    covariance: Array
    """Of the errors of the scores."""


def solve(tables: Sequence[BoardTable], size: int) -> Solution:
    """Return what at least one board says of entrants with the numbers below `size`."""
    normal = _total([table.pair_sums(table.factors, size) for table in tables])
    right = _total([table.sums(table.shares - 0.5, size) for table in tables])
    boards = _total([table.pair_sums(np.ones(1), size) for table in tables])
    values, vectors = np.linalg.eigh(normal)
    is_free = values < MIN_EIGENVALUE * values[-1]
    inverse = (vectors[:, ~is_free] / values[~is_free]) @ vectors[:, ~is_free].T
    null = vectors[:, is_free] @ vectors[:, is_free].T
    distances = np.diag(null)[:, None] + np.diag(null) - 2 * null
    is_comparable = (distances < MIN_DISTANCE) & ~np.eye(size, dtype=bool)
    others = is_comparable.sum(axis=1)
    strengths = inverse @ right
    moved = inverse - _ratio(is_comparable @ inverse, others[:, None])
    """What the right side adds to the scores."""
    products = np.zeros((size, size))
    for table in tables:
        residuals = table.shares - 0.5 - strengths[table.entrants] @ table.factors
        products += table.pair_sums(residuals[:, :, None] * residuals[:, None, :], size)
    degrees = sum([len(table.entrants) * table.others for table in tables])
    freedom = 1 - float(np.count_nonzero(~is_free)) / degrees
    scores = 0.5 + np.where(others > 0, moved @ right, _ratio(right, np.diag(boards)))
    covariance = _ratio(moved @ products @ moved.T, np.full((size, size), freedom))
    return Solution(
        strengths.round(DECIMALS),
        is_comparable,
        freedom,
        boards,
        scores.round(DECIMALS),
        covariance.round(DECIMALS_OF_VARIANCES),
    )


def _total(parts: Sequence[Array]) -> Array:
    total: Array = np.sum(np.array(parts), axis=0)
    return total


def _ratio(values: Array, wholes: Array) -> Array:
    """Return `values / wholes`, or 0 where nothing counts."""
    found: Array = np.divide(values, wholes, out=np.zeros_like(values), where=wholes > 0)
    return found


# -- how far meetings depart from the strengths ----------------------------------------------------


class Departures(NamedTuple):
    """What boards on which two entrants met depart from their strengths."""

    pair: tuple[int, int]
    boards: int
    share: float
    """The mean of z."""
    mean: float
    """The mean of z - 1/2 - the gap of their sides."""
    variance: float
    """Of a board; 0 after one board."""


def departures(tables: Sequence[BoardTable], strengths: Array) -> Iterator[Departures]:
    """Yield the departures of each two entrants that met, the one with the smaller number first."""
    size = len(strengths)
    boards, shares, totals, squares = np.zeros((4, size, size))
    for table in tables:
        sides = strengths[table.entrants] @ table.is_partner
        is_met = ~table.is_partner
        apart = table.pairs - 0.5 - (sides[:, :, None] - sides[:, None, :])
        boards += table.pair_sums(is_met.astype(float), size)
        shares += table.pair_sums(is_met * table.pairs, size)
        totals += table.pair_sums(is_met * apart, size)
        squares += table.pair_sums(is_met * apart**2, size)
    mean = _ratio(totals, boards)
    variance = np.maximum(0.0, _ratio(squares - totals * mean, boards - 1))
    for first, second in np.argwhere(np.triu(boards)).tolist():
        cell = first, second
        number = int(boards[cell])
        share = float(shares[cell]) / number
        yield Departures(cell, number, share, float(mean[cell]), float(variance[cell]))


def interplay(tables: Sequence[BoardTable], strengths: Array) -> float:
    """Return how far meetings of two are, typically, from the fit, without their chance part."""
    squares = [
        met.mean**2 - met.variance / met.boards
        for met in departures(tables, strengths)
        if met.boards > 1
    ]
    square = sum(squares) / max(1, len(squares))
    return round(math.sqrt(square), DECIMALS) if square > MIN_SQUARE else 0.0
