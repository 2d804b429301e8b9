"""The answer times of the bots."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from arena.publish.pages import Chart, Picture, milliseconds
from arena.publish.picture import (
    BAD,
    GOOD,
    MUTED,
    WIDTH,
    drawing,
    label_rows,
    picture_of,
    shortened_name,
)
from arena.publish.run_statistics import Timings


def time_chart(timings: Mapping[str, Timings], names: Sequence[str], limit_ms: int) -> Chart:
    """Return the chart of answer times; `names` are in the order of the leaderboard."""
    title = "Answer times"
    text = (
        "For each bot, the mean answer time of its games: the dot is the median, the thick line "
        "reaches from 5 % to 95 %, and the thin line ends at the longest answer. The scale is "
        f"logarithmic. The time limit of an answer is {milliseconds(limit_ms)}."
    )
    known = [name for name in names if name in timings and timings[name].answers]
    picture = _drawn(known, timings, limit_ms, (title, text)) if known else Picture()
    return Chart(
        name="time",
        title=title,
        text=text,
        picture=picture,
        columns=("bot", "answers", "mean", "median of games", "95% of games", "longest"),
        rows=tuple([_time_row(name, timings[name]) for name in known]),
    )


def _drawn(
    names: Sequence[str], timings: Mapping[str, Timings], limit_ms: int, words: tuple[str, str]
) -> Picture:
    """Return the drawing of at least one bot's times; `words` are its title and description."""
    with drawing():
        figure = Figure((WIDTH, 0.8 + 0.28 * len(names)), layout="constrained")
        axes = figure.subplots()
        axes.set_xscale("log")
        for place, name in enumerate(names):
            own = timings[name]
            low, middle, high = [own.quantile_ms(share) for share in (0.05, 0.5, 0.95)]
            axes.plot([low, max(high, own.worst_ms)], [place, place], color=MUTED, linewidth=1.0)
            axes.plot([low, high], [place, place], color=GOOD, linewidth=4, alpha=0.5)
            axes.plot([middle], [place], "o", color=GOOD, markersize=5.5)
        label_rows(axes, [shortened_name(name) for name in names])
        axes.axvline(limit_ms, color=BAD, linewidth=1.2, linestyle=(0, (4, 3)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: milliseconds_short(value)))
        return picture_of(figure, "time", *words)


def milliseconds_short(value: float) -> str:
    """Return a power of ten of milliseconds as text."""
    return f"{value:g} ms" if value < 1000 else f"{value / 1000:g} s"


def _time_row(name: str, own: Timings) -> tuple[str, ...]:
    values = (own.mean_ms, own.quantile_ms(0.5), own.quantile_ms(0.95), own.worst_ms)
    return (name, f"{own.answers:,}", *[milliseconds(value) for value in values])
