"""Export a run as JSON lines: first a header with the run's digest, then the game records."""

import gzip
import io
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path

import msgspec

from arena.base.atomic_file import os_error_as
from arena.base.errors import StoreError
from arena.base.record import NO_OBSERVATIONS, GameRecord, read_record
from arena.rating.leaderboard import Leaderboard
from arena.tournament.database import Database
from arena.tournament.digest import RunDigest, digest_of_names, public, records_hash
from arena.tournament.display_names import display_names_of
from arena.tournament.games import count_games
from arena.tournament.settings import Settings
from arena.tournament.standings import digest_of, is_over, noted_digest, rank, shown_games
from arena.tournament.store import INSERT, SCHEMA, row_of
from engine import get_variant

EXPORT_VERSION = 4
# Longer lines are rejected before they are read completely.
MAX_LINE_BYTES = 16 * 2**20
MAX_LINES = 4_000_000
_START = b'{"type":"run"'


class ExportHeader(msgspec.Struct, frozen=True, tag="run", tag_field="type"):
    version: int
    digest: str
    """The run's digest: a SHA-256 hash of the `parts` field as compact JSON with sorted keys."""
    parts: RunDigest
    settings: Settings
    complete: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether all games were played. Unset in runs without a stop rule."""
    names: dict[str, str] | msgspec.UnsetType = msgspec.UNSET

    @property
    def is_over(self) -> bool:
        if self.complete is msgspec.UNSET:
            return self.parts.games == count_games(self.settings)
        return self.complete


def export_lines(store: Database, board: Leaderboard | None = None) -> Iterator[bytes]:
    """Yield a run as lines of JSON: a header, then the records of finished boards."""
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


class ExportedRun(Database):
    def __init__(self, path: Path, database: sqlite3.Connection, header: ExportHeader) -> None:
        super().__init__(path, database, path.name)
        self.header = header
        self.display_names = header.names or {}


def open_exported_run(path: Path, *, is_unchecked: bool = False) -> ExportedRun:
    """Load an exported run from an untrusted file into a temporary database.

    Raise `StoreError` if a line can't be read or doesn't belong to the run, or if the export
    doesn't match its digest. Pass `is_unchecked` to skip the digest check.
    """
    with os_error_as(StoreError, f"cannot read {path}"):
        file = gzip.GzipFile(path) if path.suffix == ".gz" else path.open("rb")
    with file, ExitStack() as opened:
        lines = _lines(file, path)
        header = _read_header(next(lines, b""), path)
        database = opened.enter_context(closing(sqlite3.connect("")))  # a temporary file of SQLite
        try:
            with database:
                _fill(database, header, lines, path)
        except sqlite3.Error as error:
            raise StoreError(f"cannot read {path}: {error}") from None
        run, parts = ExportedRun(path, database, header), header.parts
        found = (*records_hash(run.record_digests()), digest_of_names(run.display_names))
        is_right = found == (parts.games, parts.records, parts.names)
        if not (is_unchecked or (is_right and header.digest == parts.value)):
            raise StoreError(
                f"{path} was changed after the export: `arena verify {path}` shows the first "
                "difference"
            )
        opened.pop_all()
    return run


def _lines(file: io.BufferedIOBase, path: Path) -> Iterator[bytes]:
    try:
        for number in count(1):
            if not (line := file.readline(MAX_LINE_BYTES + 1)):
                return
            if len(line) > MAX_LINE_BYTES or number > MAX_LINES:
                raise StoreError(
                    f"{path} is not an export: line {number} has more than {MAX_LINE_BYTES:,} "
                    f"bytes, or there are more than {MAX_LINES:,} lines"
                )
            yield line.rstrip(b"\r\n")
    except (EOFError, OSError, zlib.error) as error:
        raise StoreError(f"cannot read {path}: {error}") from None


def _read_header(line: bytes, path: Path) -> ExportHeader:
    if not line.startswith(_START):
        raise StoreError(
            f"{path} does not begin with the header of an export: expected a file as "
            "printed by `arena export`"
        )
    try:
        version = msgspec.json.decode(line, type=_Version).version
        if version != EXPORT_VERSION:
            raise StoreError(
                f"{path} has version {version} of exports, expected {EXPORT_VERSION}: "
                "use the version of bribe-arena that wrote it"
            )
        header = msgspec.json.decode(line, type=ExportHeader)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"cannot read the header of {path}: {error}") from None
    if msgspec.json.encode(header) != line:
        raise StoreError(
            f"the header of {path} was changed after the export: its fields or the "
            "spaces between them differ"
        )
    return header


class _Version(msgspec.Struct):
    version: int = 0


def _fill(
    database: sqlite3.Connection, header: ExportHeader, lines: Iterable[bytes], path: Path
) -> None:
    database.executescript(SCHEMA)
    settings = msgspec.json.encode(header.settings)
    noted = msgspec.json.encode(header.parts) if header.is_over else None
    database.execute("INSERT INTO run VALUES (?, ?)", [settings, noted])
    last: GameRecord | None = None
    for position, line in enumerate(lines):
        try:
            record = read_record(line)
            _check_place(record, last, header.settings)
            row = row_of(record.key, position, line, NO_OBSERVATIONS)
            if not database.execute(INSERT, row.values).rowcount:
                raise ValueError("the game occurs twice")
        except (ValueError, RecursionError) as error:
            raise StoreError(
                f"{path}, line {position + 2}: expected a game record of the run: {error!s:.200}"
            ) from None
        last = record


def _check_place(record: GameRecord, last: GameRecord | None, settings: Settings) -> None:
    if record.variant not in settings.variants:
        raise ValueError(f"variant: got {record.variant!r}, expected one of the run")
    seats = get_variant(record.variant).seats
    lengths = {len({*record.entrants}), len(record.entrants), len(record.points), len(record.ranks)}
    if lengths != {seats} or record.rotation >= seats or record.win_weight < 1:
        raise ValueError(f"expected {seats} entrants, points and ranks, and a lower rotation")
    if any(not 0 <= fault.seat < seats for fault in record.faults):
        raise ValueError("faults: expected the number of a seat")
    if names := {*record.entrants} - {bot.name for bot in settings.entrants}:
        raise ValueError(f"entrants: got {min(names)!r}, expected a bot of the run")
    if last and (last.variant, last.board) == (record.variant, record.board):
        if bytes(last.deal) != bytes(record.deal):
            raise ValueError(f"deal: differs from rotation {last.rotation} of the board")
        if _places(last) != _places(record):
            raise ValueError(f"entrants: differ from rotation {last.rotation} of the board")


def _places(record: GameRecord) -> Sequence[str]:
    seats = len(record.entrants)
    return [record.entrants[(place + record.rotation) % seats] for place in range(seats)]
