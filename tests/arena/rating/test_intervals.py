"""Tests of estimates and intervals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.intervals import Estimate, combine, quantile, share_interval, upper_tail

# -- shares ------------------------------------------------------------------------------------


@given(st.floats(0, 1), st.floats(0, 0.5), st.floats(2, 500), st.integers(3, 500))
def test_interval_contains_the_share(
    mean: float, error: float, degrees: float, boards: int
) -> None:
    bounds = share_interval(Estimate(mean, error, degrees), boards)
    assert bounds
    assert 0 <= bounds[0] <= mean + 1e-12
    assert mean - 1e-12 <= bounds[1] <= 1


def test_share_of_1_has_an_interval() -> None:
    bounds = share_interval(Estimate(1.0, 0.0, 19), 20)
    assert bounds
    assert 0.8 < bounds[0] < 0.85
    assert bounds[1] == 1.0


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
def test_quantiles_match_published_tables(probability: float, degrees: float, value: float) -> None:
    assert quantile(probability, degrees) == pytest.approx(value, rel=1e-9)


@given(st.floats(0.5, 0.999999), st.floats(1, 500))
def test_quantile_matches_tail_probability(probability: float, degrees: float) -> None:
    assert upper_tail(quantile(probability, degrees), degrees) == pytest.approx(
        1 - probability, rel=1e-9, abs=1e-13
    )
