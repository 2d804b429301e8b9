"""Ratings of fields whose answer is known: a circle, an order, a clone that changes nothing."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import arena
from arena.base.errors import SettingsError
from arena.extras.learn.meta_ratings import (
    PairCounts,
    alpha_rank,
    meta_ratings,
    nash_averages,
    nash_weights,
    pair_counts,
)
from arena.rating.complete_boards import board_shares
from tests.arena.rating.made_boards import TEAMS, partners_won

CIRCLE = np.array([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]])
"""Rock, paper, scissors."""
ORDER = np.array([[0.5, 0.8, 0.9], [0.2, 0.5, 0.7], [0.1, 0.3, 0.5]])
THIRD = 1 / 3


def cloned(shares: Any, bot: int) -> Any:
    """Return the matrix with a clone of a bot as the last one."""
    order = [*range(len(shares)), bot]
    return shares[np.ix_(order, order)]


@pytest.mark.parametrize(
    ("shares", "weights", "averages", "times"),
    [
        (CIRCLE, [THIRD] * 3, [0, 0, 0], [THIRD] * 3),
        (cloned(CIRCLE, 0), [THIRD / 2, THIRD, THIRD, THIRD / 2], [0] * 4, [0.2, 0.2, 0.4, 0.2]),
        (ORDER, [1, 0, 0], [0, -0.3, -0.4], [1, 0, 0]),
        (cloned(ORDER, 1), [1, 0, 0, 0], [0, -0.3, -0.4, -0.3], [1, 0, 0, 0]),
        (np.full((3, 3), 0.5), [THIRD] * 3, [0, 0, 0], [THIRD] * 3),
    ],
    ids=["circle", "circle with a clone", "order", "order with a clone", "equal"],
)
def test_ratings_of_known_fields(shares: Any, weights: Any, averages: Any, times: Any) -> None:
    assert nash_weights(shares) == pytest.approx(weights, abs=2e-3)
    assert nash_averages(shares) == pytest.approx(averages, abs=2e-3)
    assert alpha_rank(shares) == pytest.approx(times, abs=2e-3)


def test_alpha_rank_is_that_of_openspiel() -> None:
    egt = pytest.importorskip("open_spiel.python.egt.alpharank")
    rng = np.random.default_rng(1)
    for _ in range(2):
        upper = np.triu(rng.random((5, 5)), 1)
        shares = upper + np.tril(1 - upper.T, -1) + np.eye(5) / 2
        *_, times, _, _ = egt.compute([shares], m=50, alpha=3.0)
        assert alpha_rank(shares, alpha=3.0) == pytest.approx(times, abs=1e-6)


def counts_of(shares: Any, boards: int) -> PairCounts:
    """Return boards on which each pair meets once, with results drawn by `shares`."""
    rng = np.random.default_rng(2)
    upper = np.triu(rng.random((boards, *shares.shape)) < shares, 1).astype(float)
    met = np.triu(np.ones_like(shares), 1)
    return PairCounts(("a", "b", "c"), upper + (met - upper).transpose(0, 2, 1))


def test_the_best_is_first_and_intervals_shrink_with_boards() -> None:
    few, many = [meta_ratings(counts_of(ORDER, boards), resamples=50) for boards in (20, 500)]
    assert [rating.bot for rating in many] == ["a", "b", "c"]
    widths = [[rating.high - rating.low for rating in found] for found in (few, many)]
    assert sum(widths[1]) < sum(widths[0])
    assert all(rating.low <= rating.value <= rating.high for rating in many)


@pytest.mark.parametrize("method", ["nash", "alpha-rank", "mean"])
def test_boards_are_rated_by_every_method(method: str) -> None:
    counts = pair_counts([board_shares(partners_won(), TEAMS)])
    assert counts.groups.shape == (1, 4, 4)
    assert counts.groups[0].tolist() == [[0, 4, 0, 4], [0] * 4] * 2  # a and c are partners
    found = meta_ratings(counts, method, resamples=3)
    assert {rating.bot for rating in found[:2]} == {"a", "c"}


def test_a_run_is_rated_by_its_complete_boards(tmp_path: Path) -> None:
    run = arena.run(
        "bribery/2", ["banker", "random"], in_process=True, workers=1, rounds=2, results=tmp_path
    )
    (best, worst) = meta_ratings(run, "mean", resamples=3)
    assert (best.bot, best.value + worst.value) == ("banker", 1)


def test_what_cannot_be_rated_is_refused() -> None:
    with pytest.raises(SettingsError, match="no complete boards"):
        pair_counts([])
    with pytest.raises(SettingsError, match="expected one of nash, alpha-rank, mean"):
        meta_ratings(counts_of(ORDER, 2), "elo")
