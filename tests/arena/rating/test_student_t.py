"""Student's t-distribution."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.estimates import quantile, upper_tail


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
