"""A run to be forged, the tools of a forger (SQLite and an editor), and what verifying finds."""

import contextlib
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from arena.base.protocol import SeatFault, raw
from arena.base.record import (
    Game,
    GameRecord,
    as_game,
    read_record,
    result_in,
    write_record,
    write_result,
)
from arena.match.referee import final_ranks, final_win_weight, start_game
from arena.tournament.digest import RunDigest
from arena.tournament.journal import EMPTY_JOURNAL, digest_game, extend_journal
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.store import DATABASE, Store
from engine import get_variant
from tests.arena.command import arena
from tests.arena.runs import (
    SECRET,
    FaultyCrewWithEvidence,
    ignore,
    in_portions,
    made_up_settings,
    play_with_faults,
    secret_settings,
    silent,
)

VARIANT = "pot-de-vin/3"
SETTINGS = in_portions(made_up_settings(4, VARIANT, rounds=30, seed=7))
WITH_SECRET = secret_settings(SETTINGS)
WITHDRAWN = "e3"
FAULTY = "e2"
GAMES = 30
TITLE = f"{VARIANT} board 10 rotation 2"
REASON = f"{WITHDRAWN} (it had faults in 3 games in a row)"
STORED = "not as it was when the game was stored"
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


def put(folder: Path, position: int, record: GameRecord) -> None:
    """Put a record in the place of another one."""
    with database_of(folder) as database:
        values = [write_record(record), record.key, position]
        database.execute("UPDATE games SET record = ?, key = ? WHERE position = ?", values)


def one(
    find: Callable[[GameRecord], bool], forge: Callable[[GameRecord], GameRecord]
) -> Callable[[Path], None]:
    """Return a forgery of the first record that `find` likes, but for the very first one."""

    def forge_it(folder: Path) -> None:
        for position, record in enumerate(records_of(folder)):
            if position and find(record):
                put(folder, position, forge(record))
                return
        raise AssertionError("no such record")

    return forge_it


def unpacked(folder: Path) -> None:
    """Store all records as JSON, which says the same."""
    with Store.open(folder) as store:
        games = list(store.all_games())
    with database_of(folder) as database:
        for game in games:
            values = [game.record, game.number]
            database.execute("UPDATE games SET record = ? WHERE number = ?", values)


def hash_again(folder: Path) -> None:
    """Make the results and hashes of all stored games, and the journal, those of the records."""
    with Store.open(folder) as store:
        games = list(store.all_games())
    head = EMPTY_JOURNAL
    with database_of(folder) as database:
        for game in games:
            digest = digest_game(game.record, game.seen)
            head = extend_journal(head, digest)
            database.execute(
                "UPDATE games SET result = ?, record_digest = ?, part_digests = ?, "
                "seen_digest = ? WHERE number = ?",
                [
                    write_result(result_in(game.record)),
                    *msgspec.structs.astuple(digest),
                    game.number,
                ],
            )
        database.execute("UPDATE journal SET head = ?, games = ?", [head, len(games)])


def also(*forgeries: Callable[[Path], None]) -> Callable[[Path], None]:
    """Return a forgery in several steps."""

    def forge(folder: Path) -> None:
        for each in forgeries:
            each(folder)

    return forge


def set_settings(table: str, **changes: Any) -> Callable[[Path], None]:
    """Return a forgery of the settings in `run` or `journal`."""

    def forge(folder: Path) -> None:
        with database_of(folder) as database:
            ((data,),) = database.execute(f"SELECT settings FROM {table}")
            settings = msgspec.json.decode(data) | changes
            database.execute(f"UPDATE {table} SET settings = ?", [msgspec.json.encode(settings)])

    return forge


def set_entrant(bot: str, /, **changes: Any) -> Callable[[Path], None]:
    """Return a forgery of an entrant in the settings of a run."""

    def forge(folder: Path) -> None:
        with Store.open(folder) as store:
            entrants = [
                msgspec.to_builtins(each) | (changes if each.name == bot else {})
                for each in store.settings().entrants
            ]
        set_settings("run", entrants=entrants)(folder)

    return forge


def edit(name: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    """Return a forgery of a file in the folder of a run."""

    def forge(folder: Path) -> None:
        before = (folder / name).read_text()
        after = change(before)
        assert after != before
        (folder / name).write_text(after)

    return forge


# -- records -----------------------------------------------------------------------------------


def has_no_fault(record: GameRecord) -> bool:
    return not record.faults


def has_crash(record: GameRecord) -> bool:
    return any(fault.kind == "crash" for fault in record.faults)


def has_withdrawn(record: GameRecord) -> bool:
    return [fault.kind for fault in record.faults] == ["withdrawn"]


def scored_again(record: GameRecord) -> GameRecord:
    """Return a record with the results that follow from its actions and faults."""
    state = start_game(record.variant, record.deal)
    for action in record.actions:
        state.apply(action)
    outcome = state.outcome()
    faulty = {fault.seat for fault in record.faults}
    return replace(
        record,
        points=outcome.points,
        ranks=final_ranks(outcome.ranks, state.variant.sides, faulty),
        win_weight=final_win_weight(outcome, faulty),
        detail=raw(outcome.detail),
    )


def played_otherwise(record: GameRecord) -> GameRecord:
    """Return another game on the same deal, legal to the last action, with its results."""
    other = replace(as_game(record), seeds=tuple([seed + 1 for seed in record.seeds]))
    made = play_with_faults(other, {})
    return replace(made, seeds=record.seeds, notes=record.notes)


def without_faults(record: GameRecord) -> GameRecord:
    return scored_again(replace(record, faults=()))


def with_invented_fault(record: GameRecord) -> GameRecord:
    """Charge a seat at its last action, which a stand-in would have taken too."""
    state = start_game(record.variant, record.deal)
    found = None
    for number, action in enumerate(record.actions):
        legal = state.legal_actions()
        seat = state.seat_to_act
        if seat is not None and action == legal[0]:
            found = found or SeatFault(seat, number, "timeout", "too late", tuple(legal))
        elif found and seat == found.seat:
            found = None
        state.apply(action)
    assert found
    return scored_again(replace(record, faults=(found,)))


def as_withdrawn(record: GameRecord) -> GameRecord:
    """Have a bot withdrawn that was not."""
    name = next(name for name in record.entrants if name not in (FAULTY, WITHDRAWN))
    seat = record.entrants.index(name)
    state = start_game(record.variant, record.deal)
    actions: list[str] = []
    legal_then: Sequence[str] = ()
    first = -1
    dice = iter(record.actions)
    while (acting := state.seat_to_act) is not None:
        legal = state.legal_actions()
        wanted = next(dice, "")
        action = legal[0] if acting == seat or wanted not in legal else wanted
        if acting == seat and first < 0:
            first, legal_then = len(actions), legal
        state.apply(action)
        actions.append(action)
    fault = SeatFault(seat, first, "withdrawn", "it had faults in 9 games", tuple(legal_then))
    notes = tuple([note for note in record.notes if note.action != first])
    return scored_again(replace(record, actions=tuple(actions), faults=(fault,), notes=notes))


def on_another_deal(record: GameRecord) -> GameRecord:
    """Return the game as it would have gone on the deal of another seed, with its results."""
    variant = get_variant(record.variant)
    deal = raw(variant.deal(random.Random(99)))
    made = play_with_faults(replace(as_game(record), deal=deal), {})
    return replace(made, key=record.key)


# -- an export ---------------------------------------------------------------------------------


def lines(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[Path], None]:
    """Return a forgery of the lines of an export, the header included."""

    def forge(file: Path) -> None:
        before = file.read_bytes().splitlines()
        after = change(list(before))
        assert after != before
        file.write_bytes(b"\n".join(after) + b"\n")

    return forge


def in_line(
    find: Callable[[GameRecord], bool], forge: Callable[[GameRecord], GameRecord]
) -> Callable[[Path], None]:
    """Return a forgery of the first record that `find` likes, but for the very first one."""

    def change(all_lines: list[bytes]) -> list[bytes]:
        for number, line in enumerate(all_lines):
            if number > 1 and find(record := read_record(line)):
                all_lines[number] = write_record(forge(record))
                return all_lines
        raise AssertionError("no such record")

    return lines(change)


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


def differences(source: Path, *options: str) -> str:
    """Return what `arena verify` finds wrong."""
    result = arena("verify", source, *options)
    assert result.exit_code == 1
    return result.stdout


def digest_in(run: Path) -> str:
    """Return the digest that a run has noted."""
    with Store.open(run) as store:
        data = store.journal().digest
        assert data
        return msgspec.json.decode(data, type=RunDigest).value
