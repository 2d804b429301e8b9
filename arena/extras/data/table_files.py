"""The games of a run as tables for other tools: Parquet and SQLite."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, get_type_hints

from arena.base.errors import ArenaError, SettingsError
from arena.base.record import GameRecord
from arena.extras.data.game_rows import DecisionRow, SeatRow, decision_rows, seat_rows
from arena.played_run import Run

TABLES: dict[str, tuple[Any, Callable[[Iterable[GameRecord]], Iterator[Any]]]] = {
    "games": (SeatRow, seat_rows),
    "decisions": (DecisionRow, decision_rows),
}
ROWS_AT_ONCE = 50_000
"""Rows that are in memory at the same time."""


def write_parquet(run: Run, target: Path) -> int:
    """Write `games.parquet`, with a row for each seat of a game, and `decisions.parquet`.

    Args:
        run: the run.
        target: the folder, which may exist.

    Returns:
        The number of rows.

    Raises:
        ArenaError: pyarrow is not installed.
        StoreError: a record cannot be read.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise ArenaError(
            "Parquet needs a package that is not installed: `pip install 'bribe-arena[parquet]'`"
        ) from None
    kinds = {int: pyarrow.int32(), bool: pyarrow.bool_()}
    total = 0
    target.mkdir(parents=True, exist_ok=True)
    for table, (row_type, rows_of) in TABLES.items():
        hints = get_type_hints(row_type)
        schema = pyarrow.schema(
            [(name, kinds.get(hints[name], pyarrow.string())) for name in row_type._fields]
        )
        with parquet.ParquetWriter(target / f"{table}.parquet", schema) as writer:
            for rows in _in_parts(rows_of(run.games())):
                columns = dict(zip(row_type._fields, zip(*rows, strict=True), strict=True))
                writer.write_table(pyarrow.table(columns, schema=schema))
                total += len(rows)
    return total


def write_sqlite(run: Run, target: Path) -> int:
    """Write a database of SQLite with the tables `games` and `decisions`, as Datasette opens it.

    Args:
        run: the run.
        target: the file, which must not exist.

    Returns:
        The number of rows.

    Raises:
        SettingsError: the file exists.
        StoreError: a record cannot be read.
    """
    if target.exists():
        raise SettingsError(f"{target} exists already: choose another file with --to")
    total = 0
    database = sqlite3.connect(target)
    try:
        for table, (row_type, rows_of) in TABLES.items():
            names = row_type._fields
            database.execute(f"CREATE TABLE {table} ({', '.join(names)})")
            insert = f"INSERT INTO {table} VALUES ({', '.join('?' * len(names))})"
            for rows in _in_parts(rows_of(run.games())):
                with database:
                    database.executemany(insert, rows)
                total += len(rows)
            database.execute(f"CREATE INDEX {table}_by_key ON {table} (key)")
            database.execute(f"CREATE INDEX {table}_by_bot ON {table} (bot, variant)")
    finally:
        database.close()
    return total


def _in_parts(rows: Iterable[Any]) -> Iterator[list[Any]]:
    rows = iter(rows)
    while part := list(islice(rows, ROWS_AT_ONCE)):
        yield part
