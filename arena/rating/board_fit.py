"""The strengths that fit all boards best, how uncertain they are, and what departs from them.

`docs/scores.md` has the formulas: sections 3, 4 and 6.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

from arena.rating.board_sums import BoardLineup, BoardSums, Side, square
from arena.rating.estimates import LeastSquares, Matrix, congruence, product, transposed

# -- strengths -------------------------------------------------------------------------------------


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
        found = self[side] = sum([self._strengths[entrant] for entrant in side])
        return found


def mean_residuals(lineup: BoardLineup, strengths: SideStrengths) -> list[float]:
    """Return by side the mean of its shares less the fitted share."""
    others, whole = lineup.others, lineup.boards * lineup.denominator
    own = [strengths[side] for side in lineup.sides]
    fitted = 0.5 - sum(own) / others
    factor = 1 + 1 / others
    return [
        share / whole - fitted - factor * strength
        for share, strength in zip(lineup.shares, own, strict=True)
    ]


class Counted(NamedTuple):
    """The shares and games that count for the score of each entrant."""

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
        for member, side in lineup.members():
            if lineup.counts_for(member):
                weights[member] += weight
                squares[member] += weight / lineup.parts
                shares[member] += lineup.shares[side] / whole
                residuals[member] += weight * means[side]
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


# -- how far scores are uncertain ------------------------------------------------------------------


class Errors(NamedTuple):
    """The joint variation of the errors of the scores."""

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
    lineups: Sequence[BoardLineup], strengths: Sequence[float], size: int
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


def _residual_products(lineup: BoardLineup, strengths: SideStrengths) -> list[float]:
    """Return by two sides, and each with itself, the sum of the products of their residuals."""
    boards, means = lineup.boards, mean_residuals(lineup, strengths)
    if boards == 1:
        return [part * other for part, other in combinations_with_replacement(means, 2)]
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
        group = [strengths.inverse[member] for member in (index, *alike)]
        factor = 1 + ratio(1.0, len(alike))
        means = [math.fsum(column) / len(group) for column in zip(*group, strict=True)]
        own = strengths.inverse[index]
        rows.append([factor * (part - mean) for part, mean in zip(own, means, strict=True)])
    return rows


def _with_extra_boards(
    lineups: Sequence[BoardLineup], strengths: Strengths, counted: Counted
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
    lineups: Sequence[BoardLineup], strengths: Sequence[float], counted: Counted
) -> tuple[Matrix, Matrix, Matrix]:
    """Return the sums of products where boards count for some of their entrants only."""
    size = len(counted.boards)
    vu, vv, weights, squares = [_zeros(size) for _ in range(4)]
    by_side = SideStrengths(strengths)
    for lineup in lineups:
        boards, weight, deviations = lineup.boards, 1 / lineup.parts, _deviations(lineup)
        means = mean_residuals(lineup, by_side)
        u = [(member, side, means[side]) for member, side in lineup.members()]
        v = [
            (member, side, mean - counted.mean_residuals[member], weight / counted.weights[member])
            for member, side, mean in u
            if lineup.counts_for(member)
        ]
        for member, side, mean, part in v:
            own = deviations[side]
            for other, other_side, other_mean in u:
                vu[member][other] += part * (own[other_side] + boards * mean * other_mean)
            for other, other_side, other_mean, other_part in v:
                both = own[other_side] + boards * mean * other_mean
                vv[member][other] += part * other_part * both
                weights[member][other] += boards * weight
                squares[member][other] += boards * weight * weight
    common = [
        [ratio(total * total, each) for total, each in zip(row, other, strict=True)]
        for row, other in zip(weights, squares, strict=True)
    ]
    return vu, vv, common


def _deviations(lineup: BoardLineup) -> Matrix:
    """Return by two sides the sum of the products of their shares, each less its mean."""
    boards, whole = lineup.boards, lineup.boards * lineup.denominator**2
    shares = lineup.shares
    found = _zeros(len(shares))
    pairs = combinations_with_replacement(range(len(shares)), 2)
    for total, (side, other) in zip(lineup.products, pairs, strict=True):
        value = (boards * total - shares[side] * shares[other]) / whole
        found[side][other] = found[other][side] = value
    return found


def _unevenness(
    lineups: Sequence[BoardLineup], strengths: Strengths, weights: Sequence[float]
) -> Matrix:
    """Return by entrant how much each other was met on its boards, less an even spread."""
    size = len(weights)
    scale = math.lcm(*{lineup.parts * lineup.others for lineup in lineups})
    met = [[0] * size for _ in range(size)]
    for lineup in lineups:
        partner = -scale // lineup.parts * lineup.boards
        opponent = scale // (lineup.parts * lineup.others) * lineup.boards
        members = lineup.members()
        for member, side in members:
            if lineup.counts_for(member):
                row = met[member]
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


# -- how far meetings depart from the strengths ----------------------------------------------------


MIN_SQUARE = 1e-15
"""Below this, the square of interplay is what rounding leaves of 0."""


class Departures:
    """Sums over the boards on which two met: of z - 1/2 - the gap of their sides."""

    __slots__ = ("boards", "shares", "squares", "total")

    def __init__(self) -> None:
        self.boards = 0
        self.shares = 0.0
        """The sum of z."""
        self.total = 0.0
        self.squares = 0.0

    @property
    def variance(self) -> float:
        """The variance of the departure of a board. There are at least two."""
        mean = self.total / self.boards
        return (self.squares - self.total * mean) / (self.boards - 1)

    def square_of_mean(self) -> float:
        """Return the square of the mean, less the part that chance gives."""
        mean = self.total / self.boards
        return mean * mean - self.variance / self.boards


def departures(sums: BoardSums, strengths: Sequence[float]) -> dict[tuple[int, int], Departures]:
    """Return the departures by two entrants that met, the one with the smaller number first."""
    met: dict[tuple[int, int], Departures] = defaultdict(Departures)
    for meeting in sums.meetings():
        boards, before, whole = meeting.boards, meeting.before, meeting.whole
        one_side, other_side = meeting.sides
        gap = sum([strengths[entrant] for entrant in one_side]) - sum(
            [strengths[member] for member in other_side]
        )
        shares = before / whole
        total = shares - boards * (0.5 + gap)
        squares = (boards * meeting.squares - before * before) / (boards * whole * whole)
        squares += total * total / boards
        for member in one_side:
            for other in other_side:
                found = met[(member, other) if member < other else (other, member)]
                found.boards += boards
                found.shares += shares if member < other else boards - shares
                found.total += total if member < other else -total
                found.squares += squares
    return dict(met)


def interplay(sums: BoardSums, strengths: Sequence[float]) -> float:
    """Return how far meetings of two are, typically, from the fit, without their chance part."""
    met = departures(sums, strengths).values()
    parts = [each.square_of_mean() for each in met if each.boards > 1]
    square = math.fsum(parts) / max(1, len(parts))
    return math.sqrt(square) if square > MIN_SQUARE else 0.0
