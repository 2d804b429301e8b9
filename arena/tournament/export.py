"""Export a run as JSON lines: a header with the run's digest, then one record per line.

An export can be opened like the database of a run.
"""

import gzip
import io
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena.base.atomic_file import os_error_as
from arena.base.errors import StoreError
from arena.base.record import NO_OBSERVATIONS, GameRecord, read_record
from arena.rating.leaderboard import Leaderboard
from arena.tournament.database import Database
from arena.tournament.digest import RunDigest, digest_of_names, public, sha256
from arena.tournament.display_names import display_names_of
from arena.tournament.finished_boards import board_of
from arena.tournament.game_checks import GameChecks, places
from arena.tournament.games import count_games
from arena.tournament.settings import Settings
from arena.tournament.standings import digest_of, is_over, noted_digest, rank, shown_games
from arena.tournament.store import INSERT, SCHEMA, Row, row_of

EXPORT_VERSION = 4
MAX_LINE_BYTES = 16 * 2**20
"""Maximum line length. Longer lines are rejected before they are read completely."""
MAX_LINES = 4_000_000
_START = b'{"type":"run"'


class ExportHeader(msgspec.Struct, frozen=True, tag="run", tag_field="type"):
    version: int
    digest: str
    """Digest of the run, which is the SHA-256 of `parts` as compact JSON with sorted keys."""
    parts: RunDigest
    settings: Settings
    complete: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether all games were played. Set only in runs with a stop rule, which may end early."""
    names: dict[str, str] | msgspec.UnsetType = msgspec.UNSET

    @property
    def is_over(self) -> bool:
        if self.complete is msgspec.UNSET:
            return self.parts.games == count_games(self.settings)
        return self.complete


def export_lines(store: Database, board: Leaderboard | None = None) -> Iterator[bytes]:
    """Yield the header and the records of a run as lines of JSON.

    Only finished boards of an unfinished run are exported. `board` is the leaderboard, if known.
    """
    yield msgspec.json.encode(_header(store, board))
    for game in shown_games(store):
        yield game.record


def _header(store: Database, board: Leaderboard | None) -> ExportHeader:
    settings = store.settings()
    over = noted_digest(store) is not None
    if not over:
        board = board or rank(store)
        over = is_over(settings, board)
    parts = digest_of(store, board)
    return ExportHeader(
        version=EXPORT_VERSION,
        digest=parts.value,
        parts=parts,
        settings=public(settings, is_over=over),
        complete=msgspec.UNSET if settings.stop_rule is msgspec.UNSET else over,
        names=display_names_of(store) or msgspec.UNSET,
    )


class Export:
    """Reads an untrusted export, line by line. Records can be read only once."""

    def __init__(self, file: io.BufferedIOBase, name: str) -> None:
        """Read the header from `file`. Error messages call the file `name`."""
        self._name = name
        self._file = file
        self._number = 0
        self.header = self._read_header(self._next() or b"")

    def records(self) -> Iterator[tuple[int, bytes]]:
        while (line := self._next()) is not None:
            yield self._number, line

    def _next(self) -> bytes | None:
        try:
            while line := self._file.readline(MAX_LINE_BYTES + 1):
                self._number += 1
                if len(line) > MAX_LINE_BYTES:
                    raise self._too_large(f"line {self._number} has", MAX_LINE_BYTES, "bytes")
                if self._number > MAX_LINES:
                    raise self._too_large("it has", MAX_LINES, "lines")
                if line.strip():
                    return line.rstrip(b"\r\n")
        except (EOFError, OSError, zlib.error) as error:
            text = f"cannot read {self._name} after line {self._number}: {error}"
            raise StoreError(text) from None
        return None

    def _too_large(self, what: str, most: int, unit: str) -> StoreError:
        return StoreError(f"{self._name} is not an export: {what} more than {most:,} {unit}")

    def _read_header(self, line: bytes) -> ExportHeader:
        if not line.startswith(_START):
            raise StoreError(
                f"{self._name} does not begin with the header of an export: expected a file as "
                "printed by `arena export`"
            )
        try:
            version = msgspec.json.decode(line, type=_Version).version
            if version != EXPORT_VERSION:
                raise StoreError(
                    f"{self._name} has version {version} of exports, expected {EXPORT_VERSION}: "
                    "use the version of bribe-arena that wrote it"
                )
            header = msgspec.json.decode(line, type=ExportHeader)
        except (ValueError, RecursionError) as error:
            raise StoreError(f"cannot read the header of {self._name}: {error}") from None
        if msgspec.json.encode(header) != line:
            raise StoreError(
                f"the header of {self._name} was changed after the export: its fields or the "
                "spaces between them differ"
            )
        return header


class _Version(msgspec.Struct):
    version: int = 0


def open_export(path: Path) -> io.BufferedIOBase:
    with os_error_as(StoreError, f"cannot read {path}"):
        return gzip.GzipFile(path) if path.suffix == ".gz" else path.open("rb")


def read_line(line: bytes) -> GameRecord | str:
    try:
        return read_record(line)
    except (ValueError, RecursionError) as error:
        return f"expected a game record: {error}"


def open_exported_run(path: Path) -> Database:
    """Load an export into a temporary database, which is deleted when it is closed."""
    with open_export(path) as file:
        export = Export(file, str(path))
        database = sqlite3.connect("")  # a temporary file of SQLite
        try:
            with database:
                _fill(database, export, path)
        except sqlite3.Error as error:
            database.close()
            raise StoreError(f"cannot read {path}: {error}") from None
        except BaseException:
            database.close()
            raise
    exported = Database(path, database, path.name)
    exported.display_names = export.header.names or {}
    return exported


def _fill(database: sqlite3.Connection, export: Export, path: Path) -> None:
    header = export.header
    database.executescript(SCHEMA)
    settings = msgspec.json.encode(header.settings)
    noted = msgspec.json.encode(header.parts) if header.is_over else None
    database.execute("INSERT INTO run VALUES (?, ?)", [settings, noted])
    digests: list[bytes] = []
    for row in _rows(export, path):
        digests.append(sha256(row.record))
        database.execute(INSERT, row.values)
    (stored,) = database.execute("SELECT count(*) FROM games").fetchone()
    found = len(digests), sha256(b"".join(digests)).hex(), digest_of_names(header.names or {})
    parts = header.parts
    is_right = found == (parts.games, parts.records, parts.names)
    if not (stored == len(digests) and is_right and header.digest == parts.value):
        raise _changed(path)


def _rows(export: Export, path: Path) -> Iterator[Row]:
    checks = GameChecks(export.header.settings, None)
    last: GameRecord | None = None
    for position, (_, line) in enumerate(export.records()):
        record = read_line(line)
        if isinstance(record, str) or not checks.fits_leaderboard(record):
            raise _changed(path)
        if last and board_of(last) == board_of(record) and places(last) != places(record):
            raise _changed(path)
        last = record
        yield row_of(record.key, position, line, NO_OBSERVATIONS)


def _changed(path: Path) -> StoreError:
    return StoreError(
        f"{path} was changed after the export: `arena verify {path}` lists the differences"
    )
