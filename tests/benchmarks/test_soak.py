"""Runs of bots that break, which are killed and resumed. All are long."""

from pathlib import Path

import pytest

from benchmarks.soak import soak
from benchmarks.soak_bots import BOTS
from tests.arena.playing import NEEDS_PROC


@pytest.mark.long
@NEEDS_PROC
def test_a_killed_run_charges_hostile_bots_only_and_leaves_nothing(tmp_path: Path) -> None:
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
