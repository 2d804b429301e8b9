"""A ratio that is worse than before is found, and what the machine did once does not count."""

import json

import pytest

from benchmarks.ratios import FILE, REPEATS, measures, worse


def test_each_ratio_is_committed() -> None:
    assert json.loads(FILE.read_text()).keys() == measures().keys()


@pytest.mark.parametrize(
    ("measured", "found"),
    [([1.29], []), ([1.4, 1.31, 1.2], []), ([1.31] * (1 + REPEATS), ["a run"])],
    ids=["as before", "once", "always"],
)
def test_regression_needs_repeated_evidence(measured: list[float], found: list[str]) -> None:
    values = iter(measured)
    assert worse({"a run": 1.0}, lambda _: next(values)) == found
    assert not list(values)
