"""Tests of least squares."""

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.estimates import LeastSquares, effects_matrix


def right_side(columns: Sequence[Sequence[int]], values: Sequence[float]) -> list[float]:
    """Return the sums of the values to which each of four effects contributes."""
    return [
        sum([value for own, value in zip(columns, values, strict=True) if one in own])
        for one in range(4)
    ]


@given(st.lists(st.integers(-9, 9), min_size=4, max_size=4))
def test_effects_are_found_where_the_values_determine_them(effects: list[int]) -> None:
    """All sums of two of four effects determine each. Two separate pairs determine only sums."""
    pairs = list(combinations(range(4), 2))
    values = [float(effects[one] + effects[other]) for one, other in pairs]
    equations = LeastSquares(effects_matrix(list(zip(*pairs, strict=True)), 4))
    assert equations.rank == 4
    assert equations.solve(right_side(pairs, values)) == pytest.approx(effects, abs=1e-9)
    separate, some = [pairs[0], pairs[5]], [values[0], values[5]]
    equations = LeastSquares(effects_matrix(list(zip(*separate, strict=True)), 4))
    assert equations.rank == 2
    found = equations.solve(right_side(separate, some))
    assert found[0] + found[1] == pytest.approx(some[0])
    assert found[2] + found[3] == pytest.approx(some[1])


def test_differences_are_determined_where_a_chain_joins_the_unknowns() -> None:
    """Meetings of 0 with 1 and of 1 with 2 leave open how they stand to 3 and 4, who met."""
    met = [
        [1, -1, 0, 0, 0],
        [-1, 2, -1, 0, 0],
        [0, -1, 1, 0, 0],
        [0, 0, 0, 1, -1],
        [0, 0, 0, -1, 1],
    ]
    equations = LeastSquares(met)
    assert equations.alike() == [[1, 2], [0, 2], [0, 1], [4], [3]]
    assert equations.rank == 3
    found = equations.solve([1.0, 0.0, -1.0, 2.0, -2.0])
    assert [found[0] - found[1], found[1] - found[2], found[3] - found[4]] == pytest.approx(
        [1, 1, 2]
    )
    doubled = LeastSquares([[2 * value for value in row] for row in met], 2)
    assert doubled.inverse == equations.inverse
