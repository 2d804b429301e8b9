"""A slow and plain program for scores, written from `docs/ratings.md` for the tests.

It keeps all games, computes in fractions, and takes roots and t-quantiles at the very end.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

from scipy.special import stdtrit as student_quantile

HALF = Fraction(1, 2)
Vector = list[Fraction]


class Game(NamedTuple):
    """The ranks of the sides, and the win weight."""

    ranks: Sequence[int]
    weight: int


class PlainBoard(NamedTuple):
    """A complete board with all its games."""

    number: int
    sides: Sequence[tuple[str, ...]]
    games: Sequence[Game]

    def z(self, one: int, other: int) -> Fraction:
        """Return the share of games in which a side was before another one."""
        total = Fraction(0)
        for game in self.games:
            if game.ranks[one] < game.ranks[other]:
                total += game.weight
            elif game.ranks[one] == game.ranks[other]:
                total += game.weight * HALF
        return total / sum(game.weight for game in self.games)

    def y(self, name: str) -> Fraction:
        """Return the share of the side of a bot."""
        own = self.side_of(name)
        others = [other for other in range(len(self.sides)) if other != own]
        return sum((self.z(own, other) for other in others), Fraction(0)) / len(others)

    def side_of(self, name: str) -> int:
        """Return the number of the side of a bot."""
        return next(number for number, side in enumerate(self.sides) if name in side)

    def names(self) -> list[str]:
        """Return all bots at the table."""
        return [name for side in self.sides for name in side]

    def coefficient(self, name: str, other: str) -> Fraction:
        """Return the factor of the strength of `other` in the fitted share of `name`."""
        if other not in self.names():
            return Fraction(0)
        if self.side_of(name) == self.side_of(other):
            return Fraction(1)
        return Fraction(-1, len(self.sides) - 1)

    def fitted(self, name: str, strengths: Mapping[str, Fraction]) -> Fraction:
        """Return the share above one half that strengths explain."""
        return sum(
            (self.coefficient(name, other) * strengths[other] for other in self.names()),
            Fraction(0),
        )


class PlainModel(NamedTuple):
    """What boards say, in floats."""

    scores: dict[str, float | None]
    intervals: dict[str, tuple[float, float] | None]
    ranks: dict[str, tuple[int, int]]
    gaps: dict[tuple[str, str], tuple[float, float, float]]
    """By two bots: gap, error, degrees."""
    interplay: float


def eliminated(matrix: Sequence[Sequence[Fraction]]) -> tuple[list[Vector], list[int]]:
    """Return a matrix in reduced row echelon form, and its pivots."""
    rows = [list(row) for row in matrix]
    pivots: list[int] = []
    for column in range(len(rows)):
        place = len(pivots)
        found = next((k for k in range(place, len(rows)) if rows[k][column]), None)
        if found is None:
            continue
        rows[place], rows[found] = rows[found], rows[place]
        pivot = rows[place][column]
        rows[place] = [value / pivot for value in rows[place]]
        for k in range(len(rows)):
            factor = rows[k][column]
            if k != place and factor:
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[place], strict=True)]
        pivots.append(column)
    return rows, pivots


def plain_model(names: Sequence[str], boards: Sequence[PlainBoard]) -> PlainModel:
    """Return what boards say of bots. There is at least one board."""
    names = sorted(names)
    size = len(names)
    zero = Fraction(0)
    own_boards = {name: [board for board in boards if name in board.names()] for name in names}
    normal = [
        [sum((b.coefficient(i, j) for b in own_boards[i]), zero) for j in names] for i in names
    ]
    identity = [[Fraction(int(i == j)) for j in names] for i in names]
    rows, pivots = eliminated([row + unit for row, unit in zip(normal, identity, strict=True)])
    inverse = [[zero] * size for _ in names]  # a generalized inverse: free strengths are 0
    for row, column in zip(rows, pivots, strict=False):
        inverse[column] = row[size:]
    free = [k for k in range(size) if k not in pivots]
    for k in free:  # so that it takes nothing from what is free
        for row in inverse:
            row[k] = zero
    null = [
        [-rows[pivots.index(k)][f] if k in pivots else Fraction(int(k == f)) for k in range(size)]
        for f in free
    ]
    alike = {
        i: [j for n, j in enumerate(names) if n != k and all(v[n] == v[k] for v in null)]
        for k, i in enumerate(names)
    }
    right = [sum((b.y(i) - HALF for b in own_boards[i]), zero) for i in names]
    a = {
        i: sum((x * r for x, r in zip(inverse[k], right, strict=True)), zero)
        for k, i in enumerate(names)
    }
    freedom = 1 - Fraction(len(pivots), sum(len(b.sides) - 1 for b in boards))

    def u(b: PlainBoard, i: str) -> Fraction:
        return b.y(i) - HALF - b.fitted(i, a) if i in b.names() else zero

    m = {i: len(own_boards[i]) for i in names}
    scores: dict[str, Fraction | None] = {}
    for i in names:
        if not own_boards[i]:
            scores[i] = None
        elif not alike[i]:
            scores[i] = sum((b.y(i) for b in own_boards[i]), zero) / m[i]
        else:
            scores[i] = HALF + a[i] - sum((a[j] for j in alike[i]), zero) / len(alike[i])

    told = [i for i in names if scores[i] is not None and alike[i]]
    psi = []
    for b in boards:
        residuals = [u(b, j) for j in names]
        moved = {
            j: sum((x * r for x, r in zip(inverse[k], residuals, strict=True)), zero)
            for k, j in enumerate(names)
        }
        psi.append(
            {i: moved[i] - sum((moved[j] for j in alike[i]), zero) / len(alike[i]) for i in told}
        )

    def covariance(i: str, j: str) -> Fraction:
        return sum((each[i] * each[j] for each in psi), zero) / freedom if freedom else zero

    intervals: dict[str, tuple[float, float] | None] = dict.fromkeys(names)
    for i in told:
        degrees = float(m[i] * freedom - 1)
        seated = [j for j in names if scores[j] is not None]
        if degrees >= 2 and all(j in alike[i] for j in seated if j != i):
            error = max(math.sqrt(covariance(i, i)), 0.5 / float(m[i]))
            half, score = student_quantile(degrees, 0.975) * error, scores[i]
            assert score is not None
            intervals[i] = max(0.0, float(score) - half), min(1.0, float(score) + half)
    gaps = {}
    for i, j in permutations(told, 2):
        own, theirs = scores[i], scores[j]
        if j in alike[i] and own is not None and theirs is not None:
            common = sum(j in b.names() for b in own_boards[i])
            variance = covariance(i, i) + covariance(j, j) - 2 * covariance(i, j)
            least = math.sqrt(1 / float(m[i]) ** 2 + 1 / float(m[j]) ** 2)
            degrees = float((m[i] + m[j] - common) * freedom - 1)
            gaps[i, j] = float(own - theirs), max(math.sqrt(variance), least), degrees
    above = {
        pair
        for pair, (gap, error, degrees) in gaps.items()
        if degrees >= 2 and gap > student_quantile(degrees, 1 - 0.05 / (size * (size - 1))) * error
    }
    ranks = {
        i: (1 + sum((j, i) in above for j in names), size - sum((i, j) in above for j in names))
        for i in names
    }
    floats = {i: None if score is None else float(score) for i, score in scores.items()}
    return PlainModel(floats, intervals, ranks, gaps, plain_interplay(boards, a))


def plain_interplay(boards: Sequence[PlainBoard], a: Mapping[str, Fraction]) -> float:
    """Return how far meetings are from the fit, without their chance part."""
    met: dict[tuple[str, str], Vector] = {}
    for b in boards:
        for one, other in permutations(range(len(b.sides)), 2):
            gap = sum(a[name] for name in b.sides[one]) - sum(a[name] for name in b.sides[other])
            for i in b.sides[one]:
                for j in b.sides[other]:
                    if i < j:
                        met.setdefault((i, j), []).append(b.z(one, other) - HALF - gap)
    parts = []
    for values in met.values():
        n = len(values)
        if n >= 2:
            mean = sum(values, Fraction(0)) / n
            variance = sum(((value - mean) ** 2 for value in values), Fraction(0)) / (n - 1)
            parts.append(mean**2 - variance / n)
    return math.sqrt(max(0, sum(parts, Fraction(0)) / len(parts))) if parts else 0.0


def plain_borders(looks: Sequence[PlainModel], names: Sequence[str], epsilon: float) -> list[str]:
    """Return what is certain between the neighbours of the last look."""
    size = len(names)

    def half(k: float, error: float) -> float:
        q = (epsilon / error) ** 2
        return error * math.sqrt((1 + 1 / q) * (math.log(1 + q) + 2 * math.log(k / 0.05)))

    def known(i: str, j: str) -> list[tuple[float, float]]:
        found = [look.gaps[i, j] for look in looks if (i, j) in look.gaps]
        return [(gap, error) for gap, error, degrees in found if degrees >= 2]

    low, most = {}, {}
    for i, j in permutations(names, 2):
        low[i, j] = max((g - half(size, e) for g, e in known(i, j)), default=-math.inf)
        pairs = size * (size - 1) / 2
        most[i, j] = min((abs(g) + half(pairs, e) for g, e in known(i, j)), default=math.inf)
    borders = []
    for place in range(1, size):
        if all(low[i, j] > 0 for i in names[:place] for j in names[place:]):
            borders.append("line")
        else:
            close = most[names[place - 1], names[place]] < epsilon
            borders.append("close" if close else "undecided")
    return borders
