"""Linear systems with a symmetric, positive semidefinite matrix of integers.

What the system leaves open is found exactly, and only the solution is computed in floats.
"""

from collections.abc import Sequence

Matrix = list[list[float]]

_PRIME = 2**127 - 1
"""Elimination modulo this prime finds the same pivots as in fractions, unless the prime divides one
of some minors of the matrix, which it does by chance alone."""


def null_space(matrix: Sequence[Sequence[int]]) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the pivots of a square matrix, and by row the entries of a basis of its null space.

    Rows with equal entries have equal values in each vector of the null space.
    """
    size = len(matrix)
    rows = [[value % _PRIME for value in row] for row in matrix]
    pivots: list[int] = []
    for column in range(size):
        rank = len(pivots)
        found = next((index for index in range(rank, size) if rows[index][column]), None)
        if found is None:
            continue
        rows[rank], rows[found] = rows[found], rows[rank]
        inverse = pow(rows[rank][column], -1, _PRIME)
        pivot = rows[rank] = [value * inverse % _PRIME for value in rows[rank]]
        for index, row in enumerate(rows):
            factor = row[column]
            if factor and index != rank:
                rows[index] = [
                    (one - factor * other) % _PRIME for one, other in zip(row, pivot, strict=True)
                ]
        pivots.append(column)
    free = [column for column in range(size) if column not in set(pivots)]
    entries: list[tuple[int, ...]] = [()] * size
    for rank, column in enumerate(pivots):
        entries[column] = tuple([-rows[rank][one] % _PRIME for one in free])
    for column in free:
        entries[column] = tuple([int(one == column) for one in free])
    return pivots, entries


def inverse_on(matrix: Sequence[Sequence[float]], pivots: Sequence[int]) -> Matrix:
    """Return the inverse of the rows and columns `pivots` of a matrix; it is 0 elsewhere.

    These rows and columns form a positive definite matrix, so no pivots have to be chosen.
    """
    size = len(matrix)
    rank = len(pivots)
    rows = [
        [float(matrix[one][other]) for other in pivots] + [float(one == other) for other in pivots]
        for one in pivots
    ]
    for column in range(rank):
        scale = rows[column][column]
        rows[column] = pivot = [one / scale for one in rows[column]]
        for index, row in enumerate(rows):
            factor = row[column]
            if factor and index != column:
                rows[index] = [one - factor * other for one, other in zip(row, pivot, strict=True)]
    inverse = [[0.0] * size for _ in range(size)]
    for row, one in zip(rows, pivots, strict=True):
        for value, other in zip(row[rank:], pivots, strict=True):
            inverse[one][other] = value
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
