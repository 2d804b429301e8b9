"""Token buckets."""

import pytest

from arena.extras.serve.web.contest_site import MAX_BUCKETS, Rate, RateLimits


def test_a_burst_passes_and_then_a_steady_rate() -> None:
    limits = RateLimits(Rate(per_s=2, burst=3))
    assert [limits.wait_s("ann", 0) for _ in range(3)] == [0, 0, 0]
    assert limits.wait_s("ann", 0) == 0.5
    assert limits.wait_s("ann", 0.25) == 0.25
    assert limits.wait_s("ann", 0.5) == 0
    assert limits.wait_s("ann", 0.5) == 0.5
    assert limits.wait_s("ann", 1.25) == 0, "half a token is left"
    assert limits.wait_s("ann", 1.25) == 0.25
    assert [limits.wait_s("ann", 1000) for _ in range(4)] == [0, 0, 0, 0.5]
    assert limits.wait_s("bob", 1000) == 0, "each key has its own bucket"


def test_a_clock_that_goes_back_gives_nothing() -> None:
    limits = RateLimits(Rate(per_s=1, burst=1))
    assert limits.wait_s("ann", 100) == 0
    assert limits.wait_s("ann", 50) == 1
    assert limits.wait_s("ann", 100.5) == pytest.approx(0.5)


def test_buckets_are_bounded_and_those_used_last_stay() -> None:
    limits = RateLimits(Rate(per_s=0.001, burst=1))
    for number in range(MAX_BUCKETS):
        limits.wait_s(number, 0)
    limits.wait_s(0, 0)
    limits.wait_s("new", 0)
    assert limits.wait_s(0, 0) > 0
    assert limits.wait_s(1, 0) == 0
