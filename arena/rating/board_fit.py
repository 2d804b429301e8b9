"""The strengths that fit all boards best, and how far they are uncertain.

`docs/scores.md` has the formulas: sections 3, 4 and 6.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from arena.rating.board_sums import BoardSums, Table
from arena.rating.least_squares import LeastSquares
from arena.rating.linear_system import Matrix, product, transposed


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


def fit_strengths(sums: BoardSums) -> Strengths:
    """Return the strengths that fit the boards best. There is at least one board."""
    equations = LeastSquares(*sums.matrix())
    values = equations.solve(sums.right_side())
    free = sum([len(table.sides) - 1 for table in sums.tables()])
    return Strengths(equations.inverse, values, equations.alike(), 1 - equations.rank / free)


def residuals(tables: Sequence[Table], strengths: Sequence[float]) -> list[list[float]]:
    """Return by board and side its share less the fitted one."""
    found = []
    for table in tables:
        others = len(table.sides) - 1
        own = [sum([strengths[one] for one in side]) for side in table.sides]
        fitted = 0.5 - sum(own) / others
        factor = 1 + 1 / others
        found.append(
            [share - fitted - factor * one for share, one in zip(table.shares, own, strict=True)]
        )
    return found


class Counted(NamedTuple):
    """What counts for the score of each entrant."""

    boards: list[int]
    weights: list[float]
    """The sums of the weights of its boards."""
    numbers: list[float]
    """The numbers of boards of equal weight that tell as much."""
    mean_shares: list[float]
    mean_residuals: list[float]


def count(tables: Sequence[Table], by_board: Sequence[Sequence[float]], size: int) -> Counted:
    """Return what counts for the scores, from the residuals by board and side."""
    boards = [0] * size
    weights, squares, shares, residual_sums = [[0.0] * size for _ in range(4)]
    for table, own in zip(tables, by_board, strict=True):
        challengers = table.challengers
        weight = 1 / len(challengers) if challengers else 1.0
        for side, share, residual in zip(table.sides, table.shares, own, strict=True):
            for one in side:
                boards[one] += 1
                if not challengers or one in challengers:
                    weights[one] += weight
                    squares[one] += weight * weight
                    shares[one] += weight * share
                    residual_sums[one] += weight * residual
    return Counted(
        boards,
        weights,
        [ratio(weight * weight, square) for weight, square in zip(weights, squares, strict=True)],
        list(map(ratio, shares, weights)),
        list(map(ratio, residual_sums, weights)),
    )


def ratio(value: float, whole: float) -> float:
    """Return `value / whole`, or 0 where nothing counts."""
    return value / whole if whole else 0.0


class Errors(NamedTuple):
    """How the errors of the scores vary together."""

    covariance: Matrix
    common: Matrix
    """By two entrants: the number of boards of equal weight that count for both."""


def errors(
    tables: Sequence[Table],
    strengths: Strengths,
    by_board: Sequence[Sequence[float]],
    counted: Counted,
) -> Errors:
    """Return the covariances: the sums of products of what each board adds to two scores.

    It adds `v + m u`. There `u` are the residuals of its entrants, `v` what they add to the mean
    residuals, and `m u` is what they add by way of the strengths of those who were met unevenly.
    """
    size = len(counted.boards)
    uu, common = _sum_products(tables, by_board, size)
    weights = counted.weights
    if not any(table.challengers for table in tables):
        vu = [
            [ratio(value, weight) for value in row] for row, weight in zip(uu, weights, strict=True)
        ]
        vv = [
            [ratio(value, weight) for value, weight in zip(row, weights, strict=True)] for row in vu
        ]
    else:
        vu, vv, common = _weighted_products(tables, by_board, counted)
    m = product(_unevenness(tables, strengths, weights), strengths.inverse)
    m_turned = transposed(m)
    fitted = product(product(m, uu), m_turned)
    mixed = product(vu, m_turned)
    free = strengths.freedom
    covariance = [
        [
            ratio(vv[i][j] + mixed[i][j] + mixed[j][i] + fitted[i][j], max(0.0, free))
            for j in range(size)
        ]
        for i in range(size)
    ]
    return Errors(covariance, common)


def _zeros(size: int) -> Matrix:
    return [[0.0] * size for _ in range(size)]


def _sum_products(
    tables: Sequence[Table], by_board: Sequence[Sequence[float]], size: int
) -> tuple[Matrix, Matrix]:
    """Return the sums of products of residuals, and the number of common boards."""
    uu, common = _zeros(size), _zeros(size)
    for table, own in zip(tables, by_board, strict=True):
        u = [(one, value) for side, value in zip(table.sides, own, strict=True) for one in side]
        for one, value in u:
            row, met = uu[one], common[one]
            for other, other_value in u:
                row[other] += value * other_value
                met[other] += 1.0
    return uu, common


def _weighted_products(
    tables: Sequence[Table], by_board: Sequence[Sequence[float]], counted: Counted
) -> tuple[Matrix, Matrix, Matrix]:
    """Return the sums of products where boards count for some of their entrants only."""
    size = len(counted.boards)
    vu, vv, weights, squares = [_zeros(size) for _ in range(4)]
    for table, own in zip(tables, by_board, strict=True):
        weight = 1 / table.parts
        u = [(one, value) for side, value in zip(table.sides, own, strict=True) for one in side]
        v = [
            (one, weight * (value - counted.mean_residuals[one]) / counted.weights[one])
            for one, value in u
            if table.counts_for(one)
        ]
        for one, value in v:
            for other, other_value in u:
                vu[one][other] += value * other_value
            for other, other_value in v:
                vv[one][other] += value * other_value
                weights[one][other] += weight
                squares[one][other] += weight * weight
    common = [
        [ratio(weight * weight, square) for weight, square in zip(row, other, strict=True)]
        for row, other in zip(weights, squares, strict=True)
    ]
    return vu, vv, common


def _unevenness(tables: Sequence[Table], strengths: Strengths, weights: Sequence[float]) -> Matrix:
    """Return by entrant how much each other was met on its boards, less an even spread."""
    size = len(weights)
    scale = math.lcm(*{table.parts * (len(table.sides) - 1) for table in tables})
    met = [[0] * size for _ in range(size)]
    for table in tables:
        partner = -scale // table.parts
        opponent = scale // (table.parts * (len(table.sides) - 1))
        for side in table.sides:
            for one in side:
                if table.counts_for(one):
                    row = met[one]
                    for other_side in table.sides:
                        for other in other_side:
                            row[other] += partner if other_side is side else opponent
    return [
        _evened(index, met[index], scale * weights[index], alike)
        for index, alike in enumerate(strengths.alike)
    ]


def _evened(index: int, met: Sequence[int], whole: float, alike: Sequence[int]) -> list[float]:
    """Return how much an entrant met each other, as a part of `whole`, less an even spread."""
    row = [ratio(value, whole) if other != index else 0.0 for other, value in enumerate(met)]
    spread = ratio(math.fsum(row), len(alike))
    for other in alike:
        row[other] -= spread
    return row
