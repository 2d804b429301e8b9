"""Write leaderboards and head-to-head results as JSON and CSV."""

import csv
import io
from collections.abc import Iterable
from itertools import chain
from typing import Any

import msgspec

from arena.base.protocol import indented
from arena.rating.columns import EXPORTED, ROW_FACTS, exported_values
from arena.rating.leaderboard import Leaderboard
from arena.rating.pairs import Pair
from arena.rating.verdicts import verdict

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_json(board: Leaderboard) -> str:
    """Return a leaderboard as indented JSON, with a sentence for each table that names the leading
    bots.
    """
    own = {
        variant: rows
        for variant, rows in board.variants.items()
        if rows not in (board.overall, board.by_game.get(variant.partition("/")[0]))
    }
    board = msgspec.structs.replace(board, variants=own)
    data = msgspec.to_builtins(board)
    data["verdicts"] = {table: verdict(rows) for table, rows in board.tables.items()}
    shown = [data["overall"], *data["variants"].values(), *data["by_game"].values()]
    tables = [board.overall, *board.variants.values(), *board.by_game.values()]
    for values, row in zip(chain(*shown), chain(*tables), strict=True):
        values["ranks"] = row.ranks
    return indented(data)


def facts_of(data: Any) -> Any:
    """Return the part of a leaderboard's JSON data that is covered by the run's digest."""
    if isinstance(data, list | tuple):
        return [facts_of(value) for value in data]
    if not isinstance(data, dict):
        return data
    is_row = "bot" in data
    return {
        name: facts_of(value)
        for name, value in data.items()
        if (name in ROW_FACTS if is_row else name != "verdicts")
    }


def as_csv(board: Leaderboard) -> str:
    tables = board.tables.items()
    lines = [(name, *exported_values(row).values()) for name, rows in tables for row in rows]
    return csv_text([("variant", *EXPORTED), *lines])


def pairs_as_csv(pairs: Iterable[Pair]) -> str:
    return csv_text([Pair.__struct_fields__, *map(msgspec.structs.astuple, pairs)])


def csv_text(lines: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def text_cell(text: str) -> str:
    """Escape text that a spreadsheet would interpret as a formula."""
    shown = visible(text)
    is_formula = text.startswith(_FORMULA) or shown.lstrip().startswith(_FORMULA)
    return f"'{shown}" if is_formula else shown


def visible(text: str) -> str:
    return "".join([letter if letter.isprintable() else " " for letter in text])
