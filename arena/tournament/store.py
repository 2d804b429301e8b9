"""Store each run in a folder that contains a SQLite database, the leaderboard and the secret.

Only one process at a time may add games to a run. Any number of processes may read it.
"""

import contextlib
import hashlib
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.base.atomic_file import atomic_file, flush, os_error_as
from arena.base.errors import StoreError
from arena.base.lock import Lock, owner_of
from arena.base.record import NO_OBSERVATIONS, GameResult, Observations, result_in, write_result
from arena.contest.secret_file import SECRET_FILE, read_secret, write_secret
from arena.schedule.randomness import Secret, SecretSettings
from arena.tournament.database import PATIENCE, Database, pack
from arena.tournament.settings import Settings

DATABASE = "arena.db"
LOCK = "arena.lock"
SCHEMA_VERSION = 9
OWNER_ONLY = 0o600
# Larger values in a forged file could exhaust memory.
MAX_VALUE_BYTES = 64 * 2**20

SCHEMA = """
CREATE TABLE run (
    settings BLOB NOT NULL,     -- JSON of the settings
    digest BLOB                 -- JSON of the run's digest; NULL before all games are played
);
CREATE TABLE games (            -- rows are never deleted, and change their position only
    number INTEGER PRIMARY KEY, -- from 1, in the order in which the games were stored
    key TEXT NOT NULL,
    position INTEGER,           -- in the schedule; NULL when the game does not count
    result BLOB NOT NULL,       -- JSON of a `arena.base.record.GameResult`
    record BLOB NOT NULL,       -- JSON, packed by zlib
    seen BLOB,                  -- JSON of the observations; NULL when there are none
    record_digest BLOB NOT NULL -- SHA-256 of the record, for the digest of the run
);
CREATE INDEX games_by_position ON games (position);
CREATE UNIQUE INDEX games_by_key -- one game of a key counts, and any number is set aside
    ON games (key, CASE WHEN position IS NULL THEN number ELSE 0 END);
"""


class NewPosition(NamedTuple):
    number: int
    position: int | None
    """The game's new position in the schedule, or None if the game is no longer scheduled."""


class Row(NamedTuple):
    key: str
    position: int
    result: GameResult
    record: bytes
    seen: bytes | None

    @property
    def values(self) -> list[object]:
        digest = hashlib.sha256(self.record).digest()
        record, result = pack(self.record), write_result(self.result)
        return [self.key, self.position, result, record, self.seen, digest]


class Store(Database):
    def __init__(self, folder: Path, database: sqlite3.Connection, lock: Lock | None) -> None:
        super().__init__(folder / DATABASE, database)
        self._lock = lock

    @classmethod
    def create(cls, folder: Path, settings: Settings, secret: Secret | None = None) -> "Store":
        """Create the folder of a new run, and lock the run for this process.

        Raise `StoreError` if the folder contains other files or isn't writable.
        """
        # Rename the database once it has settings, so that an incomplete run is never visible.
        temporary = folder / f"{DATABASE}.new"
        with contextlib.ExitStack() as opened:
            try:
                # Bots must not be able to read the secret or future deals.
                folder.mkdir(0o700, parents=True, exist_ok=True)
                _refuse_other_contents(folder)
                lock = Lock(folder / LOCK)
                opened.callback(lock.release)
                _refuse_other_contents(folder)  # another process may have created a run meanwhile
                for left in (temporary, folder / SECRET_FILE):  # left by a killed run
                    left.unlink(missing_ok=True)
                if secret:
                    write_secret(folder / SECRET_FILE, secret)
                temporary.touch(OWNER_ONLY)  # SQLite gives this mode to its other files too
                with contextlib.closing(sqlite3.connect(temporary)) as new:
                    new.execute("PRAGMA synchronous = OFF")  # the file is flushed once, below
                    new.execute("PRAGMA journal_mode = WAL")
                    new.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {SCHEMA_VERSION};")
                    data = msgspec.json.encode(settings)
                    new.execute("INSERT INTO run VALUES (?, NULL)", [data])
                    new.commit()
                flush(temporary)
                temporary.rename(folder / DATABASE)
                database = _connect(folder, opened)
            except (OSError, sqlite3.Error) as error:
                text = _cannot_write(folder, error)
                raise StoreError(f"{text}; choose another folder with --results") from None
            opened.pop_all()
        return cls(folder, database, lock)

    @classmethod
    def own(cls, folder: Path) -> "Store":
        """Open a run to add games to it, and lock the run for this process.

        Raise `StoreError` if another process has locked the run.
        """
        _path_of(folder)
        with contextlib.ExitStack() as opened:
            with os_error_as(StoreError, f"cannot write {folder}"):
                lock = Lock(folder / LOCK)
            opened.callback(lock.release)
            store = cls.open(folder)
            opened.pop_all()
        store._lock = lock
        return store

    @classmethod
    def open(cls, folder: Path) -> "Store":
        """Open a run for reading."""
        path = _path_of(folder)
        with contextlib.ExitStack() as opened:
            try:
                database = _connect(folder, opened)
                _check_schema(database, path)
            except sqlite3.Error as error:
                raise StoreError(f"cannot read {path}: {error}") from None
            opened.pop_all()
        return cls(folder, database, None)

    def close(self) -> None:
        super().close()
        if self._lock:
            self._lock.release()

    def owner(self) -> str | None:
        return owner_of(self.folder / LOCK)

    def secret(self, expected: SecretSettings | None) -> Secret | None:
        """Return the run's secret. Raise `StoreError` if the secret isn't the `expected` one."""
        if expected is None:
            return None
        path = self.folder / SECRET_FILE
        if not path.exists():
            raise StoreError(
                f"{path} is missing, and all deals of the run follow from it: put back a copy of "
                f"the secret with SHA-256 {expected.hash}"
            )
        secret = read_secret(path)
        if secret.hash != expected.hash:
            raise StoreError(
                f"{path} is another secret: got SHA-256 {secret.hash}, expected {expected.hash}; "
                "put back the file of this run"
            )
        return secret

    def keep_secret(self, secret: Secret) -> None:
        try:
            write_secret(self.folder / SECRET_FILE, secret)
        except FileExistsError:
            pass
        except OSError as error:
            raise StoreError(_cannot_write(self.folder, error)) from None

    def add(self, games: Iterable[tuple[str, int, bytes, Observations]]) -> None:
        self.add_rows([row_of(*game) for game in games])

    def add_rows(self, rows: Sequence[Row]) -> None:
        """Add games in one transaction, except for games whose keys are already in the schedule."""
        with self._writing() as database:
            database.executemany(INSERT, [row.values for row in rows])

    def move(self, moves: Sequence[NewPosition]) -> None:
        with self._writing() as database:
            _move(database, moves)

    def reschedule(self, settings: Settings, moves: Iterable[NewPosition]) -> None:
        data = msgspec.json.encode(settings)
        moves = list(moves)
        with self._writing() as database:
            database.execute("UPDATE run SET settings = ?, digest = NULL", [data])
            database.execute("UPDATE games SET position = NULL")
            _move(database, moves)

    def note_settings(self, settings: Settings) -> None:
        with self._writing() as database:
            database.execute("UPDATE run SET settings = ?", [msgspec.json.encode(settings)])

    def note_digest(self, digest: msgspec.Struct) -> None:
        with self._writing() as database:
            database.execute("UPDATE run SET digest = ?", [msgspec.json.encode(digest)])

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        self._patience = PATIENCE
        try:
            with self._database as database:
                database.execute("BEGIN IMMEDIATE")
                yield database
        except sqlite3.Error as error:
            raise StoreError(_cannot_write(self.folder, error)) from None

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        with os_error_as(StoreError, f"cannot write {path}"), atomic_file(path, OWNER_ONLY) as file:
            file.write(text.encode())


INSERT = """
INSERT OR IGNORE INTO games
(key, position, result, record, seen, record_digest) VALUES (?, ?, ?, ?, ?, ?)
"""


def row_of(key: str, position: int, record: bytes, seen: Observations) -> Row:
    data = None if seen == NO_OBSERVATIONS else msgspec.json.encode(seen)
    return Row(key, position, result_in(record), record, data)


def _move(database: sqlite3.Connection, moves: Iterable[NewPosition]) -> None:
    aside = [[move.number] for move in moves]  # first, because only one game per key may count
    database.executemany("UPDATE games SET position = NULL WHERE number = ?", aside)
    placed = [(move.position, move.number) for move in moves if move.position is not None]
    database.executemany("UPDATE games SET position = ? WHERE number = ?", placed)


def _path_of(folder: Path) -> Path:
    path = folder / DATABASE
    if not path.is_file():
        raise StoreError(
            f"no run in {folder}: there is no {DATABASE}; play one with "
            f"`arena run --name {folder.name}`"
        )
    return path


def _connect(folder: Path, opened: contextlib.ExitStack) -> sqlite3.Connection:
    path = folder / DATABASE
    may_write = os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    if not may_write and not path.with_name(f"{DATABASE}-wal").exists():
        # Otherwise, SQLite would create log files in the folder even for reading.
        database = sqlite3.connect(f"{path.resolve().as_uri()}?immutable=1", uri=True)
    else:
        database = sqlite3.connect(path)
    opened.callback(database.close)
    database.execute("PRAGMA synchronous = FULL")  # keep all games after a power cut
    database.execute("PRAGMA trusted_schema = OFF")  # the folder may be untrusted
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    return database


def _check_schema(database: sqlite3.Connection, path: Path) -> None:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"{path} has database version {version}, expected {SCHEMA_VERSION}: use the "
            "version of bribe-arena that created it"
        )
    with contextlib.closing(sqlite3.connect(":memory:")) as new:
        new.executescript(SCHEMA)
        expected = _statements(new)
    if _statements(database) != expected:
        raise StoreError(
            f"{path} does not have the tables of a run: it was changed by another program; ask "
            "for an export of the run (`arena export`) instead"
        )


def _statements(database: sqlite3.Connection) -> list[str]:
    rows = database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
    return sorted([" ".join(re.sub(r"--.*", "", sql).split()) for (sql,) in rows])


def _refuse_other_contents(folder: Path) -> None:
    own: tuple[str, ...] = (LOCK, f"{DATABASE}.new")
    if (folder / LOCK).exists():  # otherwise the secret must not be replaced
        own += (SECRET_FILE,)
    if any(not file.name.startswith(own) for file in folder.iterdir()):
        raise StoreError(
            f"{folder} already exists and is not a run: choose another name with --name, or "
            "another folder with --results"
        )


def _cannot_write(folder: Path, error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"cannot write {folder}: {reason}"
