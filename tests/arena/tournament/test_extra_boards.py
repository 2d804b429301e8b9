"""Extra boards, which an adaptive run plays for undecided bots after the balanced ones."""

import random
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from arena.base.errors import RunStopped, SettingsError
from arena.base.record import Game
from arena.rating.certificate import StopRule
from arena.tournament.games import count_games
from arena.tournament.settings import check_settings
from arena.tournament.standings import compare, extra_boards, rank, rank_records, run_boards, trace
from arena.tournament.store import Store
from tests.arena.command import arena
from tests.arena.runs import FaultyCrew, in_portions, made_up_settings
from tests.arena.tournament.certain_runs import (
    THREE,
    TWO,
    StoppedCrew,
    certificates_of,
    play,
    result_of,
    verified_export,
)
from tests.arena.tournament.forgeries import records_of

SHARES = {"e1": 0.0, "e2": 0.0, "e3": 0.35, "e4": 0.6, "e5": 0.8, "e6": 1.0}
"""The share of its games in which a bot crashes."""
ADAPTIVE = in_portions(
    replace(
        made_up_settings(6, TWO, rounds=1200, seed=7),
        stop_rule=StopRule(0.3),
        schedule="adaptive",
        withdrawal=False,
    ),
    12,
    40,
)


def crashes_at_times(name: str, game: Game) -> bool:
    """Return whether a bot crashes, in its share of all games."""
    dice = random.Random(f"{name} {game.board} {game.rotation}")
    return dice.random() < SHARES[name]


@pytest.fixture(scope="module")
def adaptive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with extra boards that was never stopped."""
    folder = tmp_path_factory.mktemp("adaptive") / "run"
    play(folder, ADAPTIVE, FaultyCrew(crashes_at_times))
    return folder


def test_extra_boards_are_played_for_undecided_bots_after_the_balanced_ones(adaptive: Path) -> None:
    with Store.open(adaptive) as store:
        extra = sorted([one.board for one in extra_boards(store)])
        boards = sorted({record.board for record in store.records()})
        certificate = certificates_of(rank(store))[TWO]
    assert boards == list(range(1, len(boards) + 1))
    assert extra
    assert extra == list(range(extra[0], len(boards) + 1))
    assert (certificate.boards, certificate.is_certain) == (len(boards), True)


def test_extra_boards_count_for_scores_and_nothing_else(adaptive: Path) -> None:
    with Store.open(adaptive) as store:
        extra = {one.board for one in extra_boards(store)}
        records = list(store.records())
        board, matrix, course = rank(store), compare(store), trace(store, run_boards(store), 5)
    without = rank_records(
        replace(ADAPTIVE, stop_rule=msgspec.UNSET, schedule="round-robin"),
        [record for record in records if record.board not in extra],
    )
    balanced = {row.bot: row for row in without.overall}
    for row in board.overall:
        same = balanced[row.bot]
        assert (row.mu, row.sigma, row.games) == (same.mu, same.sigma, same.games)
        assert (row.points_per_game, row.win_share) == (same.points_per_game, same.win_share)
        assert (row.wins_low, row.points_high) == (same.wins_low, same.points_high)
    assert {row.score for row in board.overall} != {row.score for row in without.overall}
    assert board.games == len(records)
    faults = [fault for record in records for fault in record.faults]
    assert sum(row.faults for row in board.overall) == len(faults)
    assert sum(pair.boards for pair in matrix) == 2 * (len(records) // 2 - len(extra))
    assert course[-1].games == 2 * (len(records) // 2 - len(extra))


def test_show_says_what_is_left_and_what_is_certain(adaptive: Path, tmp_path: Path) -> None:
    games = len(records_of(adaptive))
    shown = arena("runs", adaptive).stdout
    assert f"{games} of at most {count_games(ADAPTIVE)} games, complete" in shown
    (line,) = [line.split() for line in shown.splitlines() if line.split()[:1] == [TWO]]
    assert line[:4] == [TWO, "6", str(games), "0"]
    assert "of 5 lines" in " ".join(line)
    with pytest.raises(RunStopped):
        play(tmp_path / "run", crew=StoppedCrew(130))
    shown = arena("runs", tmp_path / "run").stdout
    assert "130 of at most 360 games, stopped" in shown
    lines = {line.split()[0]: line.split()[1:4] for line in shown.splitlines() if "/" in line}
    assert lines[THREE] == ["4", "72", "0"]
    assert lines[TWO] == ["4", "58", "182"]


@pytest.mark.slow
def test_workers_and_stops_change_no_extra_board(adaptive: Path, tmp_path: Path) -> None:
    games = len(records_of(adaptive))
    with pytest.raises(RunStopped):
        play(tmp_path / "run", ADAPTIVE, StoppedCrew(games - 30, 3, crashes_at_times))
    play(tmp_path / "run", ADAPTIVE, FaultyCrew(crashes_at_times, 2))
    assert result_of(tmp_path / "run") == result_of(adaptive)


def test_an_export_with_extra_boards_is_verified(adaptive: Path) -> None:
    for line in ("export", "verify"):
        assert arena(line, adaptive).exit_code == 0
    verified = verified_export(adaptive, None)
    assert not [*verified.in_games, *verified.in_run, *verified.notices]


def test_extra_boards_need_a_stop_rule() -> None:
    with pytest.raises(SettingsError, match="--until"):
        check_settings(replace(ADAPTIVE, stop_rule=msgspec.UNSET))
