"""Read a run's database: its settings, and its games in schedule order."""

import contextlib
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

import msgspec

from arena.base.errors import StoreError
from arena.base.record import (
    NO_OBSERVATIONS,
    GameRecord,
    GameResult,
    Observations,
    read_record,
    read_result,
)
from arena.tournament.settings import Settings

# A query is aborted if SQLite executes STEPS * PATIENCE instructions without returning a row.
STEPS, PATIENCE = 1_000_000, 5_000
MAX_QUERY_KEYS = 500
IN_ORDER = "FROM games WHERE position IS NOT NULL ORDER BY position, number"

ValueT = TypeVar("ValueT")
_settings = msgspec.json.Decoder(Settings).decode
_observations = msgspec.json.Decoder(Observations).decode


class StoredGame(msgspec.Struct, frozen=True):
    number: int
    key: str
    position: int | None
    """Position in the schedule, starting at 0, or None if the game isn't part of the current
    schedule."""
    result: bytes
    record: bytes
    seen: bytes | None
    record_digest: bytes

    @property
    def observations(self) -> Observations:
        return msgspec.json.decode(self.seen, type=Observations) if self.seen else NO_OBSERVATIONS


class StoredResult(NamedTuple):
    number: int
    key: str
    position: int | None
    result: GameResult
    record_digest: bytes


class Database:
    """A run's database, opened for reading."""

    def __init__(self, path: Path, database: sqlite3.Connection, name: str = "") -> None:
        self.folder = path.parent
        self.name = name or self.folder.resolve().name
        self.display_names: Mapping[str, str] = {}
        self._path = path
        self._database = database
        self._patience = 0
        # A forged file could make a query endless.
        database.set_progress_handler(self._is_endless, STEPS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._database.close()

    def settings(self) -> Settings:
        return self._first("settings FROM run", _settings)

    def raw_settings(self) -> bytes:
        return self._first("settings FROM run", _as_bytes)

    def noted_digest(self) -> bytes | None:
        """Return the run's digest as JSON, or None if the run isn't over."""
        return self._first(
            "digest FROM run", lambda digest: None if digest is None else _as_bytes(digest)
        )

    def count(self) -> int:
        return self._first("count(*) FROM games WHERE position IS NOT NULL", int)

    def count_stored(self) -> int:
        return self._first("count(*) FROM games", int)

    def count_aside(self) -> int:
        return self._first("count(*) FROM games WHERE position IS NULL", int)

    def stored_games(self, keys: Sequence[str]) -> Iterator[StoredGame]:
        """Yield the stored games with the given keys. Games in the current schedule come first."""
        for which, some in _with_keys(keys):
            yield from self._games(which, some)

    def counting_games(self) -> Iterator[StoredGame]:
        return self._games(IN_ORDER)

    def games_between(self, first: int, last: int) -> Iterator[StoredGame]:
        which = "FROM games WHERE position BETWEEN ? AND ? ORDER BY position, number"
        return self._games(which, [first, last])

    def all_games(self) -> Iterator[StoredGame]:
        return self._games("FROM games ORDER BY number")

    def _games(self, which: str, values: Sequence[str | int] = ()) -> Iterator[StoredGame]:
        def game(*fields: Any) -> StoredGame:
            number, key, position, result, record, seen, digest = fields
            return StoredGame(
                number,
                str(key),
                position,
                _as_bytes(result),
                unpack(_as_bytes(record)),
                None if seen is None else _as_bytes(seen),
                _as_bytes(digest),
            )

        columns = "number, key, position, result, record, seen, record_digest"
        return self._read(f"{columns} {which}", game, values)

    def record_digests(self) -> Iterator[bytes]:
        return self._read(f"record_digest {IN_ORDER}", _as_bytes)

    def results(self) -> Iterator[GameResult]:
        return self._read(f"result {IN_ORDER}", read_result)

    def results_with(self, keys: Sequence[str]) -> Iterator[StoredResult]:
        """Yield the results with the given keys. Results in the current schedule come first."""
        for which, some in _with_keys(keys):
            yield from self._stored_results(which, some)

    def counting_results(self) -> Iterator[StoredResult]:
        return self._stored_results(IN_ORDER)

    def _stored_results(
        self, which: str, values: Sequence[str | int] = ()
    ) -> Iterator[StoredResult]:
        def stored(
            number: int, key: object, position: int | None, result: bytes, digest: object
        ) -> StoredResult:
            return StoredResult(number, str(key), position, read_result(result), _as_bytes(digest))

        return self._read(f"number, key, position, result, record_digest {which}", stored, values)

    def records(self) -> Iterator[GameRecord]:
        return self._read(f"record {IN_ORDER}", lambda data: read_record(unpack(_as_bytes(data))))

    def observed_records(self) -> Iterator[tuple[GameRecord, Observations]]:
        def observed(record: object, seen: bytes | None) -> tuple[GameRecord, Observations]:
            observations = _observations(seen) if seen else NO_OBSERVATIONS
            return read_record(unpack(_as_bytes(record))), observations

        return self._read(f"record, seen {IN_ORDER}", observed)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read from a snapshot of the database while games are added by another process."""
        self._database.execute("BEGIN")
        try:
            yield
        finally:
            self._database.rollback()

    def _first(self, query: str, make: Callable[..., ValueT]) -> ValueT:
        for found in self._read(query, make):
            return found
        raise self._unreadable(f"its table {query.split()[-1]!r} is empty")

    def _read(
        self, query: str, make: Callable[..., ValueT], values: Sequence[str | int] = ()
    ) -> Iterator[ValueT]:
        self._patience = PATIENCE
        try:
            for row in self._database.execute(f"SELECT {query}", values):
                yield make(*row)
                self._patience = PATIENCE
        except (sqlite3.Error, TypeError, ValueError, RecursionError) as error:
            raise self._unreadable(error) from None

    def _is_endless(self) -> bool:
        self._patience -= 1
        return self._patience < 0

    def _unreadable(self, reason: object) -> StoreError:
        return StoreError(f"cannot read {self._path}: {reason}")


def _with_keys(keys: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    for first in range(0, len(keys), MAX_QUERY_KEYS):
        some = keys[first : first + MAX_QUERY_KEYS]
        marks = ",".join("?" * len(some))
        yield f"FROM games WHERE key IN ({marks}) ORDER BY position IS NULL, number", some


def _as_bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


LEVEL = 5
MAX_BYTES = 16 * 2**20


def pack(record: bytes) -> bytes:
    return record if len(record) > MAX_BYTES else zlib.compress(record, LEVEL)


def unpack(data: bytes) -> bytes:
    """Decompress a record, or return the data unchanged if it can't be decompressed."""
    unpacker = zlib.decompressobj()
    try:
        record = unpacker.decompress(data, MAX_BYTES)
    except zlib.error:
        return data
    return record if unpacker.eof and not unpacker.unused_data else data
