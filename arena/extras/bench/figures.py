"""Figures of `arena bench`: rows with aims, what was measured of each, and reports as JSON."""

from collections.abc import Callable, Sequence
from statistics import quantiles
from typing import Literal, NamedTuple

import msgspec

from arena.base.errors import BenchError
from arena.extras.bench.timing import LOOP, Workload, in_turn, python_loop

SCHEMA_VERSION = 1

Better = Literal["more", "less"]


class Sizes(NamedTuple):
    """The number of measurements of each figure, and the work in one of them."""

    rounds: int = 5
    """Measurements of each figure."""
    run_rounds: int = 3
    """Measurements of whole runs."""
    round_trips: int = 2_000
    """Messages to one process and back."""
    playouts: int = 50
    """Random games in the engine."""
    determinized: int = 2
    """Random games at whose decisions `determinize` is called."""
    decided: int = 32
    """Games of the rows of decisions."""
    driven: int = 150
    """Games with the driver alone."""
    own_time: int = 30
    """Games in which the quick bots' own time is measured."""
    games: int = 600
    """Games of a whole run, about."""
    recorded: int = 8
    """Rounds of a run whose records are stored and rated."""
    ranked: int = 30_000
    """Games of the leaderboard of 30 bots. Its tables come once, and weigh more with fewer."""
    scored: int = 30_000
    """Games of the scores of 50 bots."""
    looked_at: int = 10_000
    """Games of a look of the stop rule."""


USUAL = Sizes()
SHORT = Sizes(
    rounds=5, run_rounds=1, playouts=10, determinized=1, decided=32, driven=6, own_time=10, games=60
)
LONG = Sizes(
    rounds=11, run_rounds=2, driven=600, own_time=200, games=20_000, ranked=100_000, scored=100_000
)


class Aim(NamedTuple):
    """The limit that a figure must reach: at least, or at most, as the row is better."""

    limit: float
    compiled: float | None = None
    """The limit of compiled games; None means the same."""
    of: Literal["ratio", "value"] = "ratio"

    def limit_of(self, build: str) -> float:
        """Return the limit for a build, `compiled` or `plain Python`."""
        return self.limit if self.compiled is None or build != COMPILED else self.compiled


def value(limit: float, compiled: float | None = None) -> Aim:
    """Return an aim of the value itself instead of its ratio."""
    return Aim(limit, compiled, "value")


PLAIN, COMPILED = "plain Python", "compiled"


class BenchRow(NamedTuple):
    """A row of the table."""

    name: str
    """`GROUP/WHAT`. The rows of a group are measured together."""
    what: str
    """It may name the sizes of the measurement, such as `{games}`."""
    unit: str
    aim: Aim | None = None
    short: bool = False
    """Whether a short measurement has the row."""
    needs_quiet: bool = False
    """Whether even the ratio is another one on a busy machine."""

    @property
    def better(self) -> Better:
        """Whether more or less is better: more of what is done a second."""
        return "more" if self.unit.endswith("/s") else "less"

    @property
    def group(self) -> str:
        """The part of the name before the slash."""
        return self.name.partition("/")[0]

    @property
    def what_of_group(self) -> str:
        """The part of the name after the slash, such as a variant."""
        return self.name.partition("/")[2]

    def aim_text(self, build: str) -> str:
        """Return the aim of a build with its sign, and the unit if it is none of a ratio."""
        if self.aim is None:
            return ""
        sign = ">=" if self.better == "more" else "<="
        unit = f" {self.unit}" if self.aim.of == "value" else ""
        return f"{sign} {self.aim.limit_of(build):g}{unit}"


class Spread(msgspec.Struct, frozen=True):
    """The median of some rounds, and the ends of the middle half of them."""

    low: float
    median: float
    high: float


def spread_of(values: Sequence[float]) -> Spread:
    """Return the spread of one or more values, with four digits."""
    low, middle, high = quantiles(values, n=4, method="inclusive") if values[1:] else 3 * [*values]
    return Spread(*[float(f"{each:.4g}") for each in (low, middle, high)])


SCALES = {"us": 1e6, "ms": 1e3, "%": 100.0}
"""Units that are parts of a second, or of a whole: how many of them it has."""


class Samples(NamedTuple):
    """The measurements of a row, a pair for each round."""

    own: Sequence[float]
    """What the row is of: seconds for one of what it counts; MiB or bytes if these are its unit."""
    other: Sequence[float]
    """The same of the reference, which has the ratio 1."""
    reference: str
    times: float = 1.0
    """The row is of so many of what was measured, such as the decisions of a game."""


class Missing(NamedTuple):
    """The reason why a row was not measured, and what to do."""

    reason: str


Measured = tuple[str, Samples | Missing]
"""The name of a row, and what was measured of it."""


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of the table with what was measured."""

    name: str
    what: str
    unit: str
    better: Better
    value: Spread | None = None
    """None if it was not measured, or was left out for being of one machine only."""
    ratio: Spread | None = None
    reference: str = ""
    """The workload that has the ratio 1."""
    aim: str = ""
    is_met: bool | None = None
    missing: str = ""
    """The reason why it was not measured."""


class BenchReport(msgspec.Struct, frozen=True):
    """The JSON of `arena bench`."""

    schema: int
    arena: str
    """The version of the arena."""
    python: str
    build: str
    """Whether the games are compiled."""
    cores: int
    figures: list[Figure]


def figure_of(
    row: BenchRow, measured: Samples | Missing, build: str, sizes: Sizes = USUAL
) -> Figure:
    """Return the figure of a row, with its aim for a `build`."""
    figure = Figure(
        name=row.name,
        what=row.what.format_map(sizes._asdict()),
        unit=row.unit,
        better=row.better,
        aim=row.aim_text(build),
    )
    if isinstance(measured, Missing):
        return msgspec.structs.replace(figure, missing=measured.reason)
    scale = measured.times * SCALES.get(row.unit, 1.0)
    values = [scale * own for own in measured.own]
    ratios = [own / other for own, other in zip(measured.own, measured.other, strict=True)]
    if row.better == "more":  # rates, from times
        values, ratios = ([1 / each for each in some] for some in (values, ratios))
    value, ratio = spread_of(values), spread_of(ratios)
    is_met = None
    if row.aim:
        got, limit = (ratio if row.aim.of == "ratio" else value), row.aim.limit_of(build)
        is_met = got.median >= limit if row.better == "more" else got.median <= limit
    return msgspec.structs.replace(
        figure, value=value, ratio=ratio, reference=measured.reference, is_met=is_met
    )


def compared(
    own: Workload, other: Workload, reference: str, rounds: int, *, warm_up: bool = True
) -> Samples:
    """Return the times of a workload and of another one, measured in turn."""
    times = in_turn({"own": own, "other": other}, rounds, warm_up=warm_up)
    return Samples(times["own"], times["other"], reference)


def over_loop(own: Workload, rounds: int, *, warm_up: bool = True) -> Samples:
    """Return the times of a workload and of the Python loop."""
    return compared(own, python_loop(), LOOP, rounds, warm_up=warm_up)


def only_ratios(report: BenchReport) -> BenchReport:
    """Return the report without figures that hold on one machine only."""
    kept = [
        msgspec.structs.replace(figure, value=None, aim="", is_met=None)
        for figure in report.figures
        if figure.ratio is not None
    ]
    return msgspec.structs.replace(report, figures=kept)


def write_report(report: BenchReport) -> str:
    """Return a report as JSON, a figure at a time, for version control."""
    return msgspec.json.format(msgspec.json.encode(report), indent=1).decode() + "\n"


def read_report(text: bytes, source: str) -> BenchReport:
    """Return the report in some JSON.

    Raises:
        BenchError: it is none, or one of another version. `source` names the file.
    """
    again = "write it again with `arena bench --json`"
    try:
        version = msgspec.json.decode(text, type=_Versioned).schema
        if version == SCHEMA_VERSION:
            return msgspec.json.decode(text, type=BenchReport)
    except msgspec.DecodeError as error:
        raise BenchError(
            f"{source} holds no figures of `arena bench --json`: {error}; {again}"
        ) from error
    raise BenchError(
        f"{source} has figures in version {version}, expected version {SCHEMA_VERSION}; {again}"
    )


class _Versioned(msgspec.Struct):
    schema: int


# -- changes of ratios -----------------------------------------------------------------------------


REPEATS = 4
"""Further measurements of a row that seems worse, before it counts as worse."""

Measure = Callable[[Sequence[BenchRow]], Sequence[Figure]]
"""Measures some rows."""


class Change(NamedTuple):
    """A row whose ratio was measured before and now."""

    name: str
    what: str
    better: Better
    before: Spread
    now: Spread

    @property
    def change(self) -> Spread:
        """The ratio now over the ratio before, with the least and the most by both spreads."""
        before, now = self.before, self.now
        return Spread(now.low / before.high, now.median / before.median, now.high / before.low)

    def is_worse(self, tolerance: float) -> bool:
        """Return whether the median is worse by more than `tolerance`, a share of what it was."""
        change = self.change.median
        return change < 1 - tolerance if self.better == "more" else change > 1 + tolerance

    def is_better_than(self, other: "Change") -> bool:
        """Return whether this measurement of a row is better than another one."""
        own, theirs = self.now.median, other.now.median
        return own > theirs if self.better == "more" else own < theirs


class RatioChanges(NamedTuple):
    """The rows that were compared, and the reasons why others were not."""

    changes: list[Change]
    left_out: dict[str, str]
    """By the name of a row."""

    def worse(self, tolerance: float) -> list[Change]:
        """Return the rows that are worse by more than `tolerance`."""
        return [change for change in self.changes if change.is_worse(tolerance)]


def compare(
    before: BenchReport,
    rows: Sequence[BenchRow],
    measure: Measure,
    tolerance: float,
    repeats: int = REPEATS,
) -> RatioChanges:
    """Measure those of `rows` that `before` has, and return how their ratios have changed.

    A row that seems worse by more than `tolerance` is measured again, `repeats` times at most, and
    the best of its measurements counts: other work on the machine makes figures worse, not better.

    Raises:
        BenchError: `before` has none of the rows.
    """
    former = {figure.name: figure for figure in before.figures}
    by_name = {row.name: row for row in rows if row.name in former}
    if not by_name:
        raise BenchError(
            "the earlier figures have none of the chosen rows; "
            f"they have {', '.join(former) or 'no rows'}"
        )
    changes: dict[str, Change] = {}
    left_out = {row.name: "not measured before" for row in rows if row.name not in former}
    for figure in measure(list(by_name.values())):
        found = _change(former[figure.name], figure)
        if isinstance(found, Change):
            changes[figure.name] = found
        else:
            left_out[figure.name] = found
    for _ in range(repeats):
        worse = [by_name[name] for name, change in changes.items() if change.is_worse(tolerance)]
        for figure in measure(worse) if worse else ():
            again = _change(former[figure.name], figure)
            if isinstance(again, Change) and again.is_better_than(changes[figure.name]):
                changes[figure.name] = again
    return RatioChanges(list(changes.values()), left_out)


def _change(before: Figure, now: Figure) -> Change | str:
    """Return how a figure has changed, or why that can't be said."""
    if now.missing:
        return f"not measured now: {now.missing}"
    if before.ratio is None or now.ratio is None:
        return "not measured before"
    if before.reference != now.reference:
        return f"in units of {before.reference!r} before, and of {now.reference!r} now"
    return Change(now.name, now.what, now.better, before.ratio, now.ratio)
