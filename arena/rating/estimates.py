"""Estimates of means: their 95 % intervals, Student's t-distribution, and least squares.

Neither numpy nor the standard library has this distribution, and all sums here are exact
(`math.fsum`), so that a leaderboard has the same bits on every machine. The loops of least squares
are ours for the same reason: BLAS adds in another order on each processor, so a score would differ
in its last bits between machines, and loading numpy takes longer than a usual table. What the
equations leave open is found exactly, and only their solutions are computed in floats.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

# -- Student's t, by the continued fraction of the incomplete beta function ------------------------


_TINY = 1e-300
_PRECISION = 4e-16
_MAX_TERMS = 10_000
_MAX_STEPS = 100
_LARGE = 1e4
"""From here on the difference of two large logarithms would lose digits that a series keeps."""


def upper_tail(t: float, degrees: float) -> float:
    """Return P(T > t) for `degrees` of freedom above 0."""
    half = _positive_tail(t * t, degrees)
    return half if t >= 0 else 1 - half


@lru_cache(maxsize=4096)
def _positive_tail(square: float, degrees: float) -> float:
    """Return P(T > t) of the positive t with this square. A table asks for each pair twice."""
    a, x, rest = degrees / 2, degrees / (degrees + square), square / (degrees + square)
    front = math.exp(a * math.log(x) - _log_beta(a)) * math.sqrt(rest) if rest else 0.0
    if x > (a + 1) / (a + 2.5):  # the fraction converges quickly on the other side
        return 0.5 - front * _beta_fraction(0.5, a, rest)
    return front / (2 * a) * _beta_fraction(a, 0.5, x)


@lru_cache(maxsize=4096)
def quantile(probability: float, degrees: float) -> float:
    """Return the t with P(T <= t) = `probability`, at least 0.5 and below 1."""
    tail = 1 - probability
    low, high = 0.0, 1.0
    while upper_tail(high, degrees) > tail:
        low, high = high, 2 * high
    t = (low + high) / 2
    for _ in range(_MAX_STEPS):
        excess = upper_tail(t, degrees) - tail
        low, high = (t, high) if excess > 0 else (low, t)
        step = t + excess / _density(t, degrees)  # Newton's
        if abs(step - t) <= _PRECISION * t:
            return step
        t = step if low < step < high else (low + high) / 2
    return t


def _density(t: float, degrees: float) -> float:
    fall = (degrees + 1) / 2 * math.log1p(t * t / degrees)
    return math.exp(-fall - _log_beta(degrees / 2)) / math.sqrt(degrees)


def _log_beta(a: float) -> float:
    """Return the logarithm of the beta function of `a` and one half."""
    if a < _LARGE:
        return math.lgamma(a) + math.lgamma(0.5) - math.lgamma(a + 0.5)
    return math.lgamma(0.5) - 0.5 * math.log(a) + 1 / (8 * a) - 1 / (192 * a**3)


def _beta_fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    c, d = 1.0, 1 / _apart_from_0(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _MAX_TERMS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _apart_from_0(1 + term * d)
            c = _apart_from_0(1 + term / c)
            value *= d * c
        if abs(d * c - 1) < _PRECISION:
            break
    return value


def _apart_from_0(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


# -- estimates -------------------------------------------------------------------------------------


CONFIDENCE = 0.95
MIN_DEGREES = 2.0
"""Degrees of freedom below which nothing is said of an error: its interval would be too wide."""


class Estimate(NamedTuple):
    """A mean or a difference, its standard error, and the degrees of freedom of that error."""

    mean: float
    error: float
    degrees: float

    @property
    def is_known(self) -> bool:
        """Whether there are enough boards to say how certain it is."""
        return self.degrees >= MIN_DEGREES

    @property
    def doubt(self) -> float:
        """The probability of so large a value, or a larger one, if the true one is 0."""
        return upper_tail(self.mean / self.error, self.degrees)

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the bounds of the t-interval."""
        half = quantile((1 + confidence) / 2, self.degrees) * self.error
        return self.mean - half, self.mean + half


def share_interval(share: Estimate | None, boards: int) -> tuple[float, float] | None:
    """Return Wilson's interval of a share, which stays between 0 and 1.

    Its number of trials is that of independent games with the same standard error. For a share
    that never varied it is the number of `boards`.
    """
    if share is None:
        return None
    mean = min(1.0, max(0.0, share.mean))
    spread = mean * (1 - mean)
    variance = share.error * share.error
    games = spread / variance if variance and spread else float(boards)
    square = quantile((1 + CONFIDENCE) / 2, share.degrees) ** 2 / games
    centre = (mean + square / 2) / (1 + square)
    half = math.sqrt(square * spread + square * square / 4) / (1 + square)
    return max(0.0, centre - half), min(1.0, centre + half)


def combine(parts: Iterable[tuple[float, Estimate | None]]) -> Estimate | None:
    """Return the weighted mean of independent estimates, or None if one is missing.

    The degrees of freedom are those of Welch and Satterthwaite.
    """
    known = [(weight, estimate) for weight, estimate in parts if weight]
    whole = math.fsum([weight for weight, _ in known])
    means, squares, per_degree = [], [], []
    for weight, part in known:
        if part is None:
            return None
        share = weight / whole
        square = (share * part.error) ** 2
        means.append(share * part.mean)
        squares.append(square)
        per_degree.append(square * square / part.degrees)
    if not known:
        return None
    variance, lost = math.fsum(squares), math.fsum(per_degree)
    degrees = variance * variance / lost if lost else min(part.degrees for _, part in known if part)
    return Estimate(math.fsum(means), math.sqrt(variance), degrees)


# -- linear systems with a symmetric, positive semidefinite matrix ---------------------------------


Matrix = list[list[float]]

_PRIME = 2**127 - 1
"""Elimination modulo this prime finds the same pivots as in fractions, unless the prime divides one
of some minors of the matrix, which it does by chance alone."""


def null_space(matrix: Sequence[Sequence[int]]) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the pivots of a matrix, and by row the entries of a basis of its null space.

    The matrix is symmetric and positive semidefinite, so the pivots are on its diagonal. Rows with
    equal entries have equal values in each vector of the null space.
    """
    size = len(matrix)
    rows = [[value % _PRIME for value in row[index:]] for index, row in enumerate(matrix)]
    pivots: list[int] = []
    for column, pivot in enumerate(rows):  # each row begins at the diagonal
        if not pivot[0]:
            continue
        pivots.append(column)
        inverse = pow(pivot[0], -1, _PRIME)
        rows[column] = scaled = [value * inverse % _PRIME for value in pivot]
        for offset in range(1, size - column):
            factor = pivot[offset]
            if factor:
                rows[column + offset] = [
                    (entry - factor * other) % _PRIME
                    for entry, other in zip(rows[column + offset], scaled[offset:], strict=True)
                ]
    is_pivot = set(pivots)
    free = [column for column in range(size) if column not in is_pivot]
    basis = [_null_vector(rows, pivots, column) for column in free]
    return pivots, [tuple([vector[index] for vector in basis]) for index in range(size)]


def _null_vector(rows: Sequence[Sequence[int]], pivots: Sequence[int], free: int) -> dict[int, int]:
    """Return the vector of the null space that is 1 at `free` and 0 at the other free columns."""
    vector = dict.fromkeys(range(len(rows)), 0)
    vector[free] = 1
    for column in reversed(pivots):
        if column < free:
            values = [vector[column + offset] for offset in range(len(rows[column]))]
            vector[column] = (
                -sum([entry * other for entry, other in zip(rows[column], values, strict=True)])
                % _PRIME
            )
    return vector


def inverse_on(matrix: Sequence[Sequence[float]], pivots: Sequence[int]) -> Matrix:
    """Return the inverse of the rows and columns `pivots` of a matrix; it is 0 elsewhere.

    These rows and columns form a positive definite matrix, so no pivots have to be chosen.
    """
    size = len(matrix)
    rows = [[float(matrix[row_pivot][other]) for other in pivots] for row_pivot in pivots]
    for column in range(len(pivots)):  # each column becomes one of the inverse
        scale = rows[column][column]
        rows[column][column] = 1.0
        rows[column] = pivot = [entry / scale for entry in rows[column]]
        for index, row in enumerate(rows):
            factor = row[column]
            if factor and index != column:
                row[column] = 0.0
                rows[index] = [
                    entry - factor * other for entry, other in zip(row, pivot, strict=True)
                ]
    inverse = [[0.0] * size for _ in range(size)]
    for row, pivot_index in zip(rows, pivots, strict=True):
        for value, other in zip(row, pivots, strict=True):
            inverse[pivot_index][other] = value
    return inverse


def product(left: Sequence[Sequence[float]], right: Sequence[Sequence[float]]) -> Matrix:
    """Return the product of two matrices."""
    columns = list(zip(*right, strict=True))
    return [
        [sum([a * b for a, b in zip(row, column, strict=True)]) for column in columns]
        for row in left
    ]


def transposed(matrix: Sequence[Sequence[float]]) -> Matrix:
    """Return the transposed matrix."""
    return [list(row) for row in zip(*matrix, strict=True)]


def congruence(left: Sequence[Sequence[float]], middle: Sequence[Sequence[float]]) -> Matrix:
    """Return `left` times a symmetric matrix `middle` times `left` transposed.

    Rows of `middle` that are zero, such as those of bots without games, are left out.
    """
    used = [index for index, row in enumerate(middle) if any(row)]
    left = [[row[index] for index in used] for row in left]
    middle = [[middle[index][other] for other in used] for index in used]
    found = [[0.0] * len(left) for _ in left]
    for pair, row in enumerate(product(left, middle)):
        for other in range(pair, len(left)):
            value = sum([a * b for a, b in zip(row, left[other], strict=True)])
            found[pair][other] = found[other][pair] = value
    return found


# -- normal equations ------------------------------------------------------------------------------


class LeastSquares:
    """Normal equations that are solved for any right-hand side.

    Unknowns that the equations leave open are 0.
    """

    def __init__(self, matrix: Sequence[Sequence[int]], scale: int = 1) -> None:
        """Take the symmetric, positive semidefinite matrix of the equations, times `scale`."""
        pivots, self._null_entries = null_space(matrix)
        self.rank = len(pivots)
        """The number of unknowns that the equations determine."""
        self.inverse = inverse_on([[value / scale for value in row] for row in matrix], pivots)

    def solve(self, right: Sequence[float]) -> list[float]:
        """Return the unknowns for a right-hand side."""
        return [math.fsum([a * r for a, r in zip(row, right, strict=True)]) for row in self.inverse]

    def alike(self) -> list[list[int]]:
        """Return by unknown the others whose difference from it the equations determine."""
        groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for index, entries in enumerate(self._null_entries):
            groups[entries].append(index)
        return [
            [other for other in groups[entries] if other != index]
            for index, entries in enumerate(self._null_entries)
        ]


def effects_matrix(columns: Sequence[Sequence[int]], width: int) -> list[list[int]]:
    """Return the matrix of the normal equations for values that are sums of `width` effects.

    A value is the sum of one effect from each of the `columns`, which hold their indices. No effect
    is twice in a value.
    """
    matrix = [[0] * width for _ in range(width)]
    for column, other in combinations_with_replacement(columns, 2):
        for (effect, with_it), values in Counter(zip(column, other, strict=True)).items():
            matrix[effect][with_it] += values
            if effect != with_it:
                matrix[with_it][effect] += values
    return matrix
