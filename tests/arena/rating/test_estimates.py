"""Tests of estimates and intervals."""

import math
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.estimates import (
    Estimate,
    LeastSquares,
    combine,
    effects_matrix,
    quantile,
    share_interval,
    upper_tail,
)


@pytest.mark.parametrize(
    ("degrees", "confidence", "half"), [(3, 0.95, 3.1824), (10, 0.95, 2.2281), (10, 0.99, 3.1693)]
)
def test_the_interval_of_a_mean_is_that_of_the_t_distribution(
    degrees: float, confidence: float, half: float
) -> None:
    """Values from the published tables."""
    bounds = Estimate(5.0, 2.0, degrees).interval(confidence)
    assert bounds == pytest.approx((5 - 2 * half, 5 + 2 * half), abs=2e-4)


# -- shares ------------------------------------------------------------------------------------


@given(st.floats(0, 1), st.floats(0, 0.5), st.floats(2, 500), st.integers(3, 500))
def test_the_interval_of_a_share_contains_it_within_0_and_1(
    mean: float, error: float, degrees: float, boards: int
) -> None:
    bounds = share_interval(Estimate(mean, error, degrees), boards)
    assert bounds
    assert 0 <= bounds[0] <= mean + 1e-12
    assert mean - 1e-12 <= bounds[1] <= 1


def test_a_share_of_1_has_an_interval() -> None:
    bounds = share_interval(Estimate(1.0, 0.0, 19), 20)
    assert bounds
    assert 0.8 < bounds[0] < 0.85
    assert bounds[1] == 1.0


def test_without_an_estimate_there_is_no_interval() -> None:
    assert share_interval(None, 1) is None


# -- combined ----------------------------------------------------------------------------------


def test_independent_estimates_are_weighted() -> None:
    whole = combine([(3, Estimate(1.0, 0.2, 10)), (1, Estimate(5.0, 0.6, 10)), (0, None)])
    assert whole
    assert whole.mean == pytest.approx(2.0)
    assert whole.error == pytest.approx((0.15**2 + 0.15**2) ** 0.5)
    assert whole.degrees == pytest.approx(20)


def test_a_missing_part_gives_no_combined_estimate() -> None:
    assert combine([(1, Estimate(1.0, 0.2, 10)), (1, None)]) is None
    assert combine([]) is None


# -- Student's t-distribution ----------------------------------------------------------------


@pytest.mark.parametrize("t", [-4.0, -0.3, 0.0, 0.7, 3.0, 40.0])
def test_with_one_and_two_degrees_it_is_known_in_closed_form(t: float) -> None:
    assert upper_tail(t, 1) == pytest.approx(0.5 - math.atan(t) / math.pi, rel=1e-12)
    assert upper_tail(t, 2) == pytest.approx(0.5 - t / (2 * math.sqrt(2 + t * t)), rel=1e-10)


@pytest.mark.parametrize("t", [-2.5, 0.1, 1.96, 6.0])
def test_with_many_degrees_it_is_the_normal_distribution(t: float) -> None:
    assert upper_tail(t, 1e9) == pytest.approx(math.erfc(t / math.sqrt(2)) / 2, rel=1e-7)


@pytest.mark.parametrize(
    ("probability", "degrees", "value"),
    [
        (0.975, 2, 4.302652729911275),
        (0.975, 3, 3.182446305284263),
        (0.975, 10, 2.2281388519649385),
        (0.975, 30, 2.0422724563012373),
        (0.995, 5, 4.032142983557536),
        (0.9999, 4, 13.033671720891544),
    ],
)
def test_quantiles_are_those_of_the_published_tables(
    probability: float, degrees: float, value: float
) -> None:
    assert quantile(probability, degrees) == pytest.approx(value, rel=1e-9)


@given(st.floats(0.5, 0.999999), st.floats(1, 500))
def test_the_quantile_leaves_its_tail(probability: float, degrees: float) -> None:
    assert upper_tail(quantile(probability, degrees), degrees) == pytest.approx(
        1 - probability, rel=1e-9, abs=1e-13
    )


@given(st.floats(-50, 50), st.floats(0.5, 1e6))
def test_it_is_symmetric(t: float, degrees: float) -> None:
    assert upper_tail(t, degrees) + upper_tail(-t, degrees) == pytest.approx(1, abs=1e-12)


# -- least squares ---------------------------------------------------------------------------


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
