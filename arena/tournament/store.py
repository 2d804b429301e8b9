"""The folder of a run: settings and game records in SQLite, leaderboard and secret beside them.

One process at a time owns a run and adds to it. Any number of processes may read it.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from arena.contest.secret_file import SECRET_FILE, read_secret, write_secret
from arena.errors import StoreError
from arena.lock import Lock, owner_of
from arena.record import NO_OBSERVATIONS, GameRecord, Observations, read_record
from arena.schedule.chance import Secret, SecretSettings

DATABASE = "arena.db"
LOCK = "arena.lock"
SCHEMA_VERSION = 4
MAX_QUERY_KEYS = 500
"""Keys in one query."""

_SCHEMA = """
CREATE TABLE run (settings BLOB NOT NULL);
CREATE TABLE games (
    key TEXT PRIMARY KEY,
    position INTEGER,     -- in the schedule; NULL when the current schedule lacks the game
    record BLOB NOT NULL, -- JSON
    seen BLOB             -- JSON of the observations; NULL when there are none
);
CREATE INDEX games_by_position ON games (position);
"""

SettingsT = TypeVar("SettingsT", bound=msgspec.Struct)


class Store:
    """The database of one run. As a context manager it closes itself."""

    def __init__(self, folder: Path, database: sqlite3.Connection, lock: Lock | None) -> None:
        self.folder = folder
        self._database = database
        self._lock = lock

    @classmethod
    def create(
        cls, folder: Path, settings: msgspec.Struct, secret: Secret | None = None
    ) -> "Store":
        """Create the folder of a new run and lock it for this process.

        The `secret` of the run is kept in a file of its own, which only its owner may read.

        Raises:
            StoreError: the folder has other contents, cannot be written, or another process is
                creating the same run.
        """
        # The database gets its name once it has the settings: an incomplete run is never visible.
        temporary = folder / f"{DATABASE}.new"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _refuse_other_contents(folder)
            lock = Lock(folder / LOCK)
        except OSError as error:
            raise _cannot_create(folder, error) from None
        try:
            _refuse_other_contents(
                folder
            )  # another process may have created a run before we locked
            for left in (temporary, folder / SECRET_FILE):  # by a run that was killed before this
                left.unlink(missing_ok=True)
            if secret:
                write_secret(folder / SECRET_FILE, secret)
            with contextlib.closing(sqlite3.connect(temporary)) as database:
                database.execute("PRAGMA journal_mode = WAL")
                database.executescript(_SCHEMA)
                database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
                database.execute("INSERT INTO run VALUES (?)", [msgspec.json.encode(settings)])
                database.commit()
            temporary.rename(folder / DATABASE)
            return cls(folder, _connect(folder), lock)
        except (OSError, sqlite3.Error) as error:
            lock.release()
            raise _cannot_create(folder, error) from None
        except StoreError:
            lock.release()
            raise

    @classmethod
    def own(cls, folder: Path) -> "Store":
        """Open a run to add games to it. Until it is closed, no other process can.

        Raises:
            StoreError: another process owns the run, or `open` fails.
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
        """Open a run to read it.

        Raises:
            StoreError: there is no run, or another version of the arena wrote it.
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
                f"{path} has database version {version}, expected {SCHEMA_VERSION}: use the "
                "version of bribe-arena that created it"
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
        """Close the database and unlock the run."""
        self._database.close()
        if self._lock:
            self._lock.release()

    def owner(self) -> str | None:
        """Return the id of the process that is playing the run, or None."""
        return owner_of(self.folder / LOCK)

    def settings(self, kind: type[SettingsT]) -> SettingsT:
        """Return the settings of the run."""
        for (data,) in self._select("SELECT settings FROM run"):
            try:
                return msgspec.json.decode(data, type=kind)
            except (ValueError, RecursionError) as error:
                raise self._unreadable(error) from None
        raise self._unreadable("it has no settings")

    def secret(self, expected: SecretSettings | None) -> Secret | None:
        """Return the secret of the run: None if its settings `expect` none.

        Raises:
            StoreError: the file of the secret is missing or holds another secret.
            SettingsError: the file cannot be read, or others may read it.
        """
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
        """Write the file of the secret if it is missing. Raises `StoreError` if it cannot."""
        try:
            write_secret(self.folder / SECRET_FILE, secret)
        except FileExistsError:
            pass
        except OSError as error:
            raise StoreError(_cannot_write(self.folder, error)) from None

    def add(self, games: Iterable[tuple[str, int, bytes, Observations]]) -> None:
        """Add games in one transaction.

        Each is a key, a position in the schedule, a record as JSON and observations. A game that
        is stored already does not change.

        Raises:
            StoreError: the disk is full or cannot be written. None of the games is added.
        """
        rows = [
            (key, position, record, None if seen == NO_OBSERVATIONS else msgspec.json.encode(seen))
            for key, position, record, seen in games
        ]
        try:
            with self._database:
                self._database.executemany("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?)", rows)
        except sqlite3.Error as error:
            raise StoreError(_cannot_write(self.folder, error)) from None

    def count(self) -> int:
        """Return the number of scheduled games that are stored."""
        return self._count("position IS NOT NULL")

    def _count(self, which: str) -> int:
        ((number,),) = self._select(f"SELECT count(*) FROM games WHERE {which}")
        return int(number)

    def raw_records_of(self, keys: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Yield key and record, as JSON, of the stored games among `keys`."""
        for first in range(0, len(keys), MAX_QUERY_KEYS):
            some = keys[first : first + MAX_QUERY_KEYS]
            marks = ",".join("?" * len(some))
            yield from self._select(f"SELECT key, record FROM games WHERE key IN ({marks})", some)

    def reschedule(
        self, settings: msgspec.Struct, keys: Iterable[str], without: Iterable[str] = ()
    ) -> int:
        """Replace the settings and the schedule of the run, in one transaction.

        Args:
            settings: the new settings.
            keys: the keys of the new schedule, in order. Stored games with other keys are kept but
                do not count. Games that a former schedule lacked count again.
            without: the keys of games to delete, so that they are played again.

        Returns:
            The number of games that are kept but do not count.

        Raises:
            StoreError: the disk is full or cannot be written.
        """
        positions = enumerate(keys)
        try:
            with self._database as database:
                database.execute("UPDATE run SET settings = ?", [msgspec.json.encode(settings)])
                database.execute("UPDATE games SET position = NULL")
                database.executemany("DELETE FROM games WHERE key = ?", [[key] for key in without])
                database.executemany("UPDATE games SET position = ? WHERE key = ?", positions)
        except sqlite3.Error as error:
            raise StoreError(_cannot_write(self.folder, error)) from None
        return self._count("position IS NULL")

    def records(self) -> Iterator[GameRecord]:
        """Yield the records in schedule order."""
        yield from map(self._read, self.raw_records())

    def all_records(self) -> Iterator[GameRecord]:
        """Yield the records in any order, with those that do not count."""
        for (data,) in self._select("SELECT record FROM games"):
            yield self._read(data)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read one consistent state inside this context while another process adds games."""
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

    def observed_records(self) -> Iterator[tuple[GameRecord, Observations]]:
        """Yield the records in schedule order, each with its observations."""
        for record, seen in self._select(
            "SELECT record, seen FROM games WHERE position IS NOT NULL ORDER BY position"
        ):
            try:
                observed = msgspec.json.decode(seen, type=Observations) if seen else NO_OBSERVATIONS
                yield read_record(record), observed
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
        """Replace a file in the run's folder. Readers see the old or the new file, never a part."""
        temporary = self.folder / f"{name}.new"
        try:
            temporary.write_text(text, encoding="utf-8")
            os.replace(temporary, self.folder / name)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise StoreError(_cannot_write(self.folder, error)) from None


def _path_of(folder: Path) -> Path:
    """Return the path of a run's database."""
    path = folder / DATABASE
    if not path.is_file():
        raise StoreError(
            f"no run in {folder}: there is no {DATABASE}; play one with "
            f"`arena run --name {folder.name}`"
        )
    return path


def _connect(folder: Path) -> sqlite3.Connection:
    path = folder / DATABASE
    may_write = os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    if not may_write and not path.with_name(f"{DATABASE}-wal").exists():
        # Otherwise SQLite would create its log files in the folder, even to read.
        database = sqlite3.connect(f"{path.resolve().as_uri()}?immutable=1", uri=True)
    else:
        database = sqlite3.connect(path)
    try:
        database.execute("PRAGMA synchronous = FULL")  # a power cut loses no added game
        database.execute("PRAGMA user_version")  # fails if it is not a database
    except sqlite3.Error:
        database.close()
        raise
    return database


def _refuse_other_contents(folder: Path) -> None:
    """Refuse a folder with files other than those of a run that was killed while being created."""
    own: tuple[str, ...] = (LOCK, f"{DATABASE}.new")
    if (folder / LOCK).exists():  # else the secret is not that of a run, and must not be replaced
        own += (SECRET_FILE,)
    if any(not file.name.startswith(own) for file in folder.iterdir()):
        raise StoreError(
            f"{folder} exists already and is not a run: choose another name with --name, or "
            "another folder with --results"
        )


def _cannot_create(folder: Path, error: Exception) -> StoreError:
    return StoreError(f"{_cannot_write(folder, error)}; choose another folder with --results")


def _cannot_write(folder: Path, error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"cannot write {folder}: {reason}"
