"""Least squares: normal equations with a matrix of integers.

What the equations leave open is found exactly, and only their solutions are computed in floats.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from arena.rating.linear_system import inverse_on, null_space


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


def effects_matrix(columns: Iterable[Sequence[int]], width: int) -> list[list[int]]:
    """Return the matrix of the normal equations for values that are sums of `width` effects.

    `columns` are of each value the indices of the effects whose sum it is.
    """
    matrix = [[0] * width for _ in range(width)]
    for own in columns:
        for place, column in enumerate(own):
            row = matrix[column]
            for other in own[place:]:
                row[other] += 1
    for one, row in enumerate(matrix):
        for other in range(one):
            both = row[other] + matrix[other][one]
            row[other] = matrix[other][one] = both
    return matrix
