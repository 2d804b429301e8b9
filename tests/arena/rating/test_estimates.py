"""Tests of estimates and intervals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.estimates import Estimate, combine, share_interval


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
