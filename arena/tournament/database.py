"""The database of a run, as it is read: settings, games in schedule order, and the journal.

Records are packed: each is a zlib stream (RFC 1950) with a preset dictionary, the first record of
its variant that the run has stored. The stream names its dictionary by the Adler-32 checksum.
"""

import contextlib
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

import msgspec

from arena.errors import StoreError
from arena.record import (
    NO_OBSERVATIONS,
    GameRecord,
    GameResult,
    Observations,
    read_record,
    read_result,
)
from arena.tournament.journal import GameDigest

MAX_QUERY_KEYS = 500
"""Keys in one query."""

SettingsT = TypeVar("SettingsT", bound=msgspec.Struct)


class StoredGame(msgspec.Struct, frozen=True):
    """A game as it is stored."""

    number: int
    """From 1, in the order in which the games were stored."""
    key: str
    position: int | None
    """Its position in the schedule, from 0; None if the game does not count."""
    result: bytes
    """JSON, by `write_result`."""
    record: bytes
    """JSON."""
    seen: bytes | None
    """JSON of the observations; None if there are none."""
    digest: GameDigest
    """As it was when the game was stored."""


class StoredResult(NamedTuple):
    """The result of a stored game. The fields are those of `StoredGame`."""

    number: int
    key: str
    position: int | None
    result: GameResult
    record_digest: bytes
    """SHA-256 of the record."""


class Journal(msgspec.Struct, frozen=True):
    """What the arena noted of the run that it stored."""

    settings: bytes
    games: int
    head: bytes
    digest: bytes | None
    """JSON of the run's digest; None before all games are played."""


class Database:
    """Reads the database of a run. A value of another type than expected is read as bytes.

    As a context manager it closes itself.
    """

    def __init__(self, path: Path, database: sqlite3.Connection, name: str = "") -> None:
        """Read the `database` in the file `path`. The run is called `name`, or like its folder."""
        self.folder = path.parent
        self.name = name or self.folder.resolve().name
        self.display_names: Mapping[str, str] = {}
        """By id, the names of students that an exported file has."""
        self._path = path
        self._database = database
        self._dictionaries: dict[int, bytes] = {}
        """Those of packed records that were read, by their ids."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def settings(self, kind: type[SettingsT]) -> SettingsT:
        """Return the settings of the run."""
        for (data,) in self._select("SELECT settings FROM run"):
            try:
                return msgspec.json.decode(data, type=kind)
            except (TypeError, ValueError, RecursionError) as error:
                raise self._unreadable(error) from None
        raise self._unreadable("it has no settings")

    def raw_settings(self) -> bytes:
        """Return the settings of the run as JSON."""
        for (data,) in self._select("SELECT settings FROM run"):
            return _as_bytes(data)
        raise self._unreadable("it has no settings")

    def journal(self) -> Journal:
        """Return the journal of the run."""
        for settings, games, head, digest in self._select(
            "SELECT settings, games, head, digest FROM journal"
        ):
            return Journal(
                _as_bytes(settings),
                games if isinstance(games, int) else -1,
                _as_bytes(head),
                None if digest is None else _as_bytes(digest),
            )
        raise self._unreadable("it has no journal")

    def count(self) -> int:
        """Return the number of games that count."""
        return self._count("position IS NOT NULL")

    def count_aside(self) -> int:
        """Return the number of stored games that do not count."""
        return self._count("position IS NULL")

    def _count(self, which: str) -> int:
        ((number,),) = self._select(f"SELECT count(*) FROM games WHERE {which}")
        return int(number)

    def stored_games(self, keys: Sequence[str]) -> Iterator[StoredGame]:
        """Yield the stored games with these keys. Those that count come first."""
        for which, some in _with_keys(keys):
            yield from self._games(which, some)

    def counting_games(self) -> Iterator[StoredGame]:
        """Yield the games that count, in schedule order."""
        yield from self._games("WHERE position IS NOT NULL ORDER BY position, number")

    def games_between(self, first: int, last: int) -> Iterator[StoredGame]:
        """Yield the games that count from one position in the schedule to another, in its order."""
        which = "WHERE position BETWEEN ? AND ? ORDER BY position, number"
        yield from self._games(which, [first, last])

    def all_games(self) -> Iterator[StoredGame]:
        """Yield all games in the order in which they were stored."""
        yield from self._games("ORDER BY number")

    def _games(self, which: str, values: Sequence[str | int] = ()) -> Iterator[StoredGame]:
        for number, key, position, result, record, seen, *digests in self._select(
            "SELECT number, key, position, result, record, seen, record_digest, part_digests, "
            f"seen_digest FROM games {which}",
            values,
        ):
            yield StoredGame(
                number,
                str(key),
                position,
                _as_bytes(result),
                self._unpack(record),
                None if seen is None else _as_bytes(seen),
                GameDigest(*map(_as_bytes, digests)),
            )

    def record_digests(self) -> Iterator[bytes]:
        """Yield the SHA-256 of each record, in schedule order."""
        for (digest,) in self._select(
            "SELECT record_digest FROM games WHERE position IS NOT NULL ORDER BY position, number"
        ):
            yield _as_bytes(digest)

    def records(self) -> Iterator[GameRecord]:
        """Yield the records in schedule order."""
        try:
            for data in self.raw_records():
                yield read_record(data)
        except (ValueError, RecursionError) as error:
            raise self._unreadable(error) from None

    def results(self) -> Iterator[GameResult]:
        """Yield the results of the games, in schedule order."""
        query = "SELECT result FROM games WHERE position IS NOT NULL ORDER BY position, number"
        try:
            for (data,) in self._database.execute(query):
                yield read_result(data)
        except (sqlite3.Error, TypeError, ValueError, RecursionError) as error:
            raise self._unreadable(error) from None

    def results_with(self, keys: Sequence[str]) -> Iterator[StoredResult]:
        """Yield the results of the stored games with these keys. Those that count come first."""
        for which, some in _with_keys(keys):
            yield from self._stored_results(which, some)

    def counting_results(self) -> Iterator[StoredResult]:
        """Yield the results of the games that count, in schedule order."""
        yield from self._stored_results("WHERE position IS NOT NULL ORDER BY position, number")

    def _stored_results(
        self, which: str, values: Sequence[str | int] = ()
    ) -> Iterator[StoredResult]:
        query = f"SELECT number, key, position, result, record_digest FROM games {which}"
        try:
            for number, key, position, result, digest in self._select(query, values):
                yield StoredResult(
                    number, str(key), position, read_result(result), _as_bytes(digest)
                )
        except (TypeError, ValueError, RecursionError) as error:
            raise self._unreadable(error) from None

    def observed_records(self) -> Iterator[tuple[GameRecord, Observations]]:
        """Yield the records in schedule order, each with its observations."""
        for record, seen in self._select(
            "SELECT record, seen FROM games WHERE position IS NOT NULL ORDER BY position, number"
        ):
            try:
                observed = msgspec.json.decode(seen, type=Observations) if seen else NO_OBSERVATIONS
                yield read_record(self._unpack(record)), observed
            except (ValueError, RecursionError) as error:
                raise self._unreadable(error) from None

    def observations(self) -> Iterator[Observations]:
        """Yield the observations of the games that count and have any."""
        try:
            for (seen,) in self._select(
                "SELECT seen FROM games WHERE position IS NOT NULL AND seen IS NOT NULL"
            ):
                yield msgspec.json.decode(seen, type=Observations)
        except (ValueError, RecursionError) as error:
            raise self._unreadable(error) from None

    def raw_records(self) -> Iterator[bytes]:
        """Yield the records in schedule order, as JSON."""
        for (data,) in self._select(
            "SELECT record FROM games WHERE position IS NOT NULL ORDER BY position, number"
        ):
            yield self._unpack(data)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read one consistent state inside this context while another process adds games."""
        self._database.execute("BEGIN")
        try:
            yield
        finally:
            self._database.rollback()

    def _unpack(self, value: object) -> bytes:
        """Return the record in a value of the database. A damaged one is no JSON, or other JSON."""
        data = _as_bytes(value)
        name = dictionary_of(data)
        if name is None:
            return data
        if name not in self._dictionaries:
            self._dictionaries = {
                dictionary_id(dictionary): dictionary for dictionary in self.dictionaries().values()
            }
        dictionary = self._dictionaries.get(name)
        return data if dictionary is None else unpack_with(data, dictionary)

    def dictionaries(self) -> dict[str, bytes]:
        """Return by variant the dictionary of its packed records."""
        return {
            str(variant): _as_bytes(data)
            for variant, data in self._select("SELECT variant, data FROM dictionaries")
        }

    def _select(self, query: str, values: Sequence[str | int] = ()) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._database.execute(query, values)
        except sqlite3.Error as error:
            raise self._unreadable(error) from None

    def _unreadable(self, reason: object) -> StoreError:
        return StoreError(f"cannot read {self._path}: {reason}")


def _with_keys(keys: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield what chooses the games with these keys, some at a time, and the values in it."""
    for first in range(0, len(keys), MAX_QUERY_KEYS):
        some = keys[first : first + MAX_QUERY_KEYS]
        marks = ",".join("?" * len(some))
        yield f"WHERE key IN ({marks}) ORDER BY position IS NULL, number", some


def _as_bytes(value: object) -> bytes:
    """Return a value of the database as bytes, even if another program has stored it as text."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


LEVEL = 5
"""Of zlib. Level 6 takes a sixth more time and saves 3 % of the space. Level 4 saves a seventh of
the time and needs a tenth more space."""
MAX_BYTES = 16 * 2**20
"""A larger record is kept as it is, and a stream of more is no record: it could fill the memory."""
HEADER_BYTES = 6
_DEFLATE, _HAS_DICTIONARY = 8, 0x20


def dictionary_id(dictionary: bytes) -> int:
    """Return the number by which packed records name a dictionary."""
    return zlib.adler32(dictionary)


def pack(record: bytes, dictionary: bytes) -> bytes:
    """Return a record packed with a dictionary."""
    if len(record) > MAX_BYTES:
        return record
    packer = zlib.compressobj(LEVEL, zdict=dictionary)
    return packer.compress(record) + packer.flush()


def dictionary_of(data: bytes) -> int | None:
    """Return the id of the dictionary of a packed record; None if `data` is not packed."""
    if len(data) < HEADER_BYTES or data[0] & 0x0F != _DEFLATE or not data[1] & _HAS_DICTIONARY:
        return None
    return int.from_bytes(data[2:HEADER_BYTES], "big")


def unpack(data: bytes, dictionaries: Mapping[int, bytes]) -> bytes:
    """Return the record in `data`. What is not packed, or damaged, is returned as it is.

    `dictionaries` are those of the run, by their ids.
    """
    name = dictionary_of(data)
    dictionary = None if name is None else dictionaries.get(name)
    return data if dictionary is None else unpack_with(data, dictionary)


def unpack_with(data: bytes, dictionary: bytes) -> bytes:
    """Return the record that was packed with `dictionary`; what is damaged is returned as it is."""
    unpacker = zlib.decompressobj(zdict=dictionary)
    try:
        record = unpacker.decompress(data, MAX_BYTES)
    except zlib.error:
        return data
    return record if unpacker.eof and not unpacker.unused_data else data
