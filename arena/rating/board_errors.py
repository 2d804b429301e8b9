"""How far scores are uncertain.

`docs/scores.md` has the formulas: sections 4 and 6.
"""

import math
from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

from arena.rating.board_fit import Counted, SideStrengths, Strengths, mean_residuals, ratio
from arena.rating.board_sums import BoardSums, Lineup, square
from arena.rating.linear_system import Matrix, congruence, product, transposed


class Errors(NamedTuple):
    """How the errors of the scores vary together."""

    covariance: Matrix
    common: Matrix
    """By two entrants: the number of boards of equal weight that count for both."""


def errors(sums: BoardSums, strengths: Strengths, counted: Counted) -> Errors:
    """Return the covariances: the sums of products of what each board adds to two scores."""
    lineups = sums.lineups()
    if any(lineup.challengers for lineup in lineups):
        covariance, common = _with_extra_boards(lineups, strengths, counted)
    else:
        uu, common = _sum_products(lineups, strengths.values, len(sums.names))
        covariance = congruence(_balanced_influence(strengths), uu)
    free = max(0.0, strengths.freedom)
    return Errors([[ratio(value, free) for value in row] for row in covariance], common)


def _zeros(size: int) -> Matrix:
    return [[0.0] * size for _ in range(size)]


def _sum_products(
    lineups: Sequence[Lineup], strengths: Sequence[float], size: int
) -> tuple[Matrix, Matrix]:
    """Return the sums of products of residuals, and the number of common boards."""
    uu, common = [0.0] * (size * size), [0.0] * (size * size)
    by_side = SideStrengths(strengths)
    for lineup in lineups:
        boards, products = lineup.boards, _residual_products(lineup, by_side)
        for cell, pair in zip(lineup.cells, lineup.pairs, strict=True):
            uu[cell] += products[pair]
            common[cell] += boards
    return square(uu, size), square(common, size)


def _residual_products(lineup: Lineup, strengths: SideStrengths) -> list[float]:
    """Return by two sides, and each with itself, the sum of the products of their residuals."""
    boards, means = lineup.boards, mean_residuals(lineup, strengths)
    if boards == 1:
        return [one * other for one, other in combinations_with_replacement(means, 2)]
    whole = boards * lineup.denominator**2
    return [
        (boards * product - share * other_share) / whole + boards * mean * other_mean
        for product, (share, other_share), (mean, other_mean) in zip(
            lineup.products,
            combinations_with_replacement(lineup.shares, 2),
            combinations_with_replacement(means, 2),
            strict=True,
        )
    ]


def _balanced_influence(strengths: Strengths) -> Matrix:
    """Return what residuals add to the scores where all boards count for all: f L+."""
    rows = []
    for index, alike in enumerate(strengths.alike):
        group = [strengths.inverse[one] for one in (index, *alike)]
        factor = 1 + ratio(1.0, len(alike))
        means = [math.fsum(column) / len(group) for column in zip(*group, strict=True)]
        own = strengths.inverse[index]
        rows.append([factor * (one - mean) for one, mean in zip(own, means, strict=True)])
    return rows


def _with_extra_boards(
    lineups: Sequence[Lineup], strengths: Strengths, counted: Counted
) -> tuple[Matrix, Matrix]:
    """Return the covariances, but for a factor, and the number of common boards.

    A board adds `v + m u`. There `u` are the residuals of its entrants, `v` what they add to the
    mean residuals, and `m u` is what they add by way of the strengths of those who were met
    unevenly.
    """
    m = product(_unevenness(lineups, strengths, counted.weights), strengths.inverse)
    uu, _ = _sum_products(lineups, strengths.values, len(m))
    vu, vv, common = _weighted_products(lineups, strengths.values, counted)
    mixed = product(vu, transposed(m))
    fitted = congruence(m, uu)
    covariance = [
        [vv[i][j] + mixed[i][j] + mixed[j][i] + fitted[i][j] for j in range(len(m))]
        for i in range(len(m))
    ]
    return covariance, common


def _weighted_products(
    lineups: Sequence[Lineup], strengths: Sequence[float], counted: Counted
) -> tuple[Matrix, Matrix, Matrix]:
    """Return the sums of products where boards count for some of their entrants only."""
    size = len(counted.boards)
    vu, vv, weights, squares = [_zeros(size) for _ in range(4)]
    by_side = SideStrengths(strengths)
    for lineup in lineups:
        boards, weight, deviations = lineup.boards, 1 / lineup.parts, _deviations(lineup)
        means = mean_residuals(lineup, by_side)
        u = [(one, side, means[side]) for one, side in lineup.members()]
        v = [
            (one, side, mean - counted.mean_residuals[one], weight / counted.weights[one])
            for one, side, mean in u
            if lineup.counts_for(one)
        ]
        for one, side, mean, part in v:
            own = deviations[side]
            for other, other_side, other_mean in u:
                vu[one][other] += part * (own[other_side] + boards * mean * other_mean)
            for other, other_side, other_mean, other_part in v:
                both = own[other_side] + boards * mean * other_mean
                vv[one][other] += part * other_part * both
                weights[one][other] += boards * weight
                squares[one][other] += boards * weight * weight
    common = [
        [ratio(total * total, each) for total, each in zip(row, other, strict=True)]
        for row, other in zip(weights, squares, strict=True)
    ]
    return vu, vv, common


def _deviations(lineup: Lineup) -> Matrix:
    """Return by two sides the sum of the products of their shares, each less its mean."""
    boards, whole = lineup.boards, lineup.boards * lineup.denominator**2
    shares = lineup.shares
    found = _zeros(len(shares))
    pairs = combinations_with_replacement(range(len(shares)), 2)
    for total, (one, other) in zip(lineup.products, pairs, strict=True):
        value = (boards * total - shares[one] * shares[other]) / whole
        found[one][other] = found[other][one] = value
    return found


def _unevenness(
    lineups: Sequence[Lineup], strengths: Strengths, weights: Sequence[float]
) -> Matrix:
    """Return by entrant how much each other was met on its boards, less an even spread."""
    size = len(weights)
    scale = math.lcm(*{lineup.parts * lineup.others for lineup in lineups})
    met = [[0] * size for _ in range(size)]
    for lineup in lineups:
        partner = -scale // lineup.parts * lineup.boards
        opponent = scale // (lineup.parts * lineup.others) * lineup.boards
        members = lineup.members()
        for one, side in members:
            if lineup.counts_for(one):
                row = met[one]
                for other, other_side in members:
                    row[other] += partner if side == other_side else opponent
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
