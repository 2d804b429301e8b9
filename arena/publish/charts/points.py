"""Distributions of points, by variant and by bot."""

from collections import Counter
from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from arena.publish.pages import Chart
from arena.publish.picture import (
    GOOD,
    INK,
    MUTED,
    WIDTH,
    drawing,
    label_rows,
    picture_of,
    shortened_name,
)
from arena.publish.run_statistics import quantile

MAX_BARS = 24
"""Bars of a histogram."""
COLUMNS = 4
"""Histograms beside each other."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
QUANTILE_NAMES = ("5%", "25%", "median", "75%", "95%")


def points_chart(by_variant: Mapping[str, Counter[int]]) -> Chart:
    """Return the histograms of the points of a seat, one for each variant."""
    title = "Points by variant"
    text = (
        "For each variant, the distribution of a seat's points in a game. The line is the median."
    )
    variants = [variant for variant, counts in by_variant.items() if counts]
    lines = max(1, -(-len(variants) // COLUMNS))
    with drawing():
        figure = Figure((WIDTH, 0.5 + 1.55 * lines), layout="constrained")
        grid = figure.subplots(lines, COLUMNS, squeeze=False)
        for axes in grid.flat:
            axes.set_axis_off()
        for variant, axes in zip(variants, grid.flat, strict=False):
            axes.set_axis_on()
            _histogram(axes, by_variant[variant])
            axes.set_title(variant, fontsize=9)
        picture = picture_of(figure, "points", title, text)
    return Chart(
        name="points",
        title=title,
        text=text,
        picture=picture,
        columns=("variant", *QUANTILE_NAMES),
        rows=tuple([(variant, *_quantiles(by_variant[variant])) for variant in variants]),
    )


def _quantiles(counts: Mapping[int, int]) -> tuple[str, ...]:
    return tuple([f"{quantile(counts, share):g}" for share in QUANTILES])


def _histogram(axes: Axes, counts: Counter[int]) -> None:
    least, most = min(counts), max(counts)
    width = max(1, -(-(most - least + 1) // MAX_BARS))
    bars = [0] * (-(-(most - least + 1) // width))
    for points, times in counts.items():
        bars[(points - least) // width] += times
    edges = [least - 0.5 + width * number for number in range(len(bars) + 1)]
    shares = [bar / counts.total() for bar in bars]
    axes.stairs(shares, edges, fill=True, color=GOOD, alpha=0.55, linewidth=0)
    axes.axvline(quantile(counts, 0.5), color=INK, linewidth=1.2)
    axes.set_yticks([])
    axes.grid(False)
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.tick_params(axis="x", labelsize=8)


def bot_points_chart(variant: str, by_bot: Mapping[str, Counter[int]]) -> Chart:
    """Return the chart of each bot's points in a variant, in the order of `by_bot`."""
    title = f"Points per game in {variant}"
    text = (
        "For each bot, the distribution of its points per game: the box is the middle half, its "
        "line the median, and the whiskers reach from 5 % to 95 %."
    )
    names = [name for name, counts in by_bot.items() if counts]
    with drawing():
        figure = Figure((WIDTH, 0.7 + 0.3 * max(1, len(names))), layout="constrained")
        axes = figure.subplots()
        for place, name in enumerate(names):
            _box(axes, place, by_bot[name])
        label_rows(axes, [shortened_name(name) for name in names])
        axes.set_xlabel("points")
        axes.xaxis.set_major_locator(MaxNLocator(9, integer=True))
        picture = picture_of(figure, "points", title, text)
    return Chart(
        name="points",
        title=title,
        text=text,
        picture=picture,
        columns=("bot", *QUANTILE_NAMES),
        rows=tuple([(name, *_quantiles(by_bot[name])) for name in names]),
    )


def _box(axes: Axes, place: int, counts: Counter[int]) -> None:
    least, low, middle, high, most = [quantile(counts, share) for share in QUANTILES]
    axes.plot([least, most], [place, place], color=MUTED, linewidth=1.2)
    axes.barh(place, high - low, 0.56, low, color=GOOD, alpha=0.35, linewidth=0)
    axes.plot([middle, middle], [place - 0.28, place + 0.28], color=GOOD, linewidth=2.4)
