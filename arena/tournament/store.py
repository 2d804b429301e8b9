"""The folder of a run: its settings and game records in SQLite, its leaderboard beside them.

One process at a time owns a run and adds to it; any number may read.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from arena.errors import StoreError
from arena.lock import Lock, owner_of
from arena.record import NOTHING_SEEN, GameRecord, Seen, read_record

DATABASE = "arena.db"
LOCK = "arena.lock"
SCHEMA_VERSION = 3
KEYS_AT_A_TIME = 500
"""Keys that are looked up by one query."""

_SCHEMA = """
CREATE TABLE run (settings BLOB NOT NULL);
CREATE TABLE games (
    key TEXT PRIMARY KEY,
    position INTEGER,     -- in the schedule; NULL when the settings ask for the game no more
    record BLOB NOT NULL, -- JSON
    seen BLOB             -- JSON, what else was seen; NULL when nothing was
);
CREATE INDEX games_by_position ON games (position);
"""

SettingsT = TypeVar("SettingsT", bound=msgspec.Struct)


class Store:
    """The database of one run. Use it as a context: at its end it is closed."""

    def __init__(self, folder: Path, database: sqlite3.Connection, lock: Lock | None) -> None:
        self.folder = folder
        self._database = database
        self._lock = lock

    @classmethod
    def create(cls, folder: Path, settings: msgspec.Struct) -> "Store":
        """Make the folder of a new run, and own it.

        Raises:
            StoreError: it exists, cannot be written, or another process makes it just now.
        """
        # A run is whole or not there: the database gets its name when it holds the settings.
        unnamed = folder / f"{DATABASE}.new"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _refuse_what_is_there(folder)
            lock = Lock(folder / LOCK)
        except OSError as error:
            raise _cannot_create(folder, error) from None
        try:
            _refuse_what_is_there(folder)  # somebody may have made a run while we took the lock
            unnamed.unlink(missing_ok=True)  # of a run that was killed while it was made
            with contextlib.closing(sqlite3.connect(unnamed)) as database:
                database.execute("PRAGMA journal_mode = WAL")
                database.executescript(_SCHEMA)
                database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
                database.execute("INSERT INTO run VALUES (?)", [msgspec.json.encode(settings)])
                database.commit()
            unnamed.rename(folder / DATABASE)
            return cls(folder, _connect(folder), lock)
        except (OSError, sqlite3.Error) as error:
            lock.release()
            raise _cannot_create(folder, error) from None
        except StoreError:
            lock.release()
            raise

    @classmethod
    def own(cls, folder: Path) -> "Store":
        """Open a run to add to it; until it is closed, nobody else can.

        Raises:
            StoreError: another process owns it, or as `open` does.
        """
        _path_of(folder)
        try:
            lock = Lock(folder / LOCK)
        except OSError as error:
            raise StoreError(_cannot_write(folder, error)) from None
        try:
            store = cls.open(folder)
        except StoreError:
            lock.release()
            raise
        store._lock = lock
        return store

    @classmethod
    def open(cls, folder: Path) -> "Store":
        """Open a run to read what is there.

        Raises:
            StoreError: there is no run, or one of another version of the arena.
        """
        path = _path_of(folder)
        try:
            database = _connect(folder)
        except sqlite3.Error as error:
            raise StoreError(f"cannot read {path}: {error}") from None
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version != SCHEMA_VERSION:
            database.close()
            raise StoreError(
                f"{path} has version {version} of the database, expected {SCHEMA_VERSION}: use "
                "the version of bribe-arena that made it"
            )
        return cls(folder, database, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database, and give up the run."""
        self._database.close()
        if self._lock:
            self._lock.release()

    def owner(self) -> str | None:
        """Return the id of the process that is playing the run, or None if none is."""
        return owner_of(self.folder / LOCK)

    def settings(self, kind: type[SettingsT]) -> SettingsT:
        """Return the settings that the run was made with."""
        for (data,) in self._select("SELECT settings FROM run"):
            try:
                return msgspec.json.decode(data, type=kind)
            except (ValueError, RecursionError) as error:
                raise self._unreadable(error) from None
        raise self._unreadable("it has no settings")

    def add(self, games: Iterable[tuple[str, int, bytes, Seen]]) -> None:
        """Add games in one transaction: key, position in the schedule, record as JSON, and what
        was seen besides.

        A game that is there already stays as it is.

        Raises:
            StoreError: the disk is full or cannot be written; nothing of these is added.
        """
        rows = [
            (key, position, record, None if seen == NOTHING_SEEN else msgspec.json.encode(seen))
            for key, position, record, seen in games
        ]
        try:
            with self._database:
                self._database.executemany("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?)", rows)
        except sqlite3.Error as error:
            raise StoreError(_cannot_write(self.folder, error)) from None

    def count(self) -> int:
        """Return how many of the scheduled games are there."""
        return self._count("position IS NOT NULL")

    def _count(self, which: str) -> int:
        ((number,),) = self._select(f"SELECT count(*) FROM games WHERE {which}")
        return int(number)

    def raw_records_of(self, keys: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Yield key and record, as JSON, of those of the keys whose games are there."""
        for first in range(0, len(keys), KEYS_AT_A_TIME):
            some = keys[first : first + KEYS_AT_A_TIME]
            marks = ",".join("?" * len(some))
            yield from self._select(f"SELECT key, record FROM games WHERE key IN ({marks})", some)

    def reschedule(
        self, settings: msgspec.Struct, keys: Iterable[str], without: Iterable[str] = ()
    ) -> int:
        """Give the run other settings, whose games have these keys, in schedule order.

        Games that are not among them are kept, but do not count; those that former settings left
        out count again. Those `without` are to be played again. All of it happens, or nothing.

        Returns:
            How many games are kept that do not count.

        Raises:
            StoreError: the disk is full or cannot be written.
        """
        places = enumerate(keys)
        try:
            with self._database as database:
                database.execute("UPDATE run SET settings = ?", [msgspec.json.encode(settings)])
                database.execute("UPDATE games SET position = NULL")
                database.executemany("DELETE FROM games WHERE key = ?", [[key] for key in without])
                database.executemany("UPDATE games SET position = ? WHERE key = ?", places)
        except sqlite3.Error as error:
            raise StoreError(_cannot_write(self.folder, error)) from None
        return self._count("position IS NULL")

    def records(self) -> Iterator[GameRecord]:
        """Yield the records in schedule order."""
        yield from map(self._read, self.raw_records())

    def all_records(self) -> Iterator[GameRecord]:
        """Yield the records in any order, also those that do not count."""
        for (data,) in self._select("SELECT record FROM games"):
            yield self._read(data)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Hold what is read inside at one moment, though another process adds to the run."""
        self._database.execute("BEGIN")
        try:
            yield
        finally:
            self._database.rollback()

    def _read(self, data: bytes) -> GameRecord:
        try:
            return read_record(data)
        except (ValueError, RecursionError) as error:
            raise self._unreadable(error) from None

    def what_was_seen(self) -> Iterator[tuple[GameRecord, Seen]]:
        """Yield the records in schedule order, each with what was seen besides."""
        for record, seen in self._select(
            "SELECT record, seen FROM games WHERE position IS NOT NULL ORDER BY position"
        ):
            try:
                besides = msgspec.json.decode(seen, type=Seen) if seen else NOTHING_SEEN
                yield read_record(record), besides
            except (ValueError, RecursionError) as error:
                raise self._unreadable(error) from None

    def raw_records(self) -> Iterator[bytes]:
        """Yield the records in schedule order, as JSON."""
        for (data,) in self._select(
            "SELECT record FROM games WHERE position IS NOT NULL ORDER BY position"
        ):
            yield data

    def _select(self, query: str, values: Sequence[str] = ()) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._database.execute(query, values)
        except sqlite3.Error as error:
            raise self._unreadable(error) from None

    def _unreadable(self, reason: object) -> StoreError:
        return StoreError(f"cannot read {self.folder / DATABASE}: {reason}")

    def write(self, name: str, text: str) -> None:
        """Write a file into the run's folder; whoever reads it sees the old or the new one."""
        unnamed = self.folder / f"{name}.new"
        try:
            unnamed.write_text(text, encoding="utf-8")
            os.replace(unnamed, self.folder / name)
        except OSError as error:
            unnamed.unlink(missing_ok=True)
            raise StoreError(_cannot_write(self.folder, error)) from None


def _path_of(folder: Path) -> Path:
    """Return the path of a run's database."""
    path = folder / DATABASE
    if not path.is_file():
        raise StoreError(
            f"no run in {folder}: there is no {DATABASE}; `arena run --name {folder.name}` plays "
            "one"
        )
    return path


def _connect(folder: Path) -> sqlite3.Connection:
    path = folder / DATABASE
    may_write = os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    if not may_write and not path.with_name(f"{DATABASE}-wal").exists():
        # Else SQLite would make files beside it, even to read, since it keeps a log.
        database = sqlite3.connect(f"{path.resolve().as_uri()}?immutable=1", uri=True)
    else:
        database = sqlite3.connect(path)
    try:
        database.execute("PRAGMA synchronous = FULL")  # a power cut loses no game that was added
        database.execute("PRAGMA user_version")  # fails if it is not a database
    except sqlite3.Error:
        database.close()
        raise
    return database


def _refuse_what_is_there(folder: Path) -> None:
    """Refuse a folder that has anything but what a run leaves that was killed in its making."""
    if any(not file.name.startswith((LOCK, f"{DATABASE}.new")) for file in folder.iterdir()):
        raise StoreError(
            f"{folder} exists already and is no run: choose another name with --name, or another "
            "folder with --results"
        )


def _cannot_create(folder: Path, error: Exception) -> StoreError:
    return StoreError(f"{_cannot_write(folder, error)}; choose another folder with --results")


def _cannot_write(folder: Path, error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"cannot write {folder}: {reason}"
