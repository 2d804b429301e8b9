"""A run to be forged, the tools of a forger (SQLite and an editor), and what verifying finds."""

import contextlib
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from arena.base.protocol import raw
from arena.base.record import NO_OBSERVATIONS, Game, GameRecord, as_game, read_record, write_record
from arena.match.referee import start_game
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.standings import noted_digest
from arena.tournament.store import DATABASE, INSERT, Store, row_of
from arena.tournament.verification import verify
from engine import get_variant
from tests.arena.command import arena
from tests.arena.runs import (
    SECRET,
    FaultyCrewWithEvidence,
    ignore,
    in_blocks,
    made_up_settings,
    play_with_faults,
    secret_settings,
    silent,
)

VARIANT = "pot-de-vin/3"
SETTINGS = in_blocks(made_up_settings(4, VARIANT, rounds=30, seed=7))
WITH_SECRET = secret_settings(SETTINGS)
WITHDRAWN = "e3"
FAULTY = "e2"
GAMES = 30
TITLE = f"{VARIANT} board 10 rotation 2"
REASON = f"{WITHDRAWN} (it had faults in 3 games in a row)"
replace = msgspec.structs.replace


def crashes(name: str, game: Game) -> bool:
    """Return whether a bot crashes: one always does, another one at times."""
    return name == WITHDRAWN or (name == FAULTY and game.board % 7 == 3 and game.rotation == 1)


def play(folder: Path, settings: Settings) -> Path:
    """Play a run to its end, and return its folder."""
    secret = SECRET if settings.secret else None
    with open_or_create(folder, settings, silent, secret) as store:
        play_missing(store, settings, FaultyCrewWithEvidence(crashes), ignore)
        finish(store)
    return folder


# -- the database ------------------------------------------------------------------------------


@contextlib.contextmanager
def database_of(folder: Path) -> Iterator[sqlite3.Connection]:
    """Give the database of a run to a forger."""
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as database:
        yield database
        database.commit()


def sql(*statements: str) -> Callable[[Path], None]:
    """Return a forgery by SQL."""

    def forge(folder: Path) -> None:
        with database_of(folder) as database:
            for statement in statements:
                database.execute(statement)

    return forge


def records_of(folder: Path) -> list[GameRecord]:
    """Return the records of a run in schedule order."""
    with Store.open(folder) as store:
        return list(store.records())


def store_again(folder: Path, records: Sequence[GameRecord]) -> None:
    """Put these records in the place of those of a run, with all that follows from them."""
    with database_of(folder) as database:
        database.execute("DELETE FROM games")
        for position, record in enumerate(records):
            row = row_of(record.key, position, write_record(record), NO_OBSERVATIONS)
            database.execute(INSERT, row.values)


def forged(change: Callable[[list[GameRecord]], object]) -> Callable[[Path], None]:
    """Return a forgery of the records of a run or of an export by somebody who knows the arena."""

    def forge(source: Path) -> None:
        if source.is_dir():
            records = records_of(source)
            change(records)
            store_again(source, records)
            return
        header, *lines = source.read_bytes().splitlines()
        records = [read_record(line) for line in lines]
        change(records)
        source.write_bytes(b"\n".join([header, *map(write_record, records)]) + b"\n")

    return forge


def one(
    find: Callable[[GameRecord], bool], forge: Callable[[GameRecord], GameRecord]
) -> Callable[[list[GameRecord]], None]:
    """Return a change of the first record that `find` likes, but for the very first one."""

    def change(records: list[GameRecord]) -> None:
        place = next(place for place, one in enumerate(records) if place and find(one))
        records[place] = forge(records[place])

    return change


def set_settings(**changes: Any) -> Callable[[Path], None]:
    """Return a forgery of the settings of a run."""

    def forge(folder: Path) -> None:
        with Store.open(folder) as store:
            settings = msgspec.convert(msgspec.to_builtins(store.settings()) | changes, Settings)
        with database_of(folder) as database:
            database.execute("UPDATE run SET settings = ?", [msgspec.json.encode(settings)])

    return forge


# -- records -----------------------------------------------------------------------------------


def has_no_fault(record: GameRecord) -> bool:
    return not record.faults


def has_crash(record: GameRecord) -> bool:
    return any(fault.kind == "crash" for fault in record.faults)


def has_withdrawn(record: GameRecord) -> bool:
    return [fault.kind for fault in record.faults] == ["withdrawn"]


def played_otherwise(record: GameRecord, deal: msgspec.Raw | None = None) -> GameRecord:
    """Return another game, legal to the last action, with its results."""
    seeds = tuple([seed + 1 for seed in record.seeds])
    other = replace(as_game(record), seeds=seeds, deal=deal or record.deal)
    return replace(play_with_faults(other, {}), seeds=record.seeds, notes=record.notes)


def on_another_deal(record: GameRecord) -> GameRecord:
    variant = get_variant(record.variant)
    return played_otherwise(record, raw(variant.deal(random.Random(99))))


def without_faults(record: GameRecord) -> GameRecord:
    """Return a record with the results that follow from its actions alone."""
    state = start_game(record.variant, record.deal)
    for action in record.actions:
        state.apply(action)
    outcome = state.outcome()
    return replace(
        record,
        faults=(),
        points=outcome.points,
        ranks=outcome.ranks,
        win_weight=outcome.win_weight,
        detail=raw(outcome.detail),
    )


# -- an export ---------------------------------------------------------------------------------


def lines(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[Path], None]:
    """Return a forgery of the lines of an export, the header included."""

    def forge(file: Path) -> None:
        before = file.read_bytes().splitlines()
        after = change(list(before))
        assert after != before
        file.write_bytes(b"\n".join(after) + b"\n")

    return forge


def in_header(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    """Return a forgery of the header."""

    def forge(all_lines: list[bytes]) -> list[bytes]:
        header = msgspec.json.decode(all_lines[0])
        change(header)
        return [msgspec.json.encode(header), *all_lines[1:]]

    return lines(forge)


def copy_of(folder: Path, parent: Path) -> Path:
    """Return the folder of a copy of a run."""
    return Path(shutil.copytree(folder, parent / "forged"))


# -- what is found ------------------------------------------------------------------------------


def secret_option(run: Path) -> list[str]:
    """Return what gives the secret of a run to `arena verify`; nothing if it has a seed."""
    secret = run.parent / "secret.txt"
    return ["--secret", str(secret)] if secret.exists() else []


def difference(source: Path, *options: str) -> str:
    """Return what `arena verify` finds wrong."""
    result = arena("verify", source, *options)
    assert (result.exit_code, result.stdout) == (1, "")
    return " ".join(result.stderr.split())


def notices_of(folder: Path) -> list[str]:
    """Verify a run without differences, and return what could not be checked."""
    notices: list[str] = []
    with Store.open(folder) as store:
        verify(store, notice=notices.append)
    return notices


def digest_in(run: Path) -> str:
    """Return the digest that a run has noted."""
    with Store.open(run) as store:
        digest = noted_digest(store)
        assert digest
        return digest.value
