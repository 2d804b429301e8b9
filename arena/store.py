"""The folder of a run: its settings and game records in SQLite, its leaderboard beside them."""

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from arena.errors import StoreError
from arena.record import GameRecord, read_record

DATABASE = "arena.db"
SCHEMA_VERSION = 1

_SCHEMA = """
CREATE TABLE run (settings BLOB NOT NULL);
CREATE TABLE games (
    key TEXT PRIMARY KEY,
    position INTEGER NOT NULL,  -- in the schedule
    record BLOB NOT NULL        -- JSON
);
CREATE INDEX games_by_position ON games (position);
"""

SettingsT = TypeVar("SettingsT", bound=msgspec.Struct)


class Store:
    """The database of one run. Use it as a context: at its end it is closed."""

    def __init__(self, folder: Path, database: sqlite3.Connection) -> None:
        self.folder = folder
        self._database = database

    @classmethod
    def create(cls, folder: Path, settings: msgspec.Struct) -> "Store":
        """Make the folder of a new run.

        Raises:
            StoreError: it exists, or cannot be written.
        """
        # A run is whole or not there: the database gets its name when it holds the settings.
        unnamed = folder / f"{DATABASE}.new"
        try:
            folder.mkdir(parents=True, exist_ok=unnamed.is_file())
            if any(file for file in folder.iterdir() if not file.name.startswith(unnamed.name)):
                raise FileExistsError
            unnamed.unlink(missing_ok=True)  # of a run that was killed while it was made
            with contextlib.closing(sqlite3.connect(unnamed)) as database:
                database.executescript(_SCHEMA)
                database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
                database.execute("INSERT INTO run VALUES (?)", [msgspec.json.encode(settings)])
                database.commit()
            unnamed.rename(folder / DATABASE)
        except FileExistsError:
            raise StoreError(
                f"{folder} exists already and is no run: choose another name with --name, or "
                "another folder with --results"
            ) from None
        except (OSError, sqlite3.Error) as error:
            advice = "choose another folder with --results"
            raise StoreError(f"{_cannot_write(folder, error)}; {advice}") from None
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> "Store":
        """Open the folder of a run.

        Raises:
            StoreError: there is no run, or one of another version of the arena.
        """
        path = folder / DATABASE
        if not path.is_file():
            raise StoreError(
                f"no run in {folder}: there is no {DATABASE}; `arena run --name {folder.name}` "
                "plays one"
            )
        try:
            database = sqlite3.connect(path)
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            version = database.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error as error:
            raise StoreError(f"cannot read {path}: {error}") from None
        if version != SCHEMA_VERSION:
            database.close()
            raise StoreError(
                f"{path} has version {version} of the database, expected {SCHEMA_VERSION}: use "
                "the version of bribe-arena that made it"
            )
        return cls(folder, database)

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
        """Close the database."""
        self._database.close()

    def settings(self, kind: type[SettingsT]) -> SettingsT:
        """Return the settings that the run was made with."""
        for (data,) in self._select("SELECT settings FROM run"):
            try:
                return msgspec.json.decode(data, type=kind)
            except (ValueError, RecursionError) as error:
                raise self._unreadable(error) from None
        raise self._unreadable("it has no settings")

    def add(self, records: Iterable[tuple[str, int, bytes]]) -> None:
        """Add games in one transaction: key, position in the schedule, record as JSON.

        A game that is there already stays as it is.

        Raises:
            StoreError: the disk is full or cannot be written; nothing of these is added.
        """
        try:
            with self._database:
                self._database.executemany("INSERT OR IGNORE INTO games VALUES (?, ?, ?)", records)
        except sqlite3.Error as error:
            raise StoreError(_cannot_write(self.folder, error)) from None

    def keys(self) -> set[str]:
        """Return the keys of the games that are there."""
        return {key for (key,) in self._select("SELECT key FROM games")}

    def records(self) -> Iterator[GameRecord]:
        """Yield the records in schedule order."""
        for data in self.raw_records():
            try:
                yield read_record(data)
            except (ValueError, RecursionError) as error:
                raise self._unreadable(error) from None

    def raw_records(self) -> Iterator[bytes]:
        """Yield the records in schedule order, as JSON."""
        for (data,) in self._select("SELECT record FROM games ORDER BY position"):
            yield data

    def _select(self, query: str) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._database.execute(query)
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


def _cannot_write(folder: Path, error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"cannot write {folder}: {reason}"
