"""A run gives the same records with any number of workers, and it can be resumed."""

import random
from pathlib import Path

import msgspec
import pytest

from arena.base.record import write_record
from arena.tournament.executors.local import Workers
from arena.tournament.games import count_games
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.standings import rank
from tests.arena.playing import Games, HighCardPair, plug_in
from tests.arena.runs import (
    Crew,
    ignore,
    in_blocks,
    in_processes,
    made_up_settings,
    make_bots,
    play_out,
    played,
    schedule_of,
    settings_of,
    silent,
)
from tests.engine.high_card import Deal

VARIANT = "pot-de-vin/3"
TEAMS = "pot-de-vin/4-teams"
SETTINGS = made_up_settings(3, VARIANT)
replace = msgspec.structs.replace


# -- batches -----------------------------------------------------------------------------------


PLAYED_BY_CREW = in_blocks(made_up_settings(5, VARIANT, TEAMS, rounds=6))


def test_plays_each_game_once_in_schedule_order(tmp_path: Path, crew: Crew) -> None:
    progress: list[int] = []
    with open_or_create(tmp_path / "spring", PLAYED_BY_CREW, silent) as store:
        play_missing(store, PLAYED_BY_CREW, crew, progress.append)
        keys = [record.key for record in store.records()]
    scheduled = [game.key for game in schedule_of(PLAYED_BY_CREW)]
    assert keys == scheduled
    assert sorted(crew.given()) == sorted(scheduled)
    assert sum(progress) == count_games(PLAYED_BY_CREW) == len(scheduled)


class SameAgain(HighCardPair):
    """Deals the same cards always."""

    def deal(self, rng: random.Random) -> Deal:
        return super().deal(random.Random(0))


def test_plays_every_board_of_one_deal_games(tmp_path: Path, crew: Crew) -> None:
    settings = made_up_settings(2, SameAgain.id, rounds=6)
    folder = tmp_path / "spring"
    with plug_in(Games(SameAgain())), open_or_create(folder, settings, silent) as store:
        play_missing(store, settings, crew, ignore)
        assert store.count() == count_games(settings) == 6
        assert rank(store).games == 6


def test_ranks_unfinished_run(tmp_path: Path) -> None:
    with open_or_create(tmp_path / "spring", SETTINGS, silent) as store:
        board = rank(store)
    assert (board.games, board.games_left_out) == (0, 0)
    assert [row.games for row in board.overall] == [0] * len(SETTINGS.entrants)


# -- with processes ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Four bots with dice."""
    return make_bots(tmp_path_factory.mktemp("bots"), 4)


@pytest.mark.slow
def test_records_do_not_depend_on_tables_or_cores(tmp_path: Path, bots: list[Path]) -> None:
    run = settings_of(bots, VARIANT, rounds=12)
    found = []
    for number, (tables, pin) in enumerate([(1, True), (32, True), (8, False), (None, False)]):
        with open_or_create(tmp_path / str(number), run, silent) as store:
            play_missing(store, run, Workers(1, silent, tables=tables, pin=pin), ignore)
            found.append(played(store))
    assert len(found[0]) == count_games(run)
    assert all(records == found[0] for records in found)


def test_processes_play_like_in_process_bots(tmp_path: Path, bots: list[Path]) -> None:
    """The dice of both are those of their seats."""
    run = settings_of(bots[:3], VARIANT)
    with open_or_create(tmp_path / "spring", run, silent) as store:
        play_missing(store, run, in_processes(3), ignore)
        assert played(store) == [write_record(play_out(game)) for game in schedule_of(run)]
