"""Tables of the leaderboard and of pairs of entrants in a terminal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.rating.certificate import Border, Certificate, certainty_text
from arena.rating.columns import LeaderboardRow, terminal_columns
from arena.rating.export import tables
from arena.rating.leaderboard import OVERALL
from arena.rating.pairs import Pair
from arena.terminal.columns import LINED, LINED_PADDING, Column, add_columns, fitting
from arena.tournament.digest import digest_lines
from arena.tournament.standings import RunLeaderboard

MAX_NAME_COLUMNS, MIN_NAME_COLUMNS = 30, 12
"""Width of the names in the matrix."""
CELL_COLUMNS = 4
"""Width of a figure in the matrix."""
ORDER_MARK = " ↓"
"""Marks the heading of the column that orders the table."""
CLOSE = "~"
"""Marks a bot that is close to the one above it."""


def print_leaderboard(board: RunLeaderboard, console: Console, *, all_tables: bool = False) -> None:
    """Print the overall table and the legend; with `all_tables`, first that of each variant."""
    overall, *variants = tables(board)
    printed = {}
    for name, rows in [*(variants if all_tables else ()), overall]:
        borders = _borders(rows, (board.certificate or {}).get(name))
        printed[name] = (_columns(rows, borders, board.orders_by_score), borders)
    headings = min(
        [fitting(columns, console.width, LINED_PADDING) for columns, _ in printed.values()], key=len
    )  # the same in all tables
    for name, (columns, borders) in printed.items():
        table = Table(
            title=name, title_justify="left", title_style="bold", box=LINED, padding=(0, 1)
        )
        lines = [rank - 1 for rank, border in borders.items() if border == "line"]
        add_columns(table, columns, headings, lines)
        console.print(table)
    if variants and not all_tables:
        text = f"`--all` also prints the tables of the {len(variants)} variants"
        console.print(text, style="dim", highlight=False)
    for text in _legend(board, headings):
        console.print(text, style="dim", highlight=False)


def overall_columns(board: RunLeaderboard) -> list[Column]:
    """Return all columns of the table over all variants."""
    borders = _borders(board.overall, (board.certificate or {}).get(OVERALL))
    return _columns(board.overall, borders, board.orders_by_score)


def _legend(board: RunLeaderboard, headings: Sequence[str]) -> Iterator[str]:
    order = "; the score orders the table" if board.orders_by_score else ", which orders the table"
    legends = {column.heading: column.legend for column in terminal_columns() if column.legend}
    yield f"{board.games} games; {legends.pop('rating')}{order}"
    yield legends.pop("score")
    ranges = "the rank by score is 2, 3 or 4; all ranges are right together at 95 %"
    if board.certificate:
        yield from _certainty_legend(board.certificate)
        if OVERALL not in board.certificate:
            yield f"overall has no lines; # 2-4: {ranges}"
    else:
        yield f"# 2-4: {ranges}"
    shown = [legend for heading, legend in legends.items() if heading in headings]
    yield "; ".join([*shown, "95 % intervals over boards"])
    gains = {variant: gain for variant, gain in board.duplicate_gain.items() if gain is not None}
    if gains:
        worth = ", ".join([f"{gain:.1f} in {variant}" for variant, gain in gains.items()])
        yield f"information of a game on a board, in games on separate deals: {worth}"
    if out := [row.bot for row in board.overall if row.withdrawn]:
        yield f"withdrawn from the run for faults: {', '.join(out)}"
    if board.games_left_out:
        yield f"{board.games_left_out} more games of incomplete boards do not count yet"
    if board.secret_hash:
        yield "secret, by its SHA-256:"
        yield from [f"  {line}" for line in digest_lines(board.secret_hash)]
    else:
        yield "deals from a seed, so bots may have predicted them"
    yield ": ".join([f"sandbox {board.sandbox.level}", *filter(None, [board.sandbox.promise])])


def _certainty_legend(certificates: Mapping[str, Certificate]) -> Iterator[str]:
    yield "a line: all above it are better than all below; # 2-4: the ranks between the lines"
    first = next(iter(certificates.values()))
    yield (
        f"{CLOSE}: the score differs from that above by less than {first.epsilon:g}; lines and "
        f"{CLOSE} are right together at {100 * first.confidence:g} %"
    )
    for name, certificate in certificates.items():
        if name != OVERALL or len(certificates) == 1:
            certain = "certain" if certificate.is_certain else "not certain yet"
            text = certainty_text(certificate)
            yield f"{name}: {certain} after {certificate.boards} boards: {text}"


def print_pairs(pairs: Iterable[Pair], names: Sequence[str], console: Console) -> None:
    """Print the share of boards on which the bot of each row ranked before that of each column.

    `names` are the bots in the order of the leaderboard.
    """
    ahead = {(pair.bot, pair.opponent): pair.ahead for pair in pairs}
    longest = max(map(len, names), default=0)
    space = console.width - CELL_COLUMNS  # without the number of the row
    width = min(longest, MAX_NAME_COLUMNS, max(MIN_NAME_COLUMNS, space // 3))
    in_a_part = max(1, (space - width) // CELL_COLUMNS)
    for first in range(0, len(names), in_a_part):
        columns = list(enumerate(names, 1))[first : first + in_a_part]
        head = "".join([f"{number:>{CELL_COLUMNS}}" for number, _ in columns])
        lines = [" " * (width + CELL_COLUMNS) + head]
        for number, name in enumerate(names, 1):
            shown = name if len(name) <= width else f"{name[: width - 1]}…"
            cells = [_cell(ahead.get((name, other))) for _, other in columns]
            lines.append(f"{number:>3} {shown:<{width}}{''.join(cells)}".rstrip())
        for line in [*lines, ""]:
            console.print(Text(line), highlight=False, soft_wrap=True)
    text = (
        "% of boards on which the bot of the row ranked before that of the column; ties count half"
    )
    console.print(text, style="dim", highlight=False)


def _cell(share: float | None) -> str:
    return f"{'.' if share is None else format(100 * share, '.0f'):>{CELL_COLUMNS}}"


def _columns(
    rows: Sequence[LeaderboardRow], borders: Mapping[int, Border], orders_by_score: bool
) -> list[Column]:
    """Return all columns of a table. The one that orders it stays longest, with the names."""
    order = "score" if orders_by_score else "rating"
    columns = []
    for column in terminal_columns():
        cells = [column.text(row) for row in rows]
        if column.key == "rank":
            marks = [f"{CLOSE} " if borders.get(row.rank - 1) == "close" else "" for row in rows]
            cells = list(map(str.__add__, marks, cells))
        if column.key == order:
            columns.append(Column(column.heading + ORDER_MARK, cells))
        else:
            kind: Literal["figure", "text"] = "text" if column.key == "bot" else "figure"
            columns.append(Column(column.heading, cells, column.priority, kind))
    return columns


def _borders(rows: Sequence[LeaderboardRow], certificate: Certificate | None) -> dict[int, Border]:
    """Return what is certain between each row and the next one, by the rank of the former."""
    borders = [neighbour.border for neighbour in certificate.neighbours] if certificate else []
    return dict(enumerate(borders[: len(rows) - 1], 1))
