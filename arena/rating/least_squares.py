"""Least squares: normal equations with a matrix of integers.

What the equations leave open is found exactly, and only their solutions are computed in floats. The
loops are ours and not those of numpy: its BLAS adds in another order on each processor, so a score
would differ in its last bits between machines, and loading it takes longer than a usual table.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations_with_replacement

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
    """Return `left` times a symmetric matrix `middle` times `left` transposed."""
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
