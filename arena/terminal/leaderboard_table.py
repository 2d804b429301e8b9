"""Print leaderboards and head-to-head matrices in the terminal."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.rating.certificate import certainty_text
from arena.rating.columns import COLUMNS, OUTSCORED, LeaderboardRow
from arena.rating.leaderboard import OVERALL, Leaderboard, no_intervals_text
from arena.rating.pairs import Pair
from arena.rating.verdicts import lines_below, verdict
from arena.terminal.text_table import (
    LINED,
    LINED_PADDING,
    Column,
    add_columns,
    fitting,
    omitted_text,
)

MAX_NAME_COLUMNS = 30
CELL_COLUMNS = 4
ORDER_MARK = " ↓"
CLOSE = "~"


def print_leaderboard(
    board: Leaderboard, console: Console, *, full: bool = False, unfinished: str = ""
) -> None:
    """Print a leaderboard and its legend. If `full` is true, also print a table for each variant
    and all details.
    """
    more = {name: rows for name, rows in board.tables.items() if name not in board.leading}
    chosen = {**(more if full else {}), **board.leading}
    shown = {name: rows for name, rows in chosen.items() if not _is_again(name, board)}
    columns = {name: _columns(board, name, rows) for name, rows in shown.items()}
    headings = min(
        [fitting(own, console.width, LINED_PADDING) for own in columns.values()], key=len
    )  # the same in all tables
    for name, rows in shown.items():
        table = Table(
            title=name, title_justify="left", title_style="bold", box=LINED, padding=(0, 1)
        )
        add_columns(table, columns[name], headings, lines_below(rows))
        console.print(table)
        if name in board.leading:
            console.print(Text(verdict(rows)))
    if unfinished:
        console.print(Text(unfinished))
    hint = omitted_text(next(iter(columns.values())), headings)
    if not full:
        hint = "`--all` and a wider terminal show more" if hint else "`--all` shows more"
    details = _details(board, headings) if full else ()
    for text in (*_legend(board, hint), *details):
        console.print(text, style="dim", highlight=False)


def _is_again(table: str, board: Leaderboard) -> bool:
    # A game with a single variant has the same table as the variant.
    game = table.partition("/")[0]
    return game in board.leading and board.variants_of(game) == [table]


def leading_columns(board: Leaderboard) -> dict[str, list[Column]]:
    return {name: _columns(board, name, rows) for name, rows in board.leading.items()}


def _legend(board: Leaderboard, more: str) -> Iterator[str]:
    order = f"sorted by {'score' if board.orders_by_score else 'rating'}"
    if not board.overall and board.games:
        order = "no overall ranking because the bots play different games"
    if board.result == "points":
        order += "; total points decide a board"
    final = "final: " if board.final else ""
    yield "; ".join(filter(None, [f"{final}{board.games} games, {order}", more]))
    yield next(column.legend for column in COLUMNS if column.key == "score")
    known = [*(board.certificate or {}).values()][:1]
    confidence = 100 * known[0].confidence if known else 95
    marks = []
    if any(map(lines_below, board.leading.values())):
        marks.append(f"bots above a line beat every bot below it ({confidence:g}% confidence)")
    if known:
        marks.append(f"{CLOSE}: scores differ by less than {known[0].epsilon:g}")
    if any(row.outscored_by for rows in board.leading.values() for row in rows):
        marks.append(f"{OUTSCORED}: worse by score")
    if any(row.withdrawn for rows in board.leading.values() for row in rows):
        marks.append("(out): withdrawn for faults")
    if marks:
        yield "; ".join(marks)
    if board.no_intervals:
        yield no_intervals_text(board.no_intervals)


def _details(board: Leaderboard, headings: Sequence[str]) -> Iterator[str]:
    shown = [column for column in COLUMNS if column.legend and column.key != "score"]
    without_mark = [heading.removesuffix(ORDER_MARK) for heading in headings]
    legends = [column.legend for column in shown if column.heading in without_mark]
    yield "; ".join([*legends, "95% intervals over boards"])
    for table, certificate in (board.certificate or {}).items():
        if table != OVERALL:
            certain = "certain" if certificate.is_certain else "not certain yet"
            text = certainty_text(certificate)
            yield f"{table}: {certain} after {certificate.boards} boards: {text}"
    for table, rows in board.tables.items():
        for row in [row for row in rows if row.outscored_by]:
            yield f"{OUTSCORED} {table}: {row.bot} is above {', '.join(row.outscored_by)}"
    out = {row.bot: None for rows in board.tables.values() for row in rows if row.withdrawn}
    if out:
        yield f"withdrawn from the run for faults: {', '.join(out)}"
    if board.unsettled:
        yield f"ratings that have not fully settled: {', '.join(board.unsettled)}"
    if board.games_left_out:
        yield f"{board.games_left_out} more games are on incomplete boards and don't count yet"
    yield ": ".join([f"sandbox {board.sandbox.level}", *filter(None, [board.sandbox.promise])])


def print_pairs(pairs: Iterable[Pair], names: Sequence[str], console: Console) -> None:
    """Print the percentage of boards on which each bot ranked ahead of each opponent."""
    ahead = {(pair.bot, pair.opponent): f"{100 * pair.ahead:{CELL_COLUMNS}.0f}" for pair in pairs}
    width = min(MAX_NAME_COLUMNS, max(map(len, names), default=0))
    numbers = [f"{number:>{CELL_COLUMNS}}" for number in range(1, len(names) + 1)]
    lines = [" " * (width + CELL_COLUMNS) + "".join(numbers)]
    for number, name in enumerate(names, 1):
        shown = name if len(name) <= width else f"{name[: width - 1]}…"
        cells = [ahead.get((name, other), "   .") for other in names]
        lines.append(f"{number:>3} {shown:<{width}}{''.join(cells)}")
    for line in [*lines, ""]:
        console.print(Text(line), highlight=False, soft_wrap=True)
    text = "% of boards on which the row's bot ranked ahead of the column's; ties count half"
    console.print(text, style="dim", highlight=False)


def _columns(board: Leaderboard, table: str, rows: Sequence[LeaderboardRow]) -> list[Column]:
    order = "score" if board.orders_by_score else "rating"
    certificate = board.certificate_of(table)
    pairs = certificate.neighbours if certificate else ()
    close = {pair.worse for pair in pairs if pair.border == "close"}
    columns = []
    for column in COLUMNS:
        cells = [column.text(row) for row in rows]
        if column.key == "rank":
            marks = [f"{CLOSE} " if row.bot in close else "" for row in rows]
            cells = list(map(str.__add__, marks, cells))
        if column.key == order:
            columns.append(Column(column.heading + ORDER_MARK, cells))
        else:
            kind: Literal["figure", "text"] = "text" if column.key == "bot" else "figure"
            columns.append(Column(column.heading, cells, column.priority, kind))
    return columns
