"""The scores of all bots with their intervals, and what is certain about their order."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from arena.publish.pages import Chart, Line, Picture
from arena.publish.picture import (
    GAP,
    GOOD,
    INK,
    MUTED,
    NARROW_WIDTH,
    drawing,
    label_rows,
    picture_of,
    shortened_name,
)
from arena.rating.certificate import Certificate

MARGIN = 0.02
"""What the axis has beyond the intervals, at least."""


def score_chart(table: Sequence[Line], certificate: Certificate | None) -> Chart:
    """Return the chart of scores.

    Args:
        table: all bots in the order of their scores, with what is certain about it.
        certificate: where that comes from; None in a run without a stop rule.
    """
    title = "Scores"
    text = (
        "The score of each bot with its 95 % interval, and its rank. The dashed line is "
        "the middle of the field."
    )
    if certificate:
        text += (
            " All bots above a thick line are better than all bots below it. ~ marks a bot whose "
            f"score differs from that of the bot above it by less than {certificate.epsilon:g}. "
            f"All lines and ~ are right together at {100 * certificate.confidence:g} %."
        )
    return Chart(
        name="scores",
        title=title,
        text=text,
        picture=_drawn(table, title, text),
        columns=("bot", "score", "from", "to", "rank"),
        rows=tuple([_numbers(line) for line in table]),
    )


def _drawn(table: Sequence[Line], title: str, text: str) -> Picture:
    with drawing():
        figure = Figure((NARROW_WIDTH, 0.8 + 0.32 * len(table)), layout="constrained")
        axes = figure.subplots()
        for place, line in enumerate(table):
            _interval(axes, place, line)
            if line.is_lined:
                axes.axhline(place + 0.5, color=INK, linewidth=2.2)
        axes.axvline(0.5, color=MUTED, linewidth=1.0, linestyle=(0, (4, 3)))
        label_rows(axes, [_label(line) for line in table])
        axes.set_xlim(*_limits(table))
        axes.set_xlabel("score")
        axes.xaxis.set_major_locator(MaxNLocator(9))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.3g}%"))
        return picture_of(figure, "scores", title, text)


def _interval(axes: Axes, place: int, line: Line) -> None:
    row = line.row
    if row.score_low is not None and row.score_high is not None:
        ends = [row.score_low, row.score_high]
        axes.plot(ends, [place, place], color=GOOD, linewidth=5, alpha=0.45)
    if row.score is not None:
        axes.plot([row.score], [place], "o", color=GOOD, markersize=6)


def _label(line: Line) -> str:
    """Return the name of a bot with its rank, as in the leaderboard."""
    close = "~ " if line.is_close else ""
    return f"{close}{shortened_name(line.row.bot)}{GAP}{line.text('rank')}"


def _limits(table: Sequence[Line]) -> tuple[float, float]:
    """Return the ends of the axis, which shows the middle of the field and all intervals."""
    rows = [line.row for line in table]
    ends = [end for row in rows for end in (row.score, row.score_low, row.score_high)]
    known = [0.5, *[end for end in ends if end is not None]]
    return min(known) - MARGIN, max(known) + MARGIN


def _numbers(line: Line) -> tuple[str, ...]:
    row = line.row
    bounds = [_percent(value) for value in (row.score, row.score_low, row.score_high)]
    return (row.bot, *bounds, f"{'~ ' if line.is_close else ''}{line.text('rank')}")


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"
