"""Tests of estimates and intervals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.intervals import Estimate, combine, share_interval, t_quantile


@pytest.mark.parametrize(
    ("degrees", "value"), [(3, 3.1824), (5, 2.5706), (10, 2.2281), (30, 2.0423), (1e9, 1.95996)]
)
def test_the_quantile_is_that_of_the_t_distribution(degrees: float, value: float) -> None:
    """Values from the published tables."""
    assert t_quantile(degrees) == pytest.approx(value, rel=2e-3)
    assert t_quantile(2) == pytest.approx(4.3027, rel=1e-2)


@pytest.mark.parametrize(("degrees", "value"), [(10, 2.22813885), (20, 2.08596345)])
def test_all_terms_of_the_expansion_count(degrees: float, value: float) -> None:
    assert t_quantile(degrees) == pytest.approx(value, rel=5e-6)


@pytest.mark.parametrize(("degrees", "value"), [(10, 3.1693), (24, 2.7969), (1e9, 2.5758)])
def test_the_quantile_grows_with_the_confidence(degrees: float, value: float) -> None:
    assert t_quantile(degrees, 0.99) == pytest.approx(value, rel=5e-3)


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
