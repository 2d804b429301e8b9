"""Figures of `arena bench`: rows with aims, what was measured of each, and reports as JSON."""

import math
from collections.abc import Sequence
from statistics import quantiles
from typing import Literal, NamedTuple

import msgspec

from arena.errors import BenchError
from arena.extras.bench.sizes import USUAL, Sizes

SCHEMA_VERSION = 1

Better = Literal["more", "less"]


class Aim(NamedTuple):
    """The limit that a figure must reach: at least, or at most, as the row is better."""

    limit: float
    compiled: float | None = None
    """The limit of compiled games; None means the same."""
    of: Literal["ratio", "value"] = "ratio"

    def limit_of(self, build: str) -> float:
        """Return the limit for a build, `compiled` or `plain Python`."""
        return self.limit if self.compiled is None or build != COMPILED else self.compiled


PLAIN, COMPILED = "plain Python", "compiled"


class Row(NamedTuple):
    """A row of the table."""

    name: str
    """`GROUP/WHAT`. The rows of a group are measured together."""
    what: str
    """It may name the sizes of the measurement, such as `{games}`."""
    unit: str
    better: Better = "less"
    aim: Aim | None = None
    short: bool = False
    """Whether a short measurement has the row."""
    needs_quiet: bool = False
    """Whether even the ratio is another one on a busy machine."""

    @property
    def group(self) -> str:
        """The part of the name before the slash."""
        return self.name.partition("/")[0]

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
    """Return the spread of one or more values."""
    if len(values) == 1:
        return Spread(values[0], values[0], values[0])
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return Spread(low, middle, high)


class Samples(NamedTuple):
    """What was measured of a row: a value and a ratio for each round."""

    values: Sequence[float]
    """In the unit of the row."""
    ratios: Sequence[float] = ()
    """The values in units of `reference`, or their speed in that of the reference."""
    reference: str = ""


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
    """What has the ratio 1."""
    aim: str = ""
    is_met: bool | None = None
    missing: str = ""
    """The reason why it was not measured."""


class Report(msgspec.Struct, frozen=True):
    """The JSON of `arena bench`."""

    schema: int
    arena: str
    """The version of the arena."""
    python: str
    build: str
    """Whether the games are compiled."""
    cores: int
    figures: list[Figure]


def figure_of(row: Row, measured: Samples | Missing, build: str, sizes: Sizes = USUAL) -> Figure:
    """Return the figure of a row, with its aim for a `build`."""
    what = row.what.format_map(sizes._asdict())
    aim = row.aim_text(build)
    if isinstance(measured, Missing):
        return Figure(row.name, what, row.unit, row.better, aim=aim, missing=measured.reason)
    figure = Figure(
        row.name,
        what,
        row.unit,
        row.better,
        spread_of(measured.values),
        spread_of(measured.ratios) if measured.ratios else None,
        measured.reference,
        aim,
    )
    return msgspec.structs.replace(figure, is_met=_is_met(row, figure, build))


def _is_met(row: Row, figure: Figure, build: str) -> bool | None:
    """Return whether the median reaches the aim of its row, None if it has none."""
    if row.aim is None:
        return None
    got = figure.ratio if row.aim.of == "ratio" else figure.value
    if got is None:
        return None
    limit = row.aim.limit_of(build)
    return got.median >= limit if row.better == "more" else got.median <= limit


def ratios(one: Sequence[float], other: Sequence[float]) -> list[float]:
    """Return the ratios of `one` to `other`, round by round."""
    return [a / b for a, b in zip(one, other, strict=True)]


def inverse(values: Sequence[float]) -> list[float]:
    """Return rates from times, or times from rates."""
    return [1 / value for value in values]


def only_ratios(report: Report) -> Report:
    """Return the report without figures that hold on one machine only."""
    kept = [
        msgspec.structs.replace(figure, value=None, aim="", is_met=None)
        for figure in report.figures
        if figure.ratio is not None
    ]
    return msgspec.structs.replace(report, figures=kept)


def write_report(report: Report) -> str:
    """Return a report as JSON with four digits, a figure at a time, for version control."""
    rounded = msgspec.structs.replace(report, figures=[_rounded(one) for one in report.figures])
    return msgspec.json.format(msgspec.json.encode(rounded), indent=1).decode() + "\n"


def _rounded(figure: Figure) -> Figure:
    def digits(spread: Spread | None) -> Spread | None:
        return spread and Spread(*[_four_digits(one) for one in msgspec.structs.astuple(spread)])

    return msgspec.structs.replace(figure, value=digits(figure.value), ratio=digits(figure.ratio))


def _four_digits(value: float) -> float:
    return float(f"{value:.4g}") if math.isfinite(value) else value


def read_report(text: bytes, source: str) -> Report:
    """Return the report in some JSON.

    Raises:
        BenchError: it is none, or one of another version. `source` names the file.
    """
    again = "write it again with `arena bench --json`"
    try:
        version = msgspec.json.decode(text, type=_Versioned).schema
        if version == SCHEMA_VERSION:
            return msgspec.json.decode(text, type=Report)
    except msgspec.DecodeError as error:
        raise BenchError(
            f"{source} holds no figures of `arena bench --json`: {error}; {again}"
        ) from error
    raise BenchError(
        f"{source} has figures in version {version}, expected version {SCHEMA_VERSION}; {again}"
    )


class _Versioned(msgspec.Struct):
    schema: int
