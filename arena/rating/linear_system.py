"""Linear systems with a symmetric, positive semidefinite matrix of integers.

What the system leaves open is found exactly, and only the solution is computed in floats.
"""

from collections.abc import Sequence

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
                    (one - factor * other) % _PRIME
                    for one, other in zip(rows[column + offset], scaled[offset:], strict=True)
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
                -sum([one * other for one, other in zip(rows[column], values, strict=True)])
                % _PRIME
            )
    return vector


def inverse_on(matrix: Sequence[Sequence[float]], pivots: Sequence[int]) -> Matrix:
    """Return the inverse of the rows and columns `pivots` of a matrix; it is 0 elsewhere.

    These rows and columns form a positive definite matrix, so no pivots have to be chosen.
    """
    size = len(matrix)
    rows = [[float(matrix[one][other]) for other in pivots] for one in pivots]
    for column in range(len(pivots)):  # each column becomes one of the inverse
        scale = rows[column][column]
        rows[column][column] = 1.0
        rows[column] = pivot = [one / scale for one in rows[column]]
        for index, row in enumerate(rows):
            factor = row[column]
            if factor and index != column:
                row[column] = 0.0
                rows[index] = [one - factor * other for one, other in zip(row, pivot, strict=True)]
    inverse = [[0.0] * size for _ in range(size)]
    for row, one in zip(rows, pivots, strict=True):
        for value, other in zip(row, pivots, strict=True):
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


def congruence(left: Sequence[Sequence[float]], middle: Sequence[Sequence[float]]) -> Matrix:
    """Return `left` times a symmetric matrix `middle` times `left` transposed."""
    found = [[0.0] * len(left) for _ in left]
    for one, row in enumerate(product(left, middle)):
        for other in range(one, len(left)):
            value = sum([a * b for a, b in zip(row, left[other], strict=True)])
            found[one][other] = found[other][one] = value
    return found
