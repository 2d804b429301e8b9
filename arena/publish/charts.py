"""Charts of a run, each with a table of its numbers."""

from collections import Counter
from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from arena.publish.pages import Chart, milliseconds
from arena.publish.svg import (
    BAD,
    GOOD,
    GRID,
    INK,
    MUTED,
    SERIES,
    drawing,
    shortened_name,
    svg_of,
)
from arena.publish.timings import Timings, quantile
from arena.rating.leaderboard import Row
from arena.rating.pairs import Pair
from arena.rating.trueskill import INTERVAL_SIGMAS, RatingSnapshot

WIDTH = 9.6
"""In inches of 72 points. On a page a point is about a pixel."""
LEADERS = len(SERIES)
"""Bots in the chart of ratings."""
STEPS = 60
"""Points of a line in the chart of ratings."""
RATING_ROWS = 12
"""Rows of its table."""
SETTLED_SHARE = 0.12
"""The first part of a run, with uncertain ratings. The axes fit the rest."""
LABEL_SHARE = 0.062
"""The height of a name in the chart of ratings, as a share of the chart."""
MAX_NUMBERED_BOTS = 20
"""Bots up to which each cell of a heat map shows its number."""
MAX_OPACITY = 0.6
"""Opacity of the strongest cell, whose number must be readable."""
MAX_BARS = 24
"""Bars of a histogram of points."""
COLUMNS = 4
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


# -- ratings -----------------------------------------------------------------------------------


def rating_chart(snapshots: Sequence[RatingSnapshot], rows: Sequence[Row]) -> Chart:
    """Return the chart of the leading bots' ratings over a run; `rows` is the leaderboard."""
    names = [row.bot for row in rows[:LEADERS]]
    title = "Ratings during the run"
    text = (
        f"A line for each of the {len(names)} leading bots: mu by number of games, in a band of "
        f"±{INTERVAL_SIGMAS} sigma."
    )
    with drawing():
        figure = Figure((WIDTH, 4.4), layout="constrained")
        axes = figure.subplots()
        games = [snapshot.games for snapshot in snapshots]
        for name, color in zip(names, SERIES, strict=False):
            mus = [snapshot.ratings[name][0] for snapshot in snapshots]
            halves = [INTERVAL_SIGMAS * snapshot.ratings[name][1] for snapshot in snapshots]
            low = [mu - half for mu, half in zip(mus, halves, strict=True)]
            high = [mu + half for mu, half in zip(mus, halves, strict=True)]
            axes.fill_between(games, low, high, color=color, alpha=0.13, linewidth=0)
            axes.plot(games, mus, color=color, linewidth=2.0, solid_joinstyle="round")
        _fit_to_settled(axes, snapshots, names)
        _label_lines(axes, snapshots[-1], names)
        axes.set_xlabel("games")
        axes.set_ylabel("mu")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        svg = svg_of(figure, "course", title, text)
    every = max(1, -(-len(snapshots) // RATING_ROWS))
    some = [*snapshots[:-1:every], snapshots[-1]]
    return Chart(
        name="course",
        title=title,
        text=text,
        svg=svg,
        columns=("games", *names),
        rows=tuple([(f"{one.games:,}", *[_rating(one, name) for name in names]) for one in some]),
    )


def _rating(snapshot: RatingSnapshot, name: str) -> str:
    mu, sigma = snapshot.ratings[name]
    return f"{mu:.1f} ±{INTERVAL_SIGMAS * sigma:.1f}"


def _fit_to_settled(axes: Axes, snapshots: Sequence[RatingSnapshot], names: Sequence[str]) -> None:
    last = snapshots[-1].games
    settled = [one for one in snapshots if one.games >= SETTLED_SHARE * last]
    ratings = [one.ratings[name] for one in settled for name in names]
    low = min([mu - INTERVAL_SIGMAS * sigma for mu, sigma in ratings])
    high = max([mu + INTERVAL_SIGMAS * sigma for mu, sigma in ratings])
    axes.set_ylim(low - 1, high + 1)
    axes.set_xlim(0, max(1, last))


def _label_lines(axes: Axes, last: RatingSnapshot, names: Sequence[str]) -> None:
    """Write the names beside the ends of their lines without overlap."""
    low, high = axes.get_ylim()
    rising = sorted(names, key=lambda name: last.ratings[name][0])
    places = spread_out([last.ratings[name][0] for name in rising], LABEL_SHARE * (high - low))
    for name, place in zip(rising, places, strict=True):
        axes.annotate(
            shortened_name(name),
            (1.0, place),
            xycoords=("axes fraction", "data"),
            xytext=(8, 0),
            textcoords="offset points",
            color=SERIES[names.index(name)],
            va="center",
            annotation_clip=False,
            fontweight="bold",
        )


def spread_out(values: Sequence[float], step: float) -> list[float]:
    """Return places near the ascending `values`, with at least `step` between two of them.

    Places that would be too close are spread around their mean.
    """
    groups: list[list[float]] = []
    for value in values:
        groups.append([value])
        while (
            len(groups) > 1 and _spread(groups[-1], step)[0] - _spread(groups[-2], step)[-1] < step
        ):
            last = groups.pop()
            groups[-1] += last
    return [place for group in groups for place in _spread(group, step)]


def _spread(group: Sequence[float], step: float) -> list[float]:
    middle = sum(group) / len(group)
    return [middle + step * (place - (len(group) - 1) / 2) for place in range(len(group))]


# -- pairs -------------------------------------------------------------------------------------


def pair_chart(pairs: Sequence[Pair], names: Sequence[str]) -> Chart:
    """Return the heat map of pairs; `names` are in the order of the leaderboard."""
    title = "Results of pairs"
    text = (
        "The share of boards on which the bot of the row ranked before the bot of the column; ties "
        "count half. Bots are in the order of the leaderboard."
    )
    ahead = {(pair.bot, pair.opponent): pair.ahead for pair in pairs}
    n = len(names)
    with drawing():
        side = min(WIDTH, 2.0 + 0.42 * n)
        figure = Figure((side + 1.2, max(1.6, side - 0.8)), layout="constrained")
        axes = figure.subplots()
        _fill_cells(axes, ahead, names)
        axes.set_xlim(-0.5, n - 0.5)
        axes.set_ylim(n - 0.5, -0.5)
        axes.grid(False)
        axes.spines[["left", "bottom"]].set_visible(False)
        shown = [f"{shortened_name(name)}  {number}" for number, name in enumerate(names, 1)]
        axes.set_yticks(range(n), shown)
        axes.set_xticks(range(n), [str(number) for number in range(1, n + 1)])
        axes.xaxis.tick_top()
        svg = svg_of(figure, "pairs", title, text)
    cells = [(name, *[_percent(ahead.get((name, other))) for other in names]) for name in names]
    return Chart("pairs", title, text, svg, ("bot", *names), tuple(cells))


def _fill_cells(axes: Axes, ahead: Mapping[tuple[str, str], float], names: Sequence[str]) -> None:
    squares, colors = [], []
    for row, name in enumerate(names):
        for column, other in enumerate(names):
            share = ahead.get((name, other))
            if share is None:
                continue
            squares.append(_square(column, row))
            depth = MAX_OPACITY * abs(share - 0.5) * 2
            colors.append((GOOD if share >= 0.5 else BAD, round(depth, 2)))
            if len(names) <= MAX_NUMBERED_BOTS:
                axes.text(column, row, f"{100 * share:.0f}", ha="center", va="center", fontsize=8.5)
    axes.add_collection(PolyCollection(squares, facecolors=colors, linewidths=0))
    own = [_square(place, place) for place in range(len(names))]
    axes.add_collection(PolyCollection(own, facecolors=[(GRID, 0.5)], linewidths=0))


def _square(x: float, y: float) -> list[tuple[float, float]]:
    half = 0.47
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.0%}"


# -- points ------------------------------------------------------------------------------------


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
        svg = svg_of(figure, "points", title, text)
    return Chart(
        name="points",
        title=title,
        text=text,
        svg=svg,
        columns=("variant", *QUANTILE_NAMES),
        rows=tuple([(variant, *_quantiles(by_variant[variant])) for variant in variants]),
    )


QUANTILE_NAMES = ("5%", "25%", "median", "75%", "95%")


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
        _rows(axes, names)
        axes.set_xlabel("points")
        axes.xaxis.set_major_locator(MaxNLocator(9, integer=True))
        svg = svg_of(figure, "points", title, text)
    return Chart(
        name="points",
        title=title,
        text=text,
        svg=svg,
        columns=("bot", *QUANTILE_NAMES),
        rows=tuple([(name, *_quantiles(by_bot[name])) for name in names]),
    )


def _box(axes: Axes, place: int, counts: Counter[int]) -> None:
    least, low, middle, high, most = [quantile(counts, share) for share in QUANTILES]
    axes.plot([least, most], [place, place], color=MUTED, linewidth=1.2)
    axes.barh(place, high - low, 0.56, low, color=GOOD, alpha=0.35, linewidth=0)
    axes.plot([middle, middle], [place - 0.28, place + 0.28], color=GOOD, linewidth=2.4)


def _rows(axes: Axes, names: Sequence[str]) -> None:
    """Label one row for each bot, the first at the top."""
    axes.set_yticks(range(len(names)), [shortened_name(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(False, axis="y")
    axes.spines["left"].set_visible(False)


# -- time --------------------------------------------------------------------------------------


def time_chart(timings: Mapping[str, Timings], names: Sequence[str], limit_ms: int) -> Chart:
    """Return the chart of answer times; `names` are in the order of the leaderboard."""
    title = "Answer times"
    text = (
        "For each bot, the mean answer time of its games: the dot is the median, the thick line "
        "reaches from 5 % to 95 %, and the thin line ends at the longest answer. The scale is "
        f"logarithmic. The time limit of an answer is {milliseconds(limit_ms)}."
    )
    known = [name for name in names if name in timings and timings[name].answers]
    with drawing():
        figure = Figure((WIDTH, 0.8 + 0.28 * max(1, len(known))), layout="constrained")
        axes = figure.subplots()
        axes.set_xscale("log")
        for place, name in enumerate(known):
            own = timings[name]
            low, middle, high = [own.quantile_ms(share) for share in (0.05, 0.5, 0.95)]
            axes.plot([low, max(high, own.worst_ms)], [place, place], color=MUTED, linewidth=1.0)
            axes.plot([low, high], [place, place], color=GOOD, linewidth=4, alpha=0.5)
            axes.plot([middle], [place], "o", color=GOOD, markersize=5.5)
        if known:  # else matplotlib warns of empty axes
            _rows(axes, known)
        axes.axvline(limit_ms, color=BAD, linewidth=1.2, linestyle=(0, (4, 3)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: milliseconds_short(value)))
        svg = svg_of(figure, "time", title, text)
    return Chart(
        name="time",
        title=title,
        text=text,
        svg=svg if known else "",
        columns=("bot", "answers", "mean", "median of games", "95% of games", "longest"),
        rows=tuple([_time_row(name, timings[name]) for name in known]),
    )


def milliseconds_short(value: float) -> str:
    """Return a power of ten of milliseconds as text."""
    return f"{value:g} ms" if value < 1000 else f"{value / 1000:g} s"


def _time_row(name: str, own: Timings) -> tuple[str, ...]:
    values = (own.mean_ms, own.quantile_ms(0.5), own.quantile_ms(0.95), own.worst_ms)
    return (name, f"{own.answers:,}", *[milliseconds(value) for value in values])
