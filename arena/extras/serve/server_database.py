"""The server's SQLite database, stored as `server.db` in the contest's folder."""

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from arena.base.errors import ServeError
from arena.contest.settings import shown_time

DATABASE = "server.db"
SCHEMA_VERSION = 10
BUSY_S = 10.0
DEFAULT_ADDRESS = "http://127.0.0.1:8000"
_ADDRESS = "address"
_SCHEMA = Path(__file__).with_name("schema.sql")


class ServerDatabase:
    """An SQLite database with a separate connection for each thread."""

    def __init__(self, path: Path) -> None:
        """Open the database. A new database file can only be read by its owner.

        Raise `ServeError` if the file is not a database, has a different schema version, or can't
        be opened.
        """
        self.path = path
        self._threads = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._writing = threading.RLock()
        try:
            # Closing a descriptor of a file drops all locks of this process on it, so an existing
            # database is not opened here.
            with contextlib.suppress(FileExistsError):
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            self._create()
        except (OSError, sqlite3.Error) as error:
            self.close()
            raise ServeError(f"cannot open {path}: {error}") from None
        except ServeError:
            self.close()
            raise

    def connect(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._threads, "connection", None)
        if connection is None:
            connection = self._open()
            self._threads.connection = connection
        return connection

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        connection = self.connect()
        with self._writing:  # threads take turns; SQLite alone is not fair to them
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:  # SQLite ends it when the disk is full
                    connection.execute("ROLLBACK")
                raise

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        return self.connect().execute(query, values).fetchall()

    def row(self, query: str, *values: object) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self.connect().execute(query, values).fetchone()
        return row

    def write(self, statement: str, *values: object) -> sqlite3.Cursor:
        with self.transaction() as connection:
            return connection.execute(statement, values)

    def value(self, name: str) -> bytes | None:
        row = self.row("SELECT value FROM server WHERE name = ?", name)
        return None if row is None else bytes(row["value"])

    def keep_value(self, name: str, value: bytes) -> None:
        self.write("INSERT OR REPLACE INTO server VALUES (?, ?)", name, value)

    def close(self) -> None:
        """Close the connections of all threads. Don't use the database afterwards."""
        with self._lock:
            for connection in self._opened:
                connection.close()
            self._opened.clear()
        self._threads = threading.local()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
        )
        connection.row_factory = sqlite3.Row
        with self._lock:
            self._opened.append(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")  # never lose a confirmed change
        connection.execute("PRAGMA foreign_keys = ON")
        return connection

    def _create(self) -> None:
        with self.transaction() as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            is_empty = connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None
            if version != SCHEMA_VERSION and not (version == 0 and is_empty):
                raise ServeError(
                    f"{self.path} has schema version {version}, expected {SCHEMA_VERSION}: use the "
                    "version of bribe-arena that wrote it, or make a new contest with `arena init "
                    "NEW` and import the bots with `arena submit OLD/submissions --to NEW`"
                )
            for statement in _SCHEMA.read_text("utf-8").split(";\n"):
                connection.execute(statement)  # `executescript` would end the transaction
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


# -- times in seconds since 1970, in other forms -----------------------------------------------


def local_time(seconds: float) -> datetime:
    """Convert a Unix timestamp to local time."""
    return datetime.fromtimestamp(seconds).astimezone()


def time_of(time: datetime | float) -> str:
    if isinstance(time, int | float):
        time = local_time(time)
    return shown_time(time)


def iso_time(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


def keep_address(database: ServerDatabase, address: str) -> None:
    database.keep_value(_ADDRESS, address.encode())


def address_of(database: ServerDatabase) -> str:
    """Return the URL at which the server was last reachable. Default: `http://127.0.0.1:8000`."""
    kept = database.value(_ADDRESS)
    return DEFAULT_ADDRESS if kept is None else kept.decode()


def sign_in_link(address: str, link: str) -> str:
    return f"{address}/sign-in/{link}"
