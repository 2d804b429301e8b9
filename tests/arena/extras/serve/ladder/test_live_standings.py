"""Tests of what open pages show: board files and games."""

from pathlib import Path

import pytest

from arena.base.errors import RunStopped
from arena.extras.serve.ladder.ladder_files import BOARD, STATE, LadderState, StandingsFile
from arena.extras.serve.ladder.live_standings import LiveStandings
from arena.extras.serve.pages.replay_pages import find_game
from arena.rating.leaderboard import Leaderboard
from arena.tournament.finished_boards import board_of
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.standings import shown_games
from arena.tournament.store import Store
from tests.arena.extras.serve.sample_boards import keys_of, settings_of_ladder
from tests.arena.runs import ignore, silent
from tests.arena.tournament.certain_runs import StoppedCrew


def some_board(scheduled: int) -> StandingsFile:
    return StandingsFile(
        run="spring",
        is_final=False,
        is_over=False,
        made=0.0,
        scheduled=scheduled,
        may_end_early=False,
        board=Leaderboard((), {}, 0, 0),
        students={},
        bots={},
        latest=(),
    )


def test_reloads_changed_files(tmp_path: Path) -> None:
    live = LiveStandings(tmp_path)
    assert live.board() is None
    before = live.version()
    BOARD.write(tmp_path, some_board(1))
    board = live.board()
    assert board == some_board(1)
    assert live.board() is board
    after = live.version()
    assert after != before
    STATE.write(tmp_path, LadderState(activity="over", run="spring", since=0.0))
    assert live.version() != after
    assert live.board() is board
    BOARD.write(tmp_path, some_board(2))
    assert live.board() == some_board(2)


def test_renders_part_again_if_its_source_changed(tmp_path: Path) -> None:
    live, made = LiveStandings(tmp_path), iter("ab")
    assert [live.part("x", one, lambda: next(made)) for one in (1, 1, 2, 2)] == list("aabb")


# -- games that may be shown ---------------------------------------------------------------------


def test_shows_only_games_of_complete_boards(tmp_path: Path) -> None:
    run, settings = tmp_path / "run", settings_of_ladder()
    with open_or_create(run, settings, silent) as store, pytest.raises(RunStopped):
        play_missing(store, settings, StoppedCrew(20), ignore)
    keys = keys_of(run)
    assert len(keys) == 20
    with Store.open(run) as store:
        over = [game.key for game in shown_games(store)]
        boards = {board_of(result) for result in store.results()}
    assert 0 < len(over) < len(keys)
    assert len(boards) > len(over) // 3
    for key in keys:
        found = find_game(run, key)
        assert (found is not None) is (key in over)
        assert found is None or found[0].key == key
    for folder in (run, tmp_path / "none"):
        assert find_game(folder, "0" * 32) is None
