"""A run's folder: what is added stays, and what cannot be read is said in a sentence."""

import os
import shutil
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import StoreError
from arena.base.protocol import SeatFault
from arena.base.record import (
    NO_OBSERVATIONS,
    Observations,
    ResultFault,
    result_in,
    result_of,
    write_record,
    write_result,
)
from arena.tournament.database import MAX_BYTES, unpack
from arena.tournament.settings import Settings
from arena.tournament.store import DATABASE, SCHEMA_VERSION, NewPosition, Store
from tests.arena.runs import hand_made, made_up_settings, played
from tests.arena.tournament.forgeries import database_of, sql

RECORDS = [write_record(hand_made((1, 2, 3), board=number)) for number in range(1, 5)]


def plan(rounds: int = 3) -> Settings:
    """Return settings of a run."""
    return made_up_settings(3, "high-card/2", rounds=rounds)


def rows(*positions: int) -> list[tuple[str, int, bytes, Observations]]:
    """Return what is added for the games at these positions."""
    return [
        (f"key {position}", position, RECORDS[position], NO_OBSERVATIONS) for position in positions
    ]


def keys_in(store: Store) -> set[str]:
    """Return those of the keys whose games are there."""
    keys = [f"key {position}" for position in range(10)]
    return {game.key for game in store.stored_games(keys)}


def moves(store: Store, *keys: str) -> list[NewPosition]:
    """Return the moves that put the games with these keys into this order."""
    numbers = {game.key: game.number for game in store.all_games()}
    return [NewPosition(numbers[key], place) for place, key in enumerate(keys) if key in numbers]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a run with two games."""
    with Store.create(tmp_path / "results" / "spring", plan()) as store:
        store.add(rows(0, 1))
        return store.folder


def is_sentence(error: pytest.ExceptionInfo[StoreError], *names: object) -> None:
    """Check that an error is one line that names these."""
    text = str(error.value)
    assert "\n" not in text
    for name in names:
        assert str(name) in text


# -- what is added -----------------------------------------------------------------------------


def test_returns_records_in_schedule_order(folder: Path) -> None:
    with Store.open(folder) as store:
        store.add(rows(3))
        store.add(rows(2))
        assert played(store) == RECORDS


def test_game_that_counts_is_never_replaced(folder: Path) -> None:
    with Store.own(folder) as store:
        before = [game.number for game in store.all_games()]
        store.add([("key 0", 0, RECORDS[3], NO_OBSERVATIONS)])
        assert [game.number for game in store.all_games()] == before
        assert played(store) == RECORDS[:2]


@pytest.mark.parametrize(
    "change",
    [
        lambda store: store.add(rows(2, 3)),
        lambda store: store.move(moves(store, "key 1", "key 0")),
        lambda store: store.reschedule(plan(9), moves(store, "key 1", "key 0")),
    ],
    ids=["add", "move", "reschedule"],
)
def test_failed_change_leaves_the_run_as_it_was(
    change: Callable[[Store], None], folder: Path
) -> None:
    """The change of the second game fails."""
    with Store.own(folder) as store:
        with database_of(folder) as database:
            for event, position in (("INSERT", 3), ("UPDATE", 1)):
                database.execute(
                    f"CREATE TRIGGER at_{event} BEFORE {event} ON games "
                    f"WHEN NEW.position = {position} BEGIN SELECT RAISE(FAIL, 'no'); END"
                )
        with pytest.raises(StoreError, match="no"):
            change(store)
    with database_of(folder) as database:
        database.executescript("DROP TRIGGER at_INSERT; DROP TRIGGER at_UPDATE")
    with Store.open(folder) as store:
        assert played(store) == RECORDS[:2]
        assert store.settings() == plan()


def test_reads_result_without_record(folder: Path) -> None:
    fault = SeatFault(1, 4, "withdrawn", "it is late", ("pass",))
    record = msgspec.structs.replace(hand_made((2, 3, 1), board=7), faults=(fault,))
    with Store.own(folder) as store:
        store.add([("key 9", 9, write_record(record), NO_OBSERVATIONS)])
    with database_of(folder) as database:
        database.execute("UPDATE games SET record = x'7b'")
    with Store.open(folder) as store:
        found = list(store.results())
        (by_key,) = store.results_with(["key 9", "key 7"])
    assert [write_result(one) for one in found[:2]] == [
        write_result(result_in(one)) for one in RECORDS[:2]
    ]
    assert write_result(found[2]) == write_result(result_of(record))
    assert (found[2].ranks, found[2].withdrawn) == ((2, 3, 1), {"b": "it is late"})
    assert found[2].faults == (ResultFault(1, "withdrawn", "it is late"),)
    assert (by_key.number, by_key.position, by_key.result) == (3, 9, found[2])


def test_snapshot_is_consistent(folder: Path) -> None:
    with Store.open(folder) as reader, Store.own(folder) as owner:
        with reader.snapshot():
            before = played(reader)
            owner.add(rows(2))
            assert played(reader) == before
            assert reader.count() == 2
        assert reader.count() == 3
        owner.add(rows(3))  # the snapshot does not block the owner


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        RECORDS[0],
        b"\xff" * 9,
        zlib.compress(RECORDS[0])[:-1],
        zlib.compress(RECORDS[0]) + b"x",
        zlib.compress(bytes(MAX_BYTES + 1)),
    ],
)
def test_returns_uncompressed_records(data: bytes) -> None:
    """A stream that would fill the memory is none."""
    assert unpack(data) == data


def test_failed_transaction_adds_nothing(folder: Path) -> None:
    with Store.open(folder) as store:
        with database_of(folder) as database:
            database.execute(
                "CREATE TRIGGER full BEFORE INSERT ON games WHEN NEW.key = 'key 3' "
                "BEGIN SELECT RAISE(FAIL, 'the disk is full'); END"
            )
        with pytest.raises(StoreError, match="the disk is full") as caught:
            store.add(rows(2, 3))
        is_sentence(caught, folder)
        assert keys_in(store) == {"key 0", "key 1"}
        store.add(rows(2))  # and the next one is not hindered
        with database_of(folder) as database:
            database.execute("DROP TRIGGER full")
    with Store.open(folder) as store:
        assert played(store) == RECORDS[:3]


NEEDS_MODES = pytest.mark.skipif(os.name != "posix", reason="need file modes")


@NEEDS_MODES
def test_database_is_private(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with Store.create(tmp_path / "spring", plan()) as store:
            store.add(rows(0))
            store.write("leaderboard.json", "{}")
            modes = {path.name: path.stat().st_mode & 0o777 for path in store.folder.iterdir()}
    finally:
        os.umask(before)
    private = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", "leaderboard.json")
    assert {name: modes[name] for name in private} == dict.fromkeys(private, 0o600)


# -- other settings ----------------------------------------------------------------------------


def test_rescheduling_keeps_common_games(folder: Path) -> None:
    with Store.own(folder) as store:
        store.add(rows(2))
        store.reschedule(plan(rounds=9), moves(store, "key 2", "key 3", "key 0"))
        assert store.count_aside() == 1
        assert played(store) == [RECORDS[2], RECORDS[0]]
        assert store.count() == 2
        store.add([("key 3", 1, RECORDS[3], NO_OBSERVATIONS)])
        assert played(store) == [RECORDS[2], RECORDS[3], RECORDS[0]]
    with Store.open(folder) as store:
        assert store.settings() == plan(rounds=9)
        assert keys_in(store) == {"key 0", "key 1", "key 2", "key 3"}  # nothing was deleted


def test_interrupted_rescheduling_changes_nothing(folder: Path) -> None:
    def broken() -> Iterator[NewPosition]:
        yield NewPosition(2, 0)
        raise KeyboardInterrupt

    with Store.own(folder) as store:
        with pytest.raises(KeyboardInterrupt):
            store.reschedule(plan(rounds=9), broken())
        assert store.settings() == plan()
        assert played(store) == RECORDS[:2]


def test_replaced_game_is_kept(folder: Path) -> None:
    """So a game can be played again with other withdrawn bots."""
    with Store.own(folder) as store:
        store.move([NewPosition(1, None)])
        store.add([("key 0", 0, RECORDS[3], NO_OBSERVATIONS)])
        assert played(store) == [RECORDS[3], RECORDS[1]]
        counting, aside = store.stored_games(["key 0"])
        assert (counting.record, counting.position) == (RECORDS[3], 0)
        assert (aside.record, aside.position) == (RECORDS[0], None)
        store.move([NewPosition(aside.number, 0), NewPosition(counting.number, None)])
        assert played(store) == RECORDS[:2]


def test_new_settings_invalidate_the_digest(folder: Path) -> None:
    with Store.own(folder) as store:
        assert store.noted_digest() is None
        store.note_digest(plan(rounds=1))
        assert store.noted_digest() == msgspec.json.encode(plan(rounds=1))
        store.reschedule(plan(rounds=9), [])
        assert store.noted_digest() is None


# -- who owns a run ----------------------------------------------------------------------------


def test_rejects_second_owner(tmp_path: Path) -> None:
    with Store.create(tmp_path / "spring", plan()):
        with pytest.raises(StoreError) as caught:
            Store.own(tmp_path / "spring")
        is_sentence(caught, os.getpid(), "--name")
    with Store.own(tmp_path / "spring") as store:
        assert store.count() == 0


# -- what cannot be created --------------------------------------------------------------------


def test_rejects_existing_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(StoreError) as caught:
        Store.create(tmp_path, plan())
    is_sentence(caught, tmp_path, "--name", "--results")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_recreates_partially_created_run(folder: Path) -> None:
    """A command that was killed before the database had its name can be repeated."""
    (folder / DATABASE).rename(folder / f"{DATABASE}.new")
    with Store.create(folder, plan(rounds=4)) as store:
        assert store.settings() == plan(rounds=4)
        assert keys_in(store) == set()


# -- what cannot be opened ---------------------------------------------------------------------


@pytest.mark.parametrize("parent", ["file", "/proc"])
def test_reports_folder_that_cannot_be_created(tmp_path: Path, parent: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError) as caught:
        Store.create(tmp_path / parent / "spring", plan())
    is_sentence(caught, parent, "--results")


def broken_further_on(folder: Path) -> None:
    """Leave the first page, which says that it is ours, and fill the others with rubbish."""
    data = (folder / DATABASE).read_bytes()
    (folder / DATABASE).write_bytes(data[:4096].ljust(len(data), b"U"))


UNREADABLE: list[tuple[Callable[[Path], object], str]] = [
    (shutil.rmtree, "arena run --name spring"),
    (
        lambda folder: (folder / DATABASE).write_bytes(b"no database, but long enough" * 99),
        DATABASE,
    ),
    (lambda folder: (folder / DATABASE).write_bytes(b"short"), DATABASE),
    (broken_further_on, ""),
    (sql("PRAGMA user_version = 0"), f"version 0, expected {SCHEMA_VERSION}: "),
    (sql(f"PRAGMA user_version = {SCHEMA_VERSION + 1}"), f"version {SCHEMA_VERSION + 1}, "),
    *[
        (sql(statement), "")
        for statement in (
            "DROP TABLE run",
            "DROP TABLE games",
            "DELETE FROM run",
            "UPDATE run SET settings = x'7b'",
            "UPDATE run SET settings = x'ff'",
            """UPDATE run SET settings = CAST('{"rounds": "many"}' AS BLOB)""",
            "UPDATE games SET record = x'7b' WHERE position = 1",
            "UPDATE games SET record = x'ff' WHERE position = 1",
        )
    ],
]
"""What makes the folder of a run unreadable, and a part of what is said of it."""


def read_all(folder: Path) -> None:
    """Read all that there is of a run, as any command does."""
    with Store.open(folder) as store:
        store.settings()
        list(store.records())


@pytest.mark.parametrize(("spoil", "message"), UNREADABLE)
def test_reports_unreadable_database(
    folder: Path, spoil: Callable[[Path], object], message: str
) -> None:
    spoil(folder)
    with pytest.raises(StoreError) as caught:
        read_all(folder)
    is_sentence(caught, folder, message)


# -- files beside the database -----------------------------------------------------------------
