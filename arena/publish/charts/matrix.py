"""The matrix of results, ordered by score, with interplay marked."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from arena.publish.pages import Chart
from arena.publish.picture import (
    BAD,
    GAP,
    GOOD,
    GRID,
    INK,
    MUTED,
    WIDTH,
    drawing,
    picture_of,
    shortened_name,
)
from arena.rating.pairs import PairResult

MAX_NUMBERED_BOTS = 20
"""Bots up to which each cell shows its number."""
MAX_OPACITY = 0.6
"""Opacity of the strongest cell, whose number must be readable."""
_COLUMNS = ("bot", "opponent", "boards", "share", "expected", "beyond_chance")
HALF = 0.47
"""Half the side of a cell."""
MARK = 0.24
"""The side of a mark of interplay."""


def matrix_chart(cells: Sequence[PairResult], names: Sequence[str], interplay: float) -> Chart:
    """Return the heat map of results.

    Args:
        cells: the results of each two bots that met.
        names: all bots in the order of their scores.
        interplay: that of the table.
    """
    title = "Results of pairs"
    text = (
        "The share of games in which the bot of the row was placed before the bot of the column; "
        f"ties count half. {_counts_text(cells, names)}Bots are in the order of their scores. "
        f"{interplay_text(cells, interplay)}"
    )
    by_pair = {(cell.bot, cell.opponent): cell for cell in cells}
    n = len(names)
    with drawing():
        side = min(WIDTH, 2.0 + 0.42 * n)
        figure = Figure((side + 1.2, max(2.4, side)), layout="constrained")
        axes = figure.subplots()
        _fill_cells(axes, by_pair, names)
        axes.set_xlim(-0.5, n - 0.5)
        axes.set_ylim(n - 0.5, -0.5)
        axes.grid(False)
        axes.spines[["left", "bottom"]].set_visible(False)
        shown = [f"{shortened_name(name)}{GAP}{number}" for number, name in enumerate(names, 1)]
        axes.set_yticks(range(n), shown)
        numbers = [str(number) for number in range(1, n + 1)]
        if n <= MAX_NUMBERED_BOTS:
            axes.set_xticks(range(n), [shortened_name(name) for name in names], rotation=90)
        else:
            axes.set_xticks(range(n), numbers)
        axes.xaxis.tick_top()
        picture = picture_of(figure, "pairs", title, text)
    rows = [(name, *[_cell_text(by_pair.get((name, other))) for other in names]) for name in names]
    data = [_COLUMNS, *[_numbers(by_pair[pair]) for pair in sorted(by_pair)]]
    return Chart("pairs", title, text, picture, ("bot", *names), tuple(rows), tuple(data))


def _counts_text(cells: Sequence[PairResult], names: Sequence[str]) -> str:
    """Return sentences about the numbers of boards in the cells, and about empty cells."""
    text = ""
    if len(names) <= MAX_NUMBERED_BOTS:
        text = "The small number is that of the boards on which they met. "
    if len(cells) < len(names) * (len(names) - 1):
        text += "Two bots with an empty cell never met as opponents. "
    return text


def _numbers(cell: PairResult) -> tuple[str, ...]:
    """Return the line of a cell in the CSV file."""
    departs = "yes" if cell.departs else "no"
    shares = (f"{cell.share:.4f}", f"{cell.expected:.4f}")
    return (cell.bot, cell.opponent, str(cell.boards), *shares, departs)


def interplay_text(cells: Sequence[PairResult], interplay: float) -> str:
    """Return sentences about the interplay of a table, and how many pairs show it."""
    departing = sum([cell.departs for cell in cells]) // 2
    text = f"Interplay is {100 * interplay:.1f}%: "
    text += "results are typically that far from what the scores say, apart from chance. "
    if not departing:
        return f"{text}No single result is beyond chance."
    return (
        f"{text}A triangle marks the results that are beyond chance, those of {departing} of "
        f"{len(cells) // 2} pairs: it points up where the bot of the row did better than the "
        "scores say, and down where it did worse."
    )


def _fill_cells(
    axes: Axes, by_pair: Mapping[tuple[str, str], PairResult], names: Sequence[str]
) -> None:
    squares, colors, marks = [], [], []
    for row, name in enumerate(names):
        for column, other in enumerate(names):
            cell = by_pair.get((name, other))
            if cell is None:
                continue
            squares.append(_square(column, row))
            depth = MAX_OPACITY * abs(cell.share - 0.5) * 2
            colors.append((GOOD if cell.share >= 0.5 else BAD, round(depth, 2)))
            if cell.departs:
                marks.append(_triangle(column, row, is_up=cell.share > cell.expected))
            if len(names) <= MAX_NUMBERED_BOTS:
                number = f"{100 * cell.share:.0f}"
                axes.text(column, row - 0.1, number, ha="center", va="center", fontsize=8.5)
                boards, low = f"{cell.boards:,}", row + 0.27
                axes.text(column, low, boards, ha="center", va="center", fontsize=6, color=MUTED)
    axes.add_collection(PolyCollection(squares, facecolors=colors, linewidths=0))
    own = [_square(place, place) for place in range(len(names))]
    axes.add_collection(PolyCollection(own, facecolors=[(GRID, 0.5)], linewidths=0))
    axes.add_collection(PolyCollection(marks, facecolors=[INK], linewidths=0))


def _square(x: float, y: float) -> list[tuple[float, float]]:
    return [(x - HALF, y - HALF), (x + HALF, y - HALF), (x + HALF, y + HALF), (x - HALF, y + HALF)]


def _triangle(x: float, y: float, *, is_up: bool) -> list[tuple[float, float]]:
    """Return a triangle in the upper right corner of a cell, where y grows downwards."""
    right, top = x + HALF - 0.03, y - HALF + 0.03
    left, bottom = right - MARK, top + 0.85 * MARK
    base, tip = (bottom, top) if is_up else (top, bottom)
    return [(left, base), (right, base), ((left + right) / 2, tip)]


def _cell_text(cell: PairResult | None) -> str:
    if cell is None:
        return ""
    expected = f", expected {cell.expected:.0%}" if cell.departs else ""
    return f"{cell.share:.0%} of {cell.boards:,}{expected}"
