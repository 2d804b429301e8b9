"""A run gives the same records however it is played, and it can be gone on with."""

import random
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import SettingsError
from arena.protocol import Limits
from arena.record import write_record
from arena.schedule.plan import Board
from arena.tournament.executors.local import Workers
from arena.tournament.run import (
    Settings,
    boards,
    check_settings,
    count_games,
    games_of,
    open_or_create,
    play,
    rank,
    rounds_by_variant,
)
from engine import get_variant, variants
from tests.arena.playing import PATIENT
from tests.arena.runs import (
    Crew,
    ignore,
    in_processes,
    made_up,
    made_up_settings,
    make_bots,
    play_out,
    played,
    recoded,
    schedule_of,
    settings_of,
    silent,
)

VARIANT = "pot-de-vin/3"
TEAMS = "pot-de-vin/4-teams"
BOARD = Board(VARIANT, 5, 12, ("e1", "e2", "e3"))
SETTINGS = made_up_settings(3, VARIANT)
replace = msgspec.structs.replace


# -- games of a board --------------------------------------------------------------------------


def keys_of(board: Board, settings: Settings) -> list[str]:
    """Return the keys of a board's games."""
    return [game.key for game in games_of(board, settings)]


def test_a_board_is_one_deal_in_every_rotation() -> None:
    games = games_of(BOARD, SETTINGS)
    assert [game.rotation for game in games] == [0, 1, 2]
    assert [game.entrants for game in games] == [BOARD.seating(rotation) for rotation in range(3)]
    assert {(game.variant, game.board) for game in games} == {(VARIANT, 5)}
    assert len({bytes(game.deal) for game in games}) == 1
    variant = get_variant(VARIANT)
    variant.start(variant.read_deal(msgspec.json.decode(games[0].deal)))


@pytest.mark.parametrize("variant_id", list(variants()))
def test_the_keys_of_a_run_are_distinct(variant_id: str) -> None:
    seats = get_variant(variant_id).seats
    settings = made_up_settings(seats + 1, variant_id, rounds=5 * seats)
    keys = [game.key for game in schedule_of(settings)]
    assert len(set(keys)) == len(keys) == 5 * seats


@pytest.mark.parametrize(
    ("board", "settings"),
    [
        (replace(BOARD, number=6), SETTINGS),
        (replace(BOARD, entrants=("e2", "e1", "e3")), SETTINGS),
        (BOARD, replace(SETTINGS, seed=1)),
        (BOARD, replace(SETTINGS, limits=replace(PATIENT, move_ms=1))),
        (BOARD, replace(SETTINGS, limits=replace(PATIENT, start_ms=1))),
        (BOARD, recoded(SETTINGS, "e2")),
    ],
    ids=["deal", "seating", "seed", "move limit", "start limit", "fingerprint"],
)
def test_a_key_changes_with_all_that_a_game_depends_on(board: Board, settings: Settings) -> None:
    assert not set(keys_of(board, settings)) & set(keys_of(BOARD, SETTINGS))


def test_a_key_changes_with_the_variant_and_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    four = made_up_settings(4, "pot-de-vin/4", TEAMS)
    board = Board("pot-de-vin/4", 1, 0, ("e1", "e2", "e3", "e4"))
    before = keys_of(board, four)
    assert not set(before) & set(keys_of(replace(board, variant=TEAMS), four))
    monkeypatch.setattr(type(get_variant(VARIANT)), "rules_version", 99)
    assert not set(before) & set(keys_of(board, four))


@pytest.mark.parametrize(
    ("board", "settings"),
    [
        (replace(BOARD, round=0), SETTINGS),
        (BOARD, replace(SETTINGS, rounds=9)),
        (BOARD, replace(SETTINGS, variants=(VARIANT, TEAMS))),
        (BOARD, replace(SETTINGS, entrants=tuple(made_up(5)))),
        (BOARD, recoded(replace(SETTINGS, entrants=tuple(made_up(4))), "e4")),
    ],
    ids=["round", "rounds", "variants", "entrants", "somebody else's code"],
)
def test_a_game_does_not_change_with_what_it_does_not_depend_on(
    board: Board, settings: Settings
) -> None:
    assert games_of(board, settings) == games_of(BOARD, SETTINGS)


def deal_of(board: Board, settings: Settings) -> bytes:
    """Return the deal of a board."""
    return bytes(games_of(board, settings)[0].deal)


@pytest.mark.parametrize(
    ("board", "settings"),
    [
        (replace(BOARD, entrants=("e3", "e1", "e2"), round=0), SETTINGS),
        (BOARD, replace(SETTINGS, rounds=9, limits=Limits(1, 1))),
        (BOARD, recoded(SETTINGS, "e1")),
    ],
    ids=["who plays", "how long", "code"],
)
def test_a_deal_depends_on_seed_variant_and_number_only(board: Board, settings: Settings) -> None:
    assert deal_of(board, settings) == deal_of(BOARD, SETTINGS)


def test_seeds_boards_and_variants_have_their_own_deals() -> None:
    four = made_up_settings(4, "pot-de-vin/4", TEAMS)
    board = Board("pot-de-vin/4", 1, 0, ("e1", "e2", "e3", "e4"))
    deals = [
        deal_of(board, four),
        deal_of(board, replace(four, seed=1)),
        deal_of(replace(board, number=2), four),
        deal_of(replace(board, variant=TEAMS), four),
    ]
    assert len(set(deals)) == 4


def test_every_seat_of_every_game_has_its_own_dice() -> None:
    seeds = [seed for game in schedule_of(SETTINGS) for seed in game.seeds]
    assert len(set(seeds)) == len(seeds) == 9


# -- settings ----------------------------------------------------------------------------------


@settings(max_examples=15)
@given(st.integers(6, 14), st.integers(1, 12))
def test_the_number_of_games_is_what_the_schedule_gives(number: int, rounds: int) -> None:
    run = made_up_settings(number, *variants(), rounds=rounds)
    fitting = [each for each in run.variants if get_variant(each).seats <= number]
    run = replace(run, variants=tuple(fitting))
    seats = [len(board.entrants) for board in boards(run)]
    assert count_games(run) == sum(seats)  # a board is as many games as it has seats


def test_rounds_are_rounded_up_by_variant() -> None:
    run = made_up_settings(6, VARIANT, TEAMS, rounds=5)
    assert rounds_by_variant(run) == {VARIANT: 6, TEAMS: 8}


def test_who_does_not_play_a_game_is_not_seated_there() -> None:
    entrants = (*made_up(4), *[replace(one, name="other") for one in made_up(1, ("bribery",))])
    run = replace(SETTINGS, entrants=entrants, rounds=6)
    check_settings(run)
    assert {name for game in schedule_of(run) for name in game.entrants} == {"e1", "e2", "e3", "e4"}
    assert count_games(run) == 6


def test_too_few_bots_are_told_how_many_to_add() -> None:
    with pytest.raises(SettingsError) as caught:
        check_settings(made_up_settings(2, VARIANT, TEAMS))
    text = str(caught.value)
    assert text.startswith(f"{VARIANT} seats 3, but only 2 of the bots play pot-de-vin (e1, e2)")
    assert "add 1 with --bot" in text
    assert "random" in text
    assert "--variant" in text


def test_bots_that_do_not_play_the_game_do_not_count() -> None:
    entrants = (*made_up(3)[:1], *made_up(3, ("bribery",))[1:])
    with pytest.raises(SettingsError, match=r"only 1 of the bots play pot-de-vin \(e1\): add 2 "):
        check_settings(replace(SETTINGS, entrants=entrants))
    nobody = tuple(made_up(3, ("bribery",)))
    with pytest.raises(SettingsError, match=r"only 0 of the bots play pot-de-vin \(none\): add 3 "):
        check_settings(replace(SETTINGS, entrants=nobody))


def test_enough_bots_are_accepted() -> None:
    check_settings(made_up_settings(6, "pot-de-vin/6-teams", VARIANT))


# -- batches -----------------------------------------------------------------------------------


PLAYED_BY_CREW = made_up_settings(5, VARIANT, TEAMS, rounds=6)


def test_no_two_games_of_a_batch_have_the_same_deal(tmp_path: Path, crew: Crew) -> None:
    with open_or_create(tmp_path / "spring", PLAYED_BY_CREW, silent) as store:
        play(store, PLAYED_BY_CREW, crew, ignore)
    assert len(crew.batches) > 2
    for batch in crew.batches:
        deals = [(game.variant, bytes(game.deal)) for game in batch.games]
        assert len(set(deals)) == len(deals)
        assert batch.limits == PATIENT
        sitting = {name for game in batch.games for name in game.entrants}
        assert {entrant.name for entrant in batch.entrants} == sitting


def test_every_game_is_played_once_and_kept_in_schedule_order(tmp_path: Path, crew: Crew) -> None:
    progress: list[int] = []
    with open_or_create(tmp_path / "spring", PLAYED_BY_CREW, silent) as store:
        play(store, PLAYED_BY_CREW, crew, progress.append)
        keys = [record.key for record in store.records()]
    scheduled = [game.key for game in schedule_of(PLAYED_BY_CREW)]
    assert keys == scheduled
    assert sorted(crew.given()) == sorted(scheduled)
    assert sum(progress) == count_games(PLAYED_BY_CREW) == len(scheduled)


def test_a_game_that_deals_the_same_again_is_played_on_every_board(
    tmp_path: Path, crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal = get_variant("bribery/2").deal(random.Random(0))
    monkeypatch.setattr(type(get_variant("bribery/2")), "deal", lambda _, __: deal)
    settings = made_up_settings(2, "bribery/2", rounds=6)
    with open_or_create(tmp_path / "spring", settings, silent) as store:
        play(store, settings, crew, ignore)
        assert store.count() == count_games(settings) == 6
        assert rank(store).games == 6


def test_a_run_that_is_complete_plays_nothing(tmp_path: Path, crew: Crew) -> None:
    with open_or_create(tmp_path / "spring", PLAYED_BY_CREW, silent) as store:
        play(store, PLAYED_BY_CREW, crew, ignore)
        before = played(store)
        play(store, PLAYED_BY_CREW, crew, ignore)
        assert played(store) == before
    assert crew.batches == []


def test_rankings_of_a_run_that_has_only_begun(tmp_path: Path) -> None:
    with open_or_create(tmp_path / "spring", SETTINGS, silent) as store:
        board = rank(store)
    assert (board.games, board.games_left_out) == (0, 0)
    assert [row.games for row in board.overall] == [0] * len(SETTINGS.entrants)


# -- with processes ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Four bots with dice."""
    return make_bots(tmp_path_factory.mktemp("bots"), 4)


def test_records_and_ranking_do_not_depend_on_the_number_of_workers(
    tmp_path: Path, bots: list[Path]
) -> None:
    run = settings_of(bots, VARIANT, TEAMS, rounds=4)
    outcomes: list[tuple[Any, ...]] = []
    for workers in (1, 2):
        with open_or_create(tmp_path / f"{workers}", run, silent) as store:
            play(store, run, in_processes(workers), ignore)
            assert not any(record.faults for record in store.records())
            outcomes.append((played(store), rank(store)))
    assert len(outcomes[0][0]) == count_games(run) == 10
    assert outcomes[0] == outcomes[1]


def test_records_do_not_depend_on_tables_nor_on_cores(tmp_path: Path, bots: list[Path]) -> None:
    run = settings_of(bots, VARIANT, rounds=24)
    ways: list[tuple[int | None, bool]] = [(1, True), (8, True), (32, True), (None, True)]
    ways += [(8, False), (None, False)]
    found = []
    for number, (tables, pin) in enumerate(ways):
        with open_or_create(tmp_path / str(number), run, silent) as store:
            play(store, run, Workers(1, silent, tables=tables, pin=pin), ignore)
            found.append(played(store))
    assert len(found[0]) == count_games(run)
    assert all(records == found[0] for records in found)


def test_processes_play_as_bots_in_this_process_do(tmp_path: Path, bots: list[Path]) -> None:
    """The dice of both are those of their seats."""
    run = settings_of(bots[:3], VARIANT)
    with open_or_create(tmp_path / "spring", run, silent) as store:
        play(store, run, in_processes(3), ignore)
        assert played(store) == [write_record(play_out(game)) for game in schedule_of(run)]


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_every_worker_gets_something_to_do(tmp_path: Path, crew: Crew, workers: int) -> None:
    with open_or_create(tmp_path / "spring", PLAYED_BY_CREW, silent) as store:
        crew.width = workers
        play(store, PLAYED_BY_CREW, crew, ignore)
        assert store.count() == count_games(PLAYED_BY_CREW)
    portion = {
        game.key
        for board in islice(boards(PLAYED_BY_CREW), 2)
        for game in games_of(board, PLAYED_BY_CREW)
    }
    busy = [
        batch for batch in crew.batches if portion.intersection(game.key for game in batch.games)
    ]
    assert len(busy) >= min(workers, len(portion))
