"""Tests of the ranks that the intervals of the ratings leave."""

import pytest
import trueskill

from arena.rating.trueskill import RANK_SIGMAS, conservative, rank_range


def ratings(*means: float, sigma: float) -> dict[str, trueskill.Rating]:
    """Return ratings of a, b, c ... with these means."""
    return {name: trueskill.Rating(mu, sigma) for name, mu in zip("abcdef", means, strict=False)}


@pytest.mark.parametrize(
    ("name", "ranks"), [("a", (1, 1)), ("b", (2, 3)), ("c", (2, 3)), ("d", (4, 4))]
)
def test_intervals_that_are_apart_leave_one_rank(name: str, ranks: tuple[int, int]) -> None:
    assert rank_range(ratings(3.0, 2.0, 2.0, 1.0, sigma=0.001), name) == ranks


def test_intervals_that_touch_leave_both_ranks() -> None:
    half = RANK_SIGMAS * 0.25
    touching = ratings(2 * half, 0.0, sigma=0.25)
    assert rank_range(touching, "a") == rank_range(touching, "b") == (1, 2)
    apart = ratings(2.01 * half, 0.0, sigma=0.25)
    assert (rank_range(apart, "a"), rank_range(apart, "b")) == ((1, 1), (2, 2))


def test_wide_intervals_leave_all_ranks() -> None:
    found = ratings(3.0, 2.0, 1.0, sigma=5.0)
    assert {rank_range(found, name) for name in found} == {(1, 3)}


def test_the_conservative_rating_is_three_sigmas_below_mu() -> None:
    assert conservative(trueskill.Rating(25.0, 2.0)) == 19.0
