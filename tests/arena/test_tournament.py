"""A run gives the same records however it is played, and it can be gone on with."""

import contextlib
import os
import signal
import sqlite3
import uuid
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import tournament
from arena.errors import RunStopped, SettingsError, StoreError
from arena.protocol import Limits
from arena.record import Game, write_record
from arena.schedule import Board
from arena.store import DATABASE, Store
from arena.tournament import (
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
from arena.worker import Batch, Played
from engine import get_variant, variants
from tests.arena.playing import NEEDS_PROC, PATIENT, WAIT_S, wait_for
from tests.arena.runs import (
    PATIENT_OPTIONS,
    bot_options,
    made_up,
    made_up_settings,
    make_bots,
    make_gated_bots,
    marked,
    play_out,
    schedule_of,
    settings_of,
    start_arena,
)

VARIANT = "pot-de-vin/3"
TEAMS = "pot-de-vin/4-teams"
BOARD = Board(VARIANT, 5, 12, ("e1", "e2", "e3"))
SETTINGS = made_up_settings(3, VARIANT)
replace = msgspec.structs.replace


def ignore(_: int) -> None:
    """Show no progress."""


def played(store: Store) -> list[bytes]:
    """Return the records of a run."""
    return list(store.raw_records())


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


def recoded(settings: Settings, name: str) -> Settings:
    """Return the settings after the code of one bot has changed."""
    changed = [
        replace(one, fingerprint="other") if one.name == name else one for one in settings.entrants
    ]
    return replace(settings, entrants=tuple(changed))


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


# -- the same run again ------------------------------------------------------------------------


def test_a_run_is_created_and_then_gone_on_with(tmp_path: Path) -> None:
    for expected in ([], [b"{}"]):
        with open_or_create(tmp_path / "spring", SETTINGS) as store:
            assert store.settings(Settings) == SETTINGS
            assert played(store) == expected
            store.add([("key", 0, b"{}")])


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (replace(SETTINGS, rounds=9), ["rounds: 3"]),
        (replace(SETTINGS, seed=1), ["seed: 0"]),
        (replace(SETTINGS, variants=(VARIANT, TEAMS)), [f"variants: {VARIANT}"]),
        (replace(SETTINGS, limits=Limits(9, 8)), ["limits: 120000 ms to start, 120000 ms a move"]),
        (replace(SETTINGS, entrants=tuple(made_up(4))), ["bots: e1, e2, e3"]),
        (recoded(SETTINGS, "e2"), ["changed bots: e2"]),
        (replace(SETTINGS, rounds=6, seed=2), ["rounds: 3", "seed: 0"]),
    ],
    ids=["rounds", "seed", "variants", "limits", "bots", "code", "two"],
)
def test_a_run_with_other_settings_is_refused_by_naming_what_differs(
    tmp_path: Path, other: Settings, named: list[str]
) -> None:
    open_or_create(tmp_path / "spring", SETTINGS).__exit__(None, None, None)
    with pytest.raises(SettingsError, match="the run spring exists with other settings") as caught:
        open_or_create(tmp_path / "spring", other)
    for difference in named:
        assert difference in str(caught.value)
    assert str(caught.value).count(": ") == len(named) + 1
    assert "--name" in str(caught.value)


def test_the_same_bots_in_another_order_are_the_same_run(tmp_path: Path) -> None:
    """Nothing of a run depends on the order in which its bots are named."""
    open_or_create(tmp_path / "spring", SETTINGS).__exit__(None, None, None)
    shuffled = replace(SETTINGS, entrants=SETTINGS.entrants[::-1])
    with open_or_create(tmp_path / "spring", shuffled) as store:
        assert played(store) == []


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="exists already"):
        open_or_create(tmp_path, SETTINGS)


# -- batches -----------------------------------------------------------------------------------


class Crew:
    """Stands in for the workers: plays in this process, and keeps what it was given."""

    batches: ClassVar[list[Batch]] = []

    def __init__(self, number: int) -> None:
        self.batches.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass

    def play(self, batches: Iterable[Batch]) -> Iterator[list[Played]]:
        for batch in batches:
            self.batches.append(batch)
            records = [(game.key, write_record(play_out(game))) for game in batch.games]
            yield [Played(key, msgspec.Raw(record)) for key, record in reversed(records)]


@pytest.fixture
def crew(monkeypatch: pytest.MonkeyPatch) -> type[Crew]:
    """Let a crew of this process play, which gets two boards at a time."""
    monkeypatch.setattr(tournament, "Workers", Crew)
    monkeypatch.setattr(tournament, "FIRST_BOARDS", 2)
    monkeypatch.setattr(tournament, "MOST_BOARDS", 2)
    return Crew


PLAYED_BY_CREW = made_up_settings(5, VARIANT, TEAMS, rounds=6)


def batched(crew: type[Crew]) -> list[Game]:
    """Return the games of all batches."""
    return [game for batch in crew.batches for game in batch.games]


def test_no_two_games_of_a_batch_have_the_same_deal(tmp_path: Path, crew: type[Crew]) -> None:
    with open_or_create(tmp_path / "spring", PLAYED_BY_CREW) as store:
        play(store, PLAYED_BY_CREW, 1, ignore)
    assert len(crew.batches) > 2
    for batch in crew.batches:
        deals = [(game.variant, bytes(game.deal)) for game in batch.games]
        assert len(set(deals)) == len(deals)
        assert batch.limits == PATIENT
        sitting = {name for game in batch.games for name in game.entrants}
        assert {entrant.name for entrant in batch.entrants} == sitting


def test_every_game_is_played_once_and_kept_in_schedule_order(
    tmp_path: Path, crew: type[Crew]
) -> None:
    progress: list[int] = []
    with open_or_create(tmp_path / "spring", PLAYED_BY_CREW) as store:
        play(store, PLAYED_BY_CREW, 1, progress.append)
        keys = [record.key for record in store.records()]
    scheduled = [game.key for game in schedule_of(PLAYED_BY_CREW)]
    assert keys == scheduled
    assert sorted(game.key for game in batched(crew)) == sorted(scheduled)
    assert sum(progress) == count_games(PLAYED_BY_CREW) == len(scheduled)


def test_a_run_that_is_complete_plays_nothing(tmp_path: Path, crew: type[Crew]) -> None:
    with open_or_create(tmp_path / "spring", PLAYED_BY_CREW) as store:
        play(store, PLAYED_BY_CREW, 1, ignore)
        before = played(store)
        play(store, PLAYED_BY_CREW, 1, ignore)
        assert played(store) == before
    assert crew.batches == []


@pytest.mark.parametrize("stop_after", [1, 2, 5, 6])
def test_a_stopped_run_plays_what_is_missing_and_ends_alike(
    tmp_path: Path, crew: type[Crew], stop_after: int
) -> None:
    with open_or_create(tmp_path / "whole", PLAYED_BY_CREW) as store:
        play(store, PLAYED_BY_CREW, 1, ignore)
        whole, whole_rank = played(store), rank(store)
    with open_or_create(tmp_path / "stopped", PLAYED_BY_CREW) as store:
        with pytest.raises(RunStopped, match="stopped after") as caught:
            play(store, PLAYED_BY_CREW, 1, stopping(stop_after))
        assert f"stopped after {len(store.keys())} of" in str(caught.value)
        kept = store.keys()
        assert len(crew.batches) == stop_after
        assert kept == {game.key for game in batched(crew)}
        assert rank(store).games + rank(store).games_left_out == len(kept)
    with open_or_create(tmp_path / "stopped", PLAYED_BY_CREW) as store:
        play(store, PLAYED_BY_CREW, 1, ignore)
        assert not kept & {game.key for game in batched(crew)}
        assert played(store) == whole
        assert rank(store) == whole_rank


def stopping(after: int) -> Callable[[int], None]:
    """Return a progress that presses Ctrl-C when it was told of games so many times."""
    told: list[int] = []

    def progress(number: int) -> None:
        told.append(number)
        if len(told) == after:
            raise KeyboardInterrupt

    return progress


def test_rankings_of_a_run_that_has_only_begun(tmp_path: Path) -> None:
    with open_or_create(tmp_path / "spring", SETTINGS) as store:
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
        with open_or_create(tmp_path / f"{workers}", run) as store:
            play(store, run, workers, ignore)
            assert not any(record.faults for record in store.records())
            outcomes.append((played(store), rank(store)))
    assert len(outcomes[0][0]) == count_games(run) == 10
    assert outcomes[0] == outcomes[1]


def test_processes_play_as_bots_in_this_process_do(tmp_path: Path, bots: list[Path]) -> None:
    """The dice of both are those of their seats."""
    run = settings_of(bots[:3], VARIANT)
    with open_or_create(tmp_path / "spring", run) as store:
        play(store, run, 3, ignore)
        assert played(store) == [write_record(play_out(game)) for game in schedule_of(run)]


def stored(folder: Path) -> int:
    """Return how many games another process has stored by now."""
    if not (folder / DATABASE).is_file():
        return 0
    with contextlib.closing(sqlite3.connect(folder / DATABASE, timeout=WAIT_S)) as database:
        (number,) = database.execute("SELECT count(*) FROM games").fetchone()
    return int(number)


@NEEDS_PROC
def test_a_killed_run_is_gone_on_with_and_ends_alike(tmp_path: Path) -> None:
    """Killed in the middle, it leaves no process, a whole database, and no game twice."""
    folders, gate = make_gated_bots(tmp_path / "bots")
    mark = uuid.uuid4().hex
    arguments = ["run", *bot_options(folders), "--variant", VARIANT, "--rounds", "24"]
    arguments += [*PATIENT_OPTIONS, "--workers", "2", "--name", "killed"]
    folder = tmp_path / "results" / "killed"
    with start_arena([*arguments, "--results", str(folder.parent)], mark) as process:
        try:
            wait_for(lambda: stored(folder) > 0, "the first games")
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    wait_for(lambda: not marked(mark), "the end of the workers and the bots")
    gate.unlink()
    with Store.open(folder) as store:
        run = store.settings(Settings)
        kept = store.keys()
        assert 0 < len(kept) < count_games(run) == 24
        before = {record.key: write_record(record) for record in store.records()}
        play(store, run, 2, ignore)
        after = {record.key: write_record(record) for record in store.records()}
        resumed, resumed_rank = played(store), rank(store)
    assert before.items() <= after.items()
    with Store.create(tmp_path / "whole", run) as store:
        play(store, run, 2, ignore)
        assert played(store) == resumed
        assert rank(store) == resumed_rank
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_every_worker_gets_something_to_do(tmp_path: Path, crew: type[Crew], workers: int) -> None:
    with open_or_create(tmp_path / "spring", PLAYED_BY_CREW) as store:
        play(store, PLAYED_BY_CREW, workers, ignore)
        assert len(store.keys()) == count_games(PLAYED_BY_CREW)
    portion = {
        game.key
        for board in islice(boards(PLAYED_BY_CREW), 2)
        for game in games_of(board, PLAYED_BY_CREW)
    }
    busy = [
        batch for batch in crew.batches if portion.intersection(game.key for game in batch.games)
    ]
    assert len(busy) >= min(workers, len(portion))
