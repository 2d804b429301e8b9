"""Runs of bots that break, which are killed and resumed. All are long."""

from pathlib import Path

import pytest

from benchmarks.resume import compare
from benchmarks.soak import soak
from benchmarks.soak_bots import BOTS
from tests.arena.playing import NEEDS_PROC


@pytest.mark.long
@NEEDS_PROC
def test_a_run_of_broken_bots_that_is_killed_again_and_again_ends_like_any_other(
    tmp_path: Path,
) -> None:
    result = compare(tmp_path, games=36, kills=2)
    assert not result.wrong, "\n".join(result.wrong)
    assert result.games == 36
    assert {"crash", "malformed", "flood", "illegal"} >= set(result.faults)
    assert len(result.faults) > 1
    assert not any(held.zombies > held.processes for held in result.held)


@pytest.mark.long
@NEEDS_PROC
def test_a_run_with_hostile_bots_that_is_killed_charges_only_them_and_leaves_nothing(
    tmp_path: Path,
) -> None:
    result = soak(tmp_path, games=120, kills=2, level="auto")
    assert not result.wrong, "\n".join(result.wrong)
    assert result.games == 120
    assert len({bot for bot, _ in result.faults}) > 2
    assert all(BOTS[bot].faults for bot, _ in result.faults)


@pytest.mark.long
@NEEDS_PROC
def test_ten_thousand_games(tmp_path: Path) -> None:
    result = soak(tmp_path, games=10_000, kills=20, level="auto")
    assert not result.wrong, "\n".join(result.wrong)
    assert result.games >= 10_000
