"""Single games of a run are shown once their board is over."""

from pathlib import Path

import pytest

from arena.errors import RunStopped
from arena.extras.serve.pages.replay_pages import find_game
from arena.tournament.finished_boards import board_in
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.standings import shown_games
from arena.tournament.store import Store
from tests.arena.extras.serve.sample_boards import keys_of, play_run, settings_of_ladder
from tests.arena.runs import ignore, silent
from tests.arena.tournament.certain_runs import StoppedCrew


def test_only_games_of_boards_that_are_over_are_shown(tmp_path: Path) -> None:
    run, settings = tmp_path / "run", settings_of_ladder()
    with open_or_create(run, settings, silent) as store, pytest.raises(RunStopped):
        play_missing(store, settings, StoppedCrew(20), ignore)
    keys = keys_of(run)
    assert len(keys) == 20
    with Store.open(run) as store:
        over = [game.key for game in shown_games(store)]
        boards = {board_in(game.record) for game in store.counting_games()}
    assert 0 < len(over) < len(keys)
    assert len(boards) > len(over) // 3
    for key in keys:
        found = find_game(run, key, None)
        assert (found is not None) is (key in over)
        assert found is None or found.record.key == key
        assert found is None or (found.rotations[found.record.rotation] == key)
        assert found is None or set(found.rotations.values()) <= set(over)


def test_games_that_were_stored_later_are_not_shown(tmp_path: Path) -> None:
    run = tmp_path / "run"
    play_run(run)
    first, *_, last = keys_of(run)
    with Store.open(run) as store:
        numbers = {game.key: game.number for game in store.counting_games()}
    assert find_game(run, last, numbers[last] - 1) is None
    assert find_game(run, first, max(numbers.values()))


def test_there_need_be_no_run_and_no_such_game(tmp_path: Path) -> None:
    assert find_game(tmp_path / "none", "0" * 32, None) is None
    play_run(tmp_path / "run")
    assert find_game(tmp_path / "run", "0" * 32, None) is None
