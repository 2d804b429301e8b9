"""The leaderboard as people and programs read it: a table in the terminal, JSON, CSV."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.rating import OVERALL, Leaderboard, Row

COLUMNS = (
    "rank",
    "bot",
    "mu",
    "sigma",
    "rating",
    "games",
    "points_per_game",
    "win_share",
    "faults",
)


def as_json(board: Leaderboard) -> str:
    """Return a leaderboard as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(board), indent=2).decode() + "\n"


def as_csv(board: Leaderboard) -> str:
    """Return a leaderboard as CSV: a line for each bot in each table."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("variant", *COLUMNS))
    for name, rows in _tables(board):
        for row in rows:
            writer.writerow((name, *(getattr(row, column) for column in COLUMNS)))
    return text.getvalue()


def print_leaderboard(board: Leaderboard, console: Console) -> None:
    """Print a table for each variant, and the overall one last, where the eye is."""
    overall, *variants = _tables(board)
    for name, rows in [*variants, overall]:
        console.print(_table(name, rows))
    text = f"{board.games} games; rating = mu - 3 sigma; points a game; wins = share of games won"
    console.print(text, style="dim", highlight=False)
    if board.games_left_out:
        text = (
            f"{board.games_left_out} more games, of boards that are not complete, do not count yet"
        )
        console.print(text, style="dim", highlight=False)


def _tables(board: Leaderboard) -> Iterator[tuple[str, Sequence[Row]]]:
    yield OVERALL, board.overall
    if len(board.variants) > 1:
        yield from board.variants.items()


def _table(name: str, rows: Iterable[Row]) -> Table:
    table = Table(
        title=name, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1)
    )
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("bot", min_width=12, overflow="fold")
    for heading in ("mu", "sigma", "rating", "games", "points", "wins", "faults"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            str(row.rank),
            Text(row.bot),
            f"{row.mu:.2f}",
            f"{row.sigma:.2f}",
            f"{row.rating:.2f}",
            str(row.games),
            f"{row.points_per_game:.2f}",
            f"{row.win_share:.1%}",
            str(row.faults),
        )
    return table
