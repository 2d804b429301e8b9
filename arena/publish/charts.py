"""The charts of a run, each with the numbers behind it."""

from collections import Counter
from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from arena.publish.pages import Picture, milliseconds
from arena.publish.svg import (
    BAD,
    GOOD,
    GRID,
    INK,
    MUTED,
    SERIES,
    drawing,
    name_in_picture,
    svg_of,
)
from arena.publish.timings import Timings, quantile
from arena.rating.leaderboard import Row
from arena.rating.pairs import Pair
from arena.rating.trueskill import RANK_SIGMAS, RatingSnapshot

WIDTH = 9.6
"""Inches, of 72 points each; on a page, a point is about a pixel."""
LEADERS = len(SERIES)
STEPS = 60
"""Points of the course of a rating."""
COURSE_ROWS = 12
"""Of the table with its numbers."""
SETTLED_SHARE = 0.12
"""The part of a run in which ratings say little: the picture is fitted to the rest."""
LABEL_SHARE = 0.062
"""Of the height of the picture of a course, that a name takes."""
MOST_CELLS_WITH_NUMBERS = 20
"""Bots in a heat map of which each cell has its number."""
MOST_DEPTH = 0.6
"""How opaque the deepest cell is, so that its number can be read."""
MOST_BARS = 24
"""Bars of the distribution of points."""
COLUMNS = 4
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


# -- the course of the ratings -----------------------------------------------------------------


def course_picture(snapshots: Sequence[RatingSnapshot], rows: Sequence[Row]) -> Picture:
    """Return how the ratings of the leading bots came about; `rows` are the leaderboard."""
    names = [row.bot for row in rows[:LEADERS]]
    title = "Ratings over the course of the run"
    text = (
        f"A line for each of the {len(names)} leading bots: mu after so many games, in a band of "
        f"{RANK_SIGMAS} sigma either way. Bots whose bands overlap at the end can't be told apart."
    )
    with drawing():
        figure = Figure((WIDTH, 4.4), layout="constrained")
        axes = figure.subplots()
        games = [snapshot.games for snapshot in snapshots]
        for name, color in zip(names, SERIES, strict=False):
            mus = [snapshot.ratings[name][0] for snapshot in snapshots]
            halves = [RANK_SIGMAS * snapshot.ratings[name][1] for snapshot in snapshots]
            low = [mu - half for mu, half in zip(mus, halves, strict=True)]
            high = [mu + half for mu, half in zip(mus, halves, strict=True)]
            axes.fill_between(games, low, high, color=color, alpha=0.13, linewidth=0)
            axes.plot(games, mus, color=color, linewidth=2.0, solid_joinstyle="round")
        _fit_to_what_settled(axes, snapshots, names)
        _name_the_ends(axes, snapshots[-1], names)
        axes.set_xlabel("games")
        axes.set_ylabel("mu")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        svg = svg_of(figure, "course", title, text)
    every = max(1, -(-len(snapshots) // COURSE_ROWS))
    some = [*snapshots[:-1:every], snapshots[-1]]
    return Picture(
        name="course",
        title=title,
        text=text,
        svg=svg,
        columns=("games", *names),
        rows=tuple([(f"{one.games:,}", *[_rating(one, name) for name in names]) for one in some]),
    )


def _rating(snapshot: RatingSnapshot, name: str) -> str:
    mu, sigma = snapshot.ratings[name]
    return f"{mu:.1f} ±{RANK_SIGMAS * sigma:.1f}"


def _fit_to_what_settled(
    axes: Axes, snapshots: Sequence[RatingSnapshot], names: Sequence[str]
) -> None:
    last = snapshots[-1].games
    settled = [one for one in snapshots if one.games >= SETTLED_SHARE * last]
    ratings = [one.ratings[name] for one in settled for name in names]
    low = min([mu - RANK_SIGMAS * sigma for mu, sigma in ratings])
    high = max([mu + RANK_SIGMAS * sigma for mu, sigma in ratings])
    axes.set_ylim(low - 1, high + 1)
    axes.set_xlim(0, max(1, last))


def _name_the_ends(axes: Axes, last: RatingSnapshot, names: Sequence[str]) -> None:
    """Write the names beside the ends of their lines, apart from one another."""
    low, high = axes.get_ylim()
    rising = sorted(names, key=lambda name: last.ratings[name][0])
    places = apart([last.ratings[name][0] for name in rising], LABEL_SHARE * (high - low))
    for name, place in zip(rising, places, strict=True):
        axes.annotate(
            name_in_picture(name),
            (1.0, place),
            xycoords=("axes fraction", "data"),
            xytext=(8, 0),
            textcoords="offset points",
            color=SERIES[names.index(name)],
            va="center",
            annotation_clip=False,
            fontweight="bold",
        )


def apart(values: Sequence[float], step: float) -> list[float]:
    """Return places near rising values, each at least a step above the one before.

    Those that would be too near are spread round their mean.
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


def pairs_picture(pairs: Sequence[Pair], names: Sequence[str]) -> Picture:
    """Return the heat map of who was ahead of whom; `names` in the order of the leaderboard."""
    title = "Who is ahead of whom"
    text = (
        "The share of boards on which the bot of the row was ranked before the bot of the column, "
        "a tie counting half. Bots are in the order of the leaderboard."
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
        shown = [f"{name_in_picture(name)}  {number}" for number, name in enumerate(names, 1)]
        axes.set_yticks(range(n), shown)
        axes.set_xticks(range(n), [str(number) for number in range(1, n + 1)])
        axes.xaxis.tick_top()
        svg = svg_of(figure, "pairs", title, text)
    cells = [(name, *[_percent(ahead.get((name, other))) for other in names]) for name in names]
    return Picture("pairs", title, text, svg, ("bot", *names), tuple(cells))


def _fill_cells(axes: Axes, ahead: Mapping[tuple[str, str], float], names: Sequence[str]) -> None:
    squares, colors = [], []
    for row, name in enumerate(names):
        for column, other in enumerate(names):
            share = ahead.get((name, other))
            if share is None:
                continue
            squares.append(_square(column, row))
            depth = MOST_DEPTH * abs(share - 0.5) * 2
            colors.append((GOOD if share >= 0.5 else BAD, round(depth, 2)))
            if len(names) <= MOST_CELLS_WITH_NUMBERS:
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


def points_picture(by_variant: Mapping[str, Counter[int]]) -> Picture:
    """Return how often a seat got how many points, a small picture for each variant."""
    title = "Points of a seat by variant"
    text = (
        "For each variant, in how many of all cases a seat ended a game with so many points. The "
        "line is the median."
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
    return Picture(
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
    width = max(1, -(-(most - least + 1) // MOST_BARS))
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


def bots_points_picture(variant: str, by_bot: Mapping[str, Counter[int]]) -> Picture:
    """Return the points of each bot in a variant; bots in the order of the leaderboard."""
    title = f"Points a game in {variant}"
    text = (
        "For each bot, the points with which it ended its games: the box holds the middle half, "
        "its line is the median, and the whiskers reach from 5% to 95%."
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
    return Picture(
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
    """Give each bot a line, the first at the top."""
    axes.set_yticks(range(len(names)), [name_in_picture(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(False, axis="y")
    axes.spines["left"].set_visible(False)


# -- time --------------------------------------------------------------------------------------


def time_picture(timings: Mapping[str, Timings], names: Sequence[str], limit_ms: int) -> Picture:
    """Return how long the bots took for an answer; `names` in the order of the leaderboard."""
    title = "Time of an answer"
    text = (
        "For each bot: the dot is the mean of an answer in a game in the middle, the thick line "
        "holds nine games of ten, and the thin one ends at its longest answer. Each step to the "
        f"right is ten times as long. An answer may take {milliseconds(limit_ms)}."
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
        _rows(axes, known)
        axes.axvline(limit_ms, color=BAD, linewidth=1.2, linestyle=(0, (4, 3)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: milliseconds_short(value)))
        svg = svg_of(figure, "time", title, text)
    return Picture(
        name="time",
        title=title,
        text=text,
        svg=svg if known else "",
        columns=("bot", "answers", "mean", "median of games", "95% of games", "longest"),
        rows=tuple([_time_row(name, timings[name]) for name in known]),
    )


def milliseconds_short(value: float) -> str:
    """Return a power of ten of milliseconds."""
    return f"{value:g} ms" if value < 1000 else f"{value / 1000:g} s"


def _time_row(name: str, own: Timings) -> tuple[str, ...]:
    values = (own.mean_ms, own.quantile_ms(0.5), own.quantile_ms(0.95), own.worst_ms)
    return (name, f"{own.answers:,}", *[milliseconds(value) for value in values])
