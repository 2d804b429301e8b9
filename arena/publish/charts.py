"""Build the charts of a run: heat maps, and data for the script `static/charts.js`."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from arena.base.protocol import printable
from arena.publish.emblems import emblem_of
from arena.publish.layout import MANY_BOTS, chart_file
from arena.publish.pages import Line, in_words
from arena.publish.render import Renderer
from arena.publish.site_folder import Site
from arena.rating.certificate import Border, Certificate
from arena.rating.columns import LeaderboardRow
from arena.rating.leaderboard_files import csv_text, text_cell
from arena.rating.pairs import PairResult
from arena.rating.stop_rule import CertaintySnapshot
from arena.rating.trueskill import INTERVAL_SIGMAS, RatingSnapshot

LOOKS, LOOKS_OF_MANY = 24, 8
"""Number of snapshots in certainty charts without a stop rule, for few and for many bots."""
NUMBERED_LOOKS = 8
"""Number of snapshots listed in the table below a certainty chart."""
NEARLY_ONE = 0.995
LEADERS = 6
STEPS, STEPS_OF_MANY = 60, 20
"""Number of snapshots in ratings charts, for few and for many bots."""
RATING_ROWS = 12
MAX_MATRIX_BOTS = 40
"""Maximum number of bots in a heat map. With more bots, the most interesting pairs are listed."""
MAX_LISTED_PAIRS = 50


class Cell(NamedTuple):
    text: str
    share: float | None = None
    """The share that determines the color, from 0 to 1. A share of 0.5 has no color."""
    small: str = ""
    title: str = ""
    link: str = ""
    mark: str = ""


HeatRows = Sequence[tuple[str, Sequence[Cell]]]


class Chart(msgspec.Struct, frozen=True):
    """A chart with its numbers and a text alternative."""

    name: str
    title: str
    text: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = ()
    drawing: Mapping[str, Any] | None = None
    """Data for the script that draws the chart, including its `kind`. None for heat maps and
    tables.
    """
    heat: HeatRows = ()
    data: tuple[tuple[str, ...], ...] = ()
    """Rows of the CSV file, heading first, if they differ from `columns` and `rows`."""
    file: str = ""
    """Path of the CSV file, relative to the root of the site."""


# -- the order of a table: scores and their certainty ----------------------------------------------


def score_chart(table: Sequence[Line], certificate: Certificate | None) -> Chart:
    text = "The score of each bot with its 95% interval, in table order. The dashed line is par, a "
    text += "score of 50%."
    if certificate:
        text += (
            " All bots above a thick line are better than all bots below it. ~ marks a bot whose "
            f"score differs from that of the bot above it by less than {certificate.epsilon:g}. "
            f"All of these statements hold together with {100 * certificate.confidence:g}% "
            "confidence."
        )
    bots = [
        {
            "bot": printable(f"{'~ ' if line.is_close else ''}{line.row.bot}"),
            "score": line.row.score,
            "low": line.row.score_low,
            "high": line.row.score_high,
            "lined": line.is_lined,
        }
        for line in table
        if line.row.score is not None
    ]
    columns = ("bot", "score", "from", "to", "ranks")
    rows = tuple([_score_numbers(line) for line in table])
    return Chart("scores", "Scores", text, columns, rows, {"kind": "scores", "bots": bots})


def _score_numbers(line: Line) -> tuple[str, ...]:
    row = line.row
    bounds = [
        "" if value is None else f"{value:.1%}"
        for value in (row.score, row.score_low, row.score_high)
    ]
    return (row.bot, *bounds, f"{'~ ' if line.is_close else ''}{line.text('rank')}")


def certainty_chart(
    history: Sequence[CertaintySnapshot], names: Sequence[str], *, is_looked_at: bool
) -> Chart:
    """Return a chart of how certain the order of a table was during a run.

    The `history` must not be empty. The `names` must be in the final order.
    """
    text = (
        "One strip for each pair of neighbours in the table: how certain it was, after each number "
        "of games, that the upper bot is better than the lower one. The number at the end of a "
        "strip is the present certainty. Each strip considers its pair alone."
    )
    if is_looked_at:
        text += " A thick line begins where the order of the pair became certain. A dashed line "
        text += "begins where their scores became certainly close (~)."
    some = history[:: -max(1, -(-len(history) // NUMBERED_LOOKS))][::-1]
    strips, rows = [], []
    for place, (better, worse) in enumerate(pairwise(names)):
        pair, final = f"{better} - {worse}", _final(history[-1], place)
        rows.append((pair, *[_certainty(look.certainty[place]) for look in some], final))
        strips.append(
            {
                "pair": printable(pair),
                "values": [look.certainty[place] for look in history],
                "borders": [look.borders[place] for look in history],
                "now": final,
            }
        )
    columns = ("pair", *[f"{look.games:,} games" for look in some], "now")
    drawing = {"kind": "certainty", "games": [look.games for look in history], "strips": strips}
    return Chart("certainty", "Certainty", text, columns, tuple(rows), drawing)


def _final(last: CertaintySnapshot, place: int) -> str:
    words: dict[Border, str] = {"line": "line", "close": "~"}
    return words.get(last.borders[place]) or _certainty(last.certainty[place])


def _certainty(value: float | None) -> str:
    if value is None:
        return ""
    if value >= NEARLY_ONE:
        return ">0.99"
    return "<0.01" if value <= 1 - NEARLY_ONE else f"{value:.2f}"


# -- ratings over a run ----------------------------------------------------------------------------


def rating_chart(snapshots: Sequence[RatingSnapshot], rows: Sequence[LeaderboardRow]) -> Chart:
    names = [row.bot for row in rows][:LEADERS]
    every = max(1, -(-len(snapshots) // RATING_ROWS))
    some = [*snapshots[:-1:every], snapshots[-1]]
    shown = [(f"{look.games:,}", *[_rating(look, name) for name in names]) for look in some]
    numbers = [
        (str(look.games), name, f"{mu:.4f}", f"{sigma:.4f}")
        for look in snapshots
        for name, (mu, sigma) in look.ratings.items()
    ]
    return Chart(
        name="course",
        title="Ratings",
        text=f"The estimated strength mu of the {len(names)} leading bots by number of games, in a "
        f"band of ±{INTERVAL_SIGMAS} sigma. The CSV file has all bots.",
        columns=("games", *names),
        rows=tuple(shown),
        drawing={"kind": "course", **_course(snapshots, names)},
        data=(("games", "bot", "mu", "sigma"), *numbers),
    )


def _course(snapshots: Sequence[RatingSnapshot], names: Sequence[str]) -> dict[str, Any]:
    bots = {
        printable(name): [
            (round(look.ratings[name][0], 2), round(INTERVAL_SIGMAS * look.ratings[name][1], 2))
            for look in snapshots
        ]
        for name in names
    }
    colors = {printable(name): emblem_of(name).color for name in names}
    return {"games": [look.games for look in snapshots], "bots": bots, "colors": colors}


def _rating(look: RatingSnapshot, name: str) -> str:
    mu, sigma = look.ratings[name]
    return f"{mu:.1f} ±{INTERVAL_SIGMAS * sigma:.1f}"


# -- heat maps -------------------------------------------------------------------------------------


def matrix_chart(
    results: Collection[PairResult],
    names: Sequence[str],
    interplay: float,
    link: Callable[[str, str], str],
) -> Chart:
    """Return the heat map of results between pairs of bots.

    `link` returns the page that compares two bots, or an empty string if there is none.
    """
    by_pair = {(result.bot, result.opponent): result for result in results}
    text = (
        "The share of games in which the bot in the row finished ahead of the bot in the column; "
        "ties count half. The small number is the number of boards on which they met. "
        f"{_interplay_text(results, interplay)}"
    )
    data = [("bot", "opponent", "boards", "share", "expected", "beyond_chance")]
    for pair in sorted(by_pair):
        cell = by_pair[pair]
        departs = "yes" if cell.departs else "no"
        data.append((*pair, str(cell.boards), f"{cell.share:.4f}", f"{cell.expected:.4f}", departs))
    if len(names) > MAX_MATRIX_BOTS:
        most = f"The {MAX_LISTED_PAIRS} pairs whose results differ most from what their scores "
        most += "predict. The CSV file has all pairs."
        by_departure = sorted(
            results, key=lambda pair: (not pair.departs, -abs(pair.share - pair.expected))
        )
        rows = [
            (one.bot, one.opponent, f"{one.boards:,}", f"{one.share:.0%}", f"{one.expected:.0%}")
            for one in by_departure[:MAX_LISTED_PAIRS]
        ]
        columns = ("bot", "opponent", "boards", "finished ahead", "predicted")
        return Chart("pairs", "Pairs", most, columns, tuple(rows), data=tuple(data))
    heat = [
        (name, [_pair_cell(by_pair.get((name, other)), link) for other in names]) for name in names
    ]
    return Chart(
        "pairs", "Pairs", text, ("bot", *names), heat=heat if results else (),
        data=tuple(data),
    )  # fmt: skip


def _pair_cell(result: PairResult | None, link: Callable[[str, str], str]) -> Cell:
    if result is None:
        return Cell("")
    words = f"{result.bot} finished ahead of {result.opponent} in {result.share:.0%} of games, "
    words += f"on {result.boards:,} boards; their scores predict {result.expected:.0%}"
    mark = ("▲" if result.share > result.expected else "▼") if result.departs else ""
    page = link(result.bot, result.opponent)
    return Cell(f"{100 * result.share:.0f}", result.share, f"{result.boards:,}", words, page, mark)


def _interplay_text(results: Collection[PairResult], interplay: float) -> str:
    departing = sum([result.departs for result in results]) // 2
    text = f"Interplay is {100 * interplay:.1f}%: "
    text += "apart from chance, results typically differ that much from what scores predict. "
    if not departing:
        return f"{text}No single result differs by more than chance explains."
    return (
        f"{text}A triangle marks results that differ by more than chance explains, those of "
        f"{departing} of {len(results) // 2} pairs. It points up if the bot in the row did better "
        "than predicted, and down if it did worse."
    )


def variants_chart(
    variants: Mapping[str, Sequence[LeaderboardRow]],
    names: Sequence[str],
    link: Callable[[str], str],
) -> Chart:
    cells = {
        (row.bot, variant): Cell(
            f"{100 * row.score:.0f}",
            row.score,
            title=f"{row.bot} in {in_words(variant)}: score {row.score:.0%}, rank {row.rank}, "
            f"{row.games:,} games",
            link=link(variant),
        )
        for variant, rows in variants.items()
        for row in rows
        if row.score is not None
    }
    heat = [
        (name, [cells.get((name, variant), Cell("")) for variant in variants]) for name in names
    ]
    text = "The score of each bot in each variant, in percent."
    return _heat("variants", "Strengths and weaknesses", text, ("bot", *variants), heat)


def places_chart(places: Mapping[str, Counter[int]], names: Sequence[str]) -> Chart:
    most = max([place for own in places.values() for place in own], default=0)
    heat = []
    for name in names:
        own = places.get(name, Counter())
        shares = [own[place] / max(1, own.total()) for place in range(1, most + 1)]
        heat.append((name, [_share_cell(share) if own else Cell("") for share in shares]))
    text = "How often each bot finished in each place, in percent of its games."
    columns = ("bot", *[f"place {place}" for place in range(1, most + 1)])
    return _heat("places", "Places", text, columns, heat)


def _share_cell(share: float) -> Cell:
    return Cell(f"{100 * share:.0f}", 0.5 + share / 2, title=f"{share:.1%} of games")


def _heat(name: str, title: str, text: str, columns: tuple[str, ...], heat: HeatRows) -> Chart:
    data = [columns, *[(first, *[cell.text for cell in cells]) for first, cells in heat]]
    return Chart(name, title, text, columns, heat=heat, data=tuple(data))


# -- files -----------------------------------------------------------------------------------------


def with_files(site: Site, page: str, charts: Iterable[Chart]) -> list[Chart]:
    """Write the CSV files of a page's charts. Return the charts that aren't empty."""
    found = []
    for chart in charts:
        if not chart.rows and not chart.heat:
            continue
        file = chart_file(page, chart.name, "csv")
        site.write(file, chart_csv(chart))
        found.append(msgspec.structs.replace(_shortened(chart), file=file))
    return found


def _shortened(chart: Chart) -> Chart:
    if max(len(chart.rows), len(chart.heat)) <= MANY_BOTS:
        return chart
    drawing = chart.drawing and {
        name: value[:MANY_BOTS] if name in ("bots", "strips") else value
        for name, value in chart.drawing.items()
    }
    return msgspec.structs.replace(
        chart,
        text=f"{chart.text} Only the first {MANY_BOTS} rows are shown; the CSV file has all.",
        rows=chart.rows[:MANY_BOTS],
        heat=chart.heat[:MANY_BOTS],
        drawing=drawing,
    )


class PageWriter(NamedTuple):
    site: Site
    renderer: Renderer

    def write(
        self, template: str, path: str, charts: Iterable[Chart] = (), **values: object
    ) -> None:
        shown = with_files(self.site, path, charts)
        self.site.write(path, self.renderer.page(template, path, charts=shown, **values))


def chart_csv(chart: Chart) -> str:
    """Return a chart's numbers as CSV that is safe to open in a spreadsheet."""
    lines = chart.data or (chart.columns, *chart.rows)
    return csv_text([map(_safe, line) for line in lines])


def _safe(text: str) -> str:
    """Escape text so that a spreadsheet doesn't run it as a formula. Numbers are unchanged."""
    is_number = text.lstrip("+-").replace(".", "", 1).rstrip("%").isdecimal()
    return text if is_number else text_cell(printable(text))
