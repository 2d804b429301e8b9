"""The ratings of the leading bots over a run."""

from collections.abc import Iterator, Sequence

import msgspec
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from arena.protocol import printable
from arena.publish.pages import Chart
from arena.publish.picture import SERIES, WIDTH, drawing, picture_of, shortened_name
from arena.rating.columns import LeaderboardRow
from arena.rating.trueskill import INTERVAL_SIGMAS, RatingSnapshot

LEADERS = len(SERIES)
"""Bots in the chart."""
OTHER_LEADERS = 2
"""Leaders beside the bot of a page."""
_COLUMNS = ("games", "bot", "mu", "sigma")
STEPS = 60
"""Points of a line."""
RATING_ROWS = 12
"""Rows of the table."""
SETTLED_SHARE = 0.12
"""The first part of a run, with uncertain ratings. The axes fit the rest."""
LABEL_SHARE = 0.062
"""The height of a name, as a share of the chart."""


def rating_chart(snapshots: Sequence[RatingSnapshot], rows: Sequence[LeaderboardRow]) -> Chart:
    """Return the chart of the leading bots' ratings over a run; `rows` is the leaderboard."""
    names = [row.bot for row in rows[:LEADERS]]
    text = (
        f"A line for each of the {len(names)} leading bots: mu by number of games, in a band of "
        f"±{INTERVAL_SIGMAS} sigma. The page of each bot has its own line. The CSV file has all."
    )
    chart = _chart(snapshots, names, "Ratings during the run", text)
    return msgspec.structs.replace(
        chart, choices=tuple([row.bot for row in rows]), script=_script(snapshots)
    )


def bot_rating_chart(
    snapshots: Sequence[RatingSnapshot], rows: Sequence[LeaderboardRow], name: str
) -> Chart:
    """Return the chart of the rating of the bot `name` over a run, beside those of the leaders."""
    leaders = [row.bot for row in rows if row.bot != name][:OTHER_LEADERS]
    text = f"mu by number of games, in a band of ±{INTERVAL_SIGMAS} sigma"
    text += f", beside {' and '.join(map(printable, leaders))}." if leaders else "."
    return _chart(snapshots, [name, *leaders], "Rating during the run", text)


def _chart(
    snapshots: Sequence[RatingSnapshot], names: Sequence[str], title: str, text: str
) -> Chart:
    """Return the chart of the ratings of some bots."""
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
        picture = picture_of(figure, "course", title, text)
    every = max(1, -(-len(snapshots) // RATING_ROWS))
    some = [*snapshots[:-1:every], snapshots[-1]]
    return Chart(
        name="course",
        title=title,
        text=text,
        picture=picture,
        columns=("games", *names),
        rows=tuple(
            [(f"{look.games:,}", *[_rating(look, name) for name in names]) for look in some]
        ),
        data=(_COLUMNS, *[line for snapshot in snapshots for line in _numbers(snapshot)]),
    )


def _numbers(snapshot: RatingSnapshot) -> Iterator[tuple[str, ...]]:
    """Yield the lines of a snapshot in the CSV file: those of all bots."""
    for name, (mu, sigma) in snapshot.ratings.items():
        yield (str(snapshot.games), name, f"{mu:.4f}", f"{sigma:.4f}")


def _script(snapshots: Sequence[RatingSnapshot]) -> str:
    """Return the script with the ratings of all bots, which `static/course.js` draws."""
    bots = {
        printable(name): [
            [round(part, 2) for part in snapshot.ratings[name]] for snapshot in snapshots
        ]
        for name in snapshots[-1].ratings
    }
    data = msgspec.json.encode({"games": [snapshot.games for snapshot in snapshots], "bots": bots})
    return f"showCourse({data.decode()});\n"


def _rating(snapshot: RatingSnapshot, name: str) -> str:
    mu, sigma = snapshot.ratings[name]
    return f"{mu:.1f} ±{INTERVAL_SIGMAS * sigma:.1f}"


def _fit_to_settled(axes: Axes, snapshots: Sequence[RatingSnapshot], names: Sequence[str]) -> None:
    last = snapshots[-1].games
    settled = [snapshot for snapshot in snapshots if snapshot.games >= SETTLED_SHARE * last]
    ratings = [snapshot.ratings[name] for snapshot in settled for name in names]
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
