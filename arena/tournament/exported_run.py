"""An exported file, read like the database of a run."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena.errors import StoreError
from arena.record import NO_OBSERVATIONS, GameRecord
from arena.tournament.database import Database
from arena.tournament.digest import RunDigest
from arena.tournament.export import Export, ExportHeader, open_export, read_line
from arena.tournament.finished_boards import board_of
from arena.tournament.game_checks import GameChecks, places
from arena.tournament.journal import EMPTY_JOURNAL, sha256
from arena.tournament.store import INSERT, SCHEMA, Row, row_of


def open_exported_run(path: Path) -> Database:
    """Open the exported file of a run for reading.

    The records are put into a temporary database, which is deleted when it is closed.

    Raises:
        StoreError: the file cannot be read, has no header, or is not as it was exported.
    """
    with open_export(path) as lines:
        export = Export(iter(lines), str(path))
        if export.header is None:
            raise StoreError(
                f"{path} has no header, so the settings of its run are not known: export the run "
                "again with `arena export`"
            )
        database = sqlite3.connect("")  # a temporary file of SQLite
        try:
            with database:
                _fill(database, export, export.header, path)
        except sqlite3.Error as error:
            database.close()
            raise StoreError(f"cannot read {path}: {error}") from None
        except BaseException:
            database.close()
            raise
    exported = Database(path, database, path.name)
    exported.display_names = export.header.names or {}
    return exported


def _fill(database: sqlite3.Connection, export: Export, header: ExportHeader, path: Path) -> None:
    database.executescript(SCHEMA)
    settings = msgspec.json.encode(header.settings)
    noted = msgspec.json.encode(header.parts) if header.is_over else None
    database.execute("INSERT INTO run VALUES (?)", [settings])
    database.execute(
        "INSERT INTO journal VALUES (?, ?, ?, ?)",
        [settings, header.parts.games, EMPTY_JOURNAL, noted],
    )
    digests: list[bytes] = []
    for row in _rows(export, header, path):
        digests.append(row.digest.record)
        database.execute(INSERT, row.values)
    (stored,) = database.execute("SELECT count(*) FROM games").fetchone()
    if not (stored == len(digests) and _is_as_exported(digests, header.parts)):
        raise _changed(path)


def _rows(export: Export, header: ExportHeader, path: Path) -> Iterator[Row]:
    """Yield the games of a file whose records fit the settings in its header."""
    checks = GameChecks(header.settings, None)
    last: GameRecord | None = None
    for position, (_, line) in enumerate(export.records()):
        record = read_line(line)
        if isinstance(record, str) or not checks.fits_leaderboard(record):
            raise _changed(path)
        if last and board_of(last) == board_of(record) and places(last) != places(record):
            raise _changed(path)
        last = record
        yield row_of(record.key, position, line, NO_OBSERVATIONS)


def _is_as_exported(digests: list[bytes], parts: RunDigest) -> bool:
    return (parts.games, parts.records) == (len(digests), sha256(b"".join(digests)).hex())


def _changed(path: Path) -> StoreError:
    return StoreError(
        f"{path} is not as it was exported: `arena verify {path}` lists the differences"
    )
