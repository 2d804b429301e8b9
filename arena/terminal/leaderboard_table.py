"""The leaderboard and the pairs of entrants as tables in a terminal."""

from collections.abc import Iterable, Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.rating.export import tables
from arena.rating.leaderboard import Row
from arena.rating.pairs import Pair
from arena.rating.row_texts import points_text, ranks_text, wins_text
from arena.tournament.run_leaderboard import RunLeaderboard

WIDE = 96
"""Columns of a terminal from which mu and sigma are printed too."""
MATRIX_COLUMNS = 16
"""Opponents in one part of the matrix, so that it fits 100 columns."""
MATRIX_NAME = 30


def print_leaderboard(board: RunLeaderboard, console: Console) -> None:
    """Print a table for each variant, and the overall one last, where the eye is."""
    overall, *variants = tables(board)
    for name, rows in [*variants, overall]:
        console.print(_table(name, rows, wide=console.width >= WIDE))
    for text in _legend(board):
        console.print(text, style="dim", highlight=False)


def _legend(board: RunLeaderboard) -> Iterator[str]:
    yield f"{board.games} games; rating = mu - 3 sigma; points a game; wins = share of games won"
    yield "95% intervals, with boards as the unit; # 2-4: not told apart from ranks 2 to 4"
    gains = {variant: gain for variant, gain in board.duplicate_gain.items() if gain is not None}
    if gains:
        worth = ", ".join([f"{gain:.1f} at {variant}" for variant, gain in gains.items()])
        yield f"a game on a duplicate board tells as much as so many on deals of their own: {worth}"
    if out := [row.bot for row in board.overall if row.withdrawn]:
        yield f"withdrawn from the run for their faults: {', '.join(out)}"
    if board.games_left_out:
        yield (
            f"{board.games_left_out} more games, of boards that are not complete, do not count yet"
        )
    yield ": ".join([f"sandbox {board.sandbox.level}", *filter(None, [board.sandbox.promise])])


def print_pairs(pairs: Iterable[Pair], names: Sequence[str], console: Console) -> None:
    """Print the share of boards on which each row's bot was ahead of each column's.

    `names` are those of the bots in the order of the leaderboard.
    """
    ahead = {(pair.bot, pair.opponent): pair.ahead for pair in pairs}
    for first in range(0, len(names), MATRIX_COLUMNS):
        columns = list(enumerate(names, 1))[first : first + MATRIX_COLUMNS]
        lines = [" " * (MATRIX_NAME + 4) + "".join([f"{number:>4}" for number, _ in columns])]
        for number, name in enumerate(names, 1):
            shown = name if len(name) <= MATRIX_NAME else f"{name[: MATRIX_NAME - 1]}…"
            cells = [_cell(ahead.get((name, other))) for _, other in columns]
            lines.append(f"{number:>3} {shown:<{MATRIX_NAME}}{''.join(cells)}".rstrip())
        for line in [*lines, ""]:
            console.print(Text(line), highlight=False, soft_wrap=True)
    text = "% of boards on which the bot of the row was ahead of the column's; a tie counts half"
    console.print(text, style="dim", highlight=False)


def _cell(share: float | None) -> str:
    return "   ." if share is None else f"{100 * share:>4.0f}"


def _table(name: str, rows: Iterable[Row], *, wide: bool) -> Table:
    table = Table(
        title=name, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1)
    )
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("bot", min_width=12, overflow="fold")
    strength = ("mu", "sigma") if wide else ()
    for heading in (*strength, "rating", "games", "points", "wins", "faults"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            ranks_text(row),
            Text(row.bot + (" (out)" if row.withdrawn else "")),
            *([f"{row.mu:.2f}", f"{row.sigma:.2f}"] if wide else []),
            f"{row.rating:.2f}",
            str(row.games),
            points_text(row),
            wins_text(row),
            str(row.faults),
        )
    return table
