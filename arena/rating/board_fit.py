"""The strengths that fit all boards best, and what counts for each score.

`docs/scores.md` has the formulas: sections 3 and 6.
"""

from collections.abc import Sequence
from typing import NamedTuple

from arena.rating.board_sums import BoardSums, Lineup, Side
from arena.rating.least_squares import LeastSquares
from arena.rating.linear_system import Matrix


class Strengths(NamedTuple):
    """The strengths that fit the boards best."""

    inverse: Matrix
    """Turns the right-hand side of the normal equations into strengths."""
    values: list[float]
    """By entrant. Only differences between comparable entrants have a meaning."""
    alike: list[list[int]]
    """By entrant, the others with which it is comparable."""
    freedom: float
    """The share of the degrees of freedom that is left to the residuals: 1 - h."""
    boards: list[int]
    mean_shares: list[float]
    """By entrant, over all its boards."""


def fit_strengths(sums: BoardSums) -> Strengths:
    """Return the strengths that fit the boards best. There is at least one board."""
    matrix, scale = sums.matrix()
    right = sums.right_side()
    equations = LeastSquares(matrix, scale)
    free = sum([lineup.boards * lineup.others for lineup in sums.lineups()])
    boards = [matrix[index][index] // scale for index in range(len(matrix))]
    shares = [0.5 + ratio(above, number) for above, number in zip(right, boards, strict=True)]
    return Strengths(
        equations.inverse,
        equations.solve(right),
        equations.alike(),
        1 - equations.rank / free,
        boards,
        shares,
    )


class SideStrengths(dict[Side, float]):
    """The strength of each side, which is the sum of those of its members."""

    def __init__(self, strengths: Sequence[float]) -> None:
        """Take the strength of each entrant."""
        self._strengths = strengths

    def __missing__(self, side: Side) -> float:
        found = self[side] = sum([self._strengths[one] for one in side])
        return found


def mean_residuals(lineup: Lineup, strengths: SideStrengths) -> list[float]:
    """Return by side the mean of its shares less the fitted share."""
    others, whole = lineup.others, lineup.boards * lineup.denominator
    own = [strengths[side] for side in lineup.sides]
    fitted = 0.5 - sum(own) / others
    factor = 1 + 1 / others
    return [
        share / whole - fitted - factor * one for share, one in zip(lineup.shares, own, strict=True)
    ]


class Counted(NamedTuple):
    """What counts for the score of each entrant."""

    boards: list[int]
    weights: list[float]
    """The sums of the weights of its boards."""
    numbers: list[float]
    """The numbers of boards of equal weight that tell as much."""
    mean_shares: list[float]
    mean_residuals: list[float]
    """They are 0 unless there are extra boards."""


def count(sums: BoardSums, strengths: Strengths) -> Counted:
    """Return what counts for the scores."""
    lineups = sums.lineups()
    if not any(lineup.challengers for lineup in lineups):
        boards = strengths.boards
        weights = [float(number) for number in boards]
        return Counted(boards, weights, weights, strengths.mean_shares, [0.0] * len(boards))
    weights, squares, shares, residuals = [[0.0] * len(sums.names) for _ in range(4)]
    by_side = SideStrengths(strengths.values)
    for lineup in lineups:
        weight = lineup.boards / lineup.parts
        means = mean_residuals(lineup, by_side)
        whole = lineup.parts * lineup.denominator
        for one, side in lineup.members():
            if lineup.counts_for(one):
                weights[one] += weight
                squares[one] += weight / lineup.parts
                shares[one] += lineup.shares[side] / whole
                residuals[one] += weight * means[side]
    return Counted(
        strengths.boards,
        weights,
        [ratio(weight * weight, square) for weight, square in zip(weights, squares, strict=True)],
        list(map(ratio, shares, weights)),
        list(map(ratio, residuals, weights)),
    )


def ratio(value: float, whole: float) -> float:
    """Return `value / whole`, or 0 where nothing counts."""
    return value / whole if whole else 0.0
