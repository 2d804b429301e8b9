"""Tables of the leaderboard and of pairs of entrants in a terminal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.rating.certainty import Border, Certificate
from arena.rating.certificate_texts import certainty_text
from arena.rating.export import tables
from arena.rating.leaderboard import OVERALL, Row
from arena.rating.pairs import Pair
from arena.rating.row_texts import points_text, ranks_text, rating_text, score_text, wins_text
from arena.tournament.run_leaderboard import RunLeaderboard

GAMES_COLUMNS, WINS_COLUMNS, POINTS_COLUMNS, WIDE_COLUMNS = 68, 78, 96, 112
"""Width of a terminal from which games are printed, from which wins are, from which points are, and
from which mu and sigma are."""
MATRIX_COLUMNS = 16
"""Opponents in one part of the matrix, which then fits 100 columns."""
MAX_NAME_COLUMNS = 30
LINED = box.Box("    \n    \n ── \n    \n ── \n    \n    \n    \n")
"""A box with a line below the heading, and one between two sections."""
CLOSE = "~"
"""Marks a bot that is close to the one above it."""


def print_leaderboard(board: RunLeaderboard, console: Console, *, all_tables: bool = False) -> None:
    """Print the overall table and the legend; with `all_tables`, first that of each variant."""
    overall, *variants = tables(board)
    for name, rows in [*(variants if all_tables else ()), overall]:
        certificate = board.certificate.get(name) if board.certificate else None
        console.print(_table(name, rows, console.width, certificate))
    if variants and not all_tables:
        text = f"`--all` also prints the tables of the {len(variants)} variants"
        console.print(text, style="dim", highlight=False)
    for text in _legend(board, console.width):
        console.print(text, style="dim", highlight=False)


def _legend(board: RunLeaderboard, width: int) -> Iterator[str]:
    order = "; the score orders the table" if board.orders_by_score else ", which orders the table"
    yield f"{board.games} games; rating = mu - 3 sigma{order}"
    yield "score = share of opponents placed before at a random table; 50 % is the middle"
    ranges = "the rank by score is 2, 3 or 4; all ranges are right together at 95 %"
    if board.certificate:
        yield from _certainty_legend(board.certificate)
        if OVERALL not in board.certificate:
            yield f"overall has no lines; # 2-4: {ranges}"
    else:
        yield f"# 2-4: {ranges}"
    points = "points a game; " if width >= POINTS_COLUMNS else ""
    wins = "wins = share of games won; " if width >= WINS_COLUMNS else ""
    yield f"{points}{wins}95 % intervals over boards"
    gains = {variant: gain for variant, gain in board.duplicate_gain.items() if gain is not None}
    if gains:
        worth = ", ".join([f"{gain:.1f} in {variant}" for variant, gain in gains.items()])
        yield f"information of a game on a board, in games on separate deals: {worth}"
    if out := [row.bot for row in board.overall if row.withdrawn]:
        yield f"withdrawn from the run for faults: {', '.join(out)}"
    if board.games_left_out:
        yield f"{board.games_left_out} more games of incomplete boards do not count yet"
    if board.secret_hash:
        yield f"secret: SHA-256 {board.secret_hash}"
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
    for name, one in certificates.items():
        if name != OVERALL or len(certificates) == 1:
            certain = "certain" if one.is_certain else "not certain yet"
            yield f"{name}: {certain} after {one.boards} boards: {certainty_text(one)}"


def print_pairs(pairs: Iterable[Pair], names: Sequence[str], console: Console) -> None:
    """Print the share of boards on which the bot of each row ranked before that of each column.

    `names` are the bots in the order of the leaderboard.
    """
    ahead = {(pair.bot, pair.opponent): pair.ahead for pair in pairs}
    for first in range(0, len(names), MATRIX_COLUMNS):
        columns = list(enumerate(names, 1))[first : first + MATRIX_COLUMNS]
        lines = [" " * (MAX_NAME_COLUMNS + 4) + "".join([f"{number:>4}" for number, _ in columns])]
        for number, name in enumerate(names, 1):
            shown = name if len(name) <= MAX_NAME_COLUMNS else f"{name[: MAX_NAME_COLUMNS - 1]}…"
            cells = [_cell(ahead.get((name, other))) for _, other in columns]
            lines.append(f"{number:>3} {shown:<{MAX_NAME_COLUMNS}}{''.join(cells)}".rstrip())
        for line in [*lines, ""]:
            console.print(Text(line), highlight=False, soft_wrap=True)
    text = (
        "% of boards on which the bot of the row ranked before that of the column; ties count half"
    )
    console.print(text, style="dim", highlight=False)


def _cell(share: float | None) -> str:
    return "   ." if share is None else f"{100 * share:>4.0f}"


def _table(
    name: str, rows: Sequence[Row], width: int, certificate: Certificate | None = None
) -> Table:
    table = Table(title=name, title_justify="left", title_style="bold", box=LINED, padding=(0, 1))
    borders = _borders(rows, certificate)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("bot", min_width=12, overflow="fold")
    strength = ("mu", "sigma") if width >= WIDE_COLUMNS else ()
    points = ("points",) if width >= POINTS_COLUMNS else ()
    wins = ("wins",) if width >= WINS_COLUMNS else ()
    games = ("games",) if width >= GAMES_COLUMNS else ()
    for heading in (*strength, "rating", "score", *games, *points, *wins, "faults"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        figures = (f"{row.mu:.2f}", f"{row.sigma:.2f}") if row.games else ("-", "-")
        close = f"{CLOSE} " if borders.get(row.rank - 1) == "close" else ""
        table.add_row(
            close + ranks_text(row),
            Text(row.bot + (" (out)" if row.withdrawn else "")),
            *(figures if strength else ()),
            rating_text(row),
            score_text(row),
            *([str(row.games)] if games else []),
            *([points_text(row)] if points else []),
            *([wins_text(row)] if wins else []),
            str(row.faults),
            end_section=borders.get(row.rank) == "line",
        )
    return table


def _borders(rows: Sequence[Row], certificate: Certificate | None) -> dict[int, Border]:
    """Return what is certain between each row and the next one, by the rank of the former."""
    borders = [one.border for one in certificate.neighbours] if certificate else []
    return dict(enumerate(borders[: len(rows) - 1], 1))
