"""Leaderboards and pairs of entrants as JSON and CSV."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from arena.rating.leaderboard import OVERALL, Leaderboard, Row
from arena.rating.pairs import Pair

COLUMNS = tuple([field for field in Row.__struct_fields__ if field != "certainty"])
"""The columns of CSV. Certainties are by opponent, so they are in JSON only."""


def as_json(board: Leaderboard) -> str:
    """Return a leaderboard as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(board), indent=2).decode() + "\n"


def as_csv(board: Leaderboard) -> str:
    """Return a leaderboard as CSV: a line for each bot in each table."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("variant", *COLUMNS))
    for name, rows in tables(board):
        for row in rows:
            writer.writerow((name, *(getattr(row, column) for column in COLUMNS)))
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


def tables(board: Leaderboard) -> Iterator[tuple[str, Sequence[Row]]]:
    """Yield the overall rows and, where there are several variants, those of each."""
    yield OVERALL, board.overall
    if len(board.variants) > 1:
        yield from board.variants.items()
