"""Compute scores by solving the equations in `docs/ratings.md`."""

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.complete_boards import BoardShares

Array = NDArray[np.float64]
MIN_EIGENVALUE = 1e-11
"""Eigenvalues below this fraction of the largest eigenvalue are treated as 0."""
MIN_DISTANCE = 1e-6
MIN_SQUARE = 1e-15
# Further digits depend on the processor.
DECIMALS, DECIMALS_OF_VARIANCES = 12, 15
"""Decimals of scores and of covariances."""


class BoardTable:
    """The results of several boards as arrays. All boards must have the same team sizes."""

    def __init__(self, boards: Sequence[BoardShares], numbers: Mapping[str, int]) -> None:
        # `numbers` maps bots to indices of the arrays.
        # Sums of floats must not depend on the order in which the boards were played.
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
        """z: share of games in which the first bot finished ahead of the second, by board and pair.
        """
        self.shares = shares.sum(axis=2)[:, side] / self.others
        """y: share of opponents beaten, by board and bot."""
        self.is_partner = side[:, None] == side
        self.factors = np.where(self.is_partner, 1.0, -1.0 / self.others)

    def sums(self, values: Array, size: int) -> Array:
        return np.bincount(self.entrants.ravel(), values.ravel(), size).astype(np.float64)

    def pair_sums(self, values: Array, size: int) -> Array:
        cells = self.entrants[:, :, None] * size + self.entrants[:, None, :]
        spread = np.broadcast_to(values, cells.shape)
        sums = np.bincount(cells.ravel(), spread.ravel(), size * size).astype(np.float64)
        return sums.reshape(size, size)


class Solution(NamedTuple):
    strengths: Array
    is_comparable: NDArray[np.bool_]
    freedom: float
    boards: Array  # number of boards on which two bots met; diagonal: all boards of a bot
    scores: Array
    covariance: Array


def solve(tables: Sequence[BoardTable], size: int) -> Solution:
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
    found: Array = np.divide(values, wholes, out=np.zeros_like(values), where=wholes > 0)
    return found


def interplay(tables: Sequence[BoardTable], strengths: Array) -> float:
    """Return the root-mean-square difference between actual and predicted head-to-head results,
    corrected for random variation.
    """
    size = len(strengths)
    boards, totals, squares = np.zeros((3, size, size))
    for table in tables:
        sides = strengths[table.entrants] @ table.is_partner
        is_met = ~table.is_partner
        apart = table.pairs - 0.5 - (sides[:, :, None] - sides[:, None, :])
        boards += table.pair_sums(is_met.astype(float), size)
        totals += table.pair_sums(is_met * apart, size)
        squares += table.pair_sums(is_met * apart**2, size)
    mean = _ratio(totals, boards)
    variance = np.maximum(0.0, _ratio(squares - totals * mean, boards - 1))
    found = (mean**2 - _ratio(variance, boards))[np.triu(boards) > 1].tolist()
    square = math.fsum(found) / max(1, len(found))
    return round(math.sqrt(square), DECIMALS) if square > MIN_SQUARE else 0.0
