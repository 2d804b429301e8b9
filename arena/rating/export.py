"""Leaderboards and pairs of entrants as JSON and CSV."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from arena.rating.columns import (
    LeaderboardRow,
    computed_values,
    exported_names,
    exported_values,
)
from arena.rating.leaderboard import OVERALL, Leaderboard
from arena.rating.pairs import Pair


def as_json(board: Leaderboard) -> str:
    """Return a leaderboard as indented JSON."""
    data = msgspec.to_builtins(board)
    for shown, rows in zip(
        [data["overall"], *data["variants"].values()],
        [board.overall, *board.variants.values()],
        strict=True,
    ):
        for values, row in zip(shown, rows, strict=True):
            values.update(computed_values(row))
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n"


def facts_of(data: Any) -> Any:
    """Return JSON data of a leaderboard without the computed columns of its rows."""
    if isinstance(data, list):
        return [facts_of(value) for value in data]
    if not isinstance(data, dict):
        return data
    is_row = "bot" in data
    return {
        name: facts_of(value)
        for name, value in data.items()
        if not is_row or name in LeaderboardRow.__struct_fields__
    }


def as_csv(board: Leaderboard) -> str:
    """Return a leaderboard as CSV: a line for each bot in each table."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("variant", *exported_names()))
    for name, rows in tables(board):
        writer.writerows([(name, *exported_values(row).values()) for row in rows])
    return text.getvalue()


def pairs_as_json(pairs: Sequence[Pair]) -> str:
    """Return the results of each entrant against each other as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(pairs), indent=2).decode() + "\n"


def pairs_as_csv(pairs: Iterable[Pair]) -> str:
    """Return the results of each entrant against each other as CSV, a line for each pair."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Pair.__struct_fields__)
    writer.writerows([msgspec.structs.astuple(pair) for pair in pairs])
    return text.getvalue()


def tables(board: Leaderboard) -> Iterator[tuple[str, Sequence[LeaderboardRow]]]:
    """Yield the overall rows and, where there are several variants, those of each."""
    yield OVERALL, board.overall
    if len(board.variants) > 1:
        yield from board.variants.items()
