"""Least squares for values that are sums of effects."""

from collections.abc import Sequence

from arena.rating.linear_system import eliminate

MIN_PIVOT = 1e-7
"""Pivots below this part of the mean diagonal count as 0."""


def fit_effects(
    columns: Sequence[Sequence[int]], values: Sequence[float], width: int
) -> tuple[list[float], int]:
    """Return the `width` effects that fit `values` best, and the number of free effects.

    `columns[k]` are the indices of the effects whose sum is `values[k]`. Effects that the values
    do not determine are 0.
    """
    rows = _normal_equations(columns, values, width)
    pivots = eliminate(rows, MIN_PIVOT * len(values) / width)
    effects = [0.0] * width
    for column in pivots:
        effects[column] = rows[column][-1]
    return effects, len(pivots)


def _normal_equations(
    columns: Sequence[Sequence[int]], values: Sequence[float], width: int
) -> list[list[float]]:
    """Return the matrix of the normal equations, with their right-hand side as last column."""
    rows = [[0.0] * (width + 1) for _ in range(width)]
    for own, value in zip(columns, values, strict=True):
        for column in own:
            row = rows[column]
            row[-1] += value
            for other in own:
                row[other] += 1.0
    return rows
