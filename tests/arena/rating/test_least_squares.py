"""Tests of least squares."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.least_squares import fit_effects


@given(st.lists(st.integers(-9, 9), min_size=4, max_size=4))
def test_effects_are_found_where_the_values_determine_them(effects: list[int]) -> None:
    """All sums of two of four effects determine each. Two separate pairs determine only sums."""
    pairs = list(combinations(range(4), 2))
    values = [float(effects[one] + effects[other]) for one, other in pairs]
    found, rank = fit_effects(pairs, values, 4)
    assert found == pytest.approx(effects, abs=1e-9)
    assert rank == 4
    found, rank = fit_effects([(0, 1), (2, 3)], [values[0], values[5]], 4)
    assert rank == 2
    assert found[0] + found[1] == pytest.approx(values[0])
