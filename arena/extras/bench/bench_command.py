"""`arena bench`: the speed of the arena on this machine, as a table, as JSON, or compared."""

import compileall
import platform
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from arena import __version__
from arena.extras.bench.engine_figures import build_of_games, engine_figures
from arena.extras.bench.figures import (
    LONG,
    SCHEMA_VERSION,
    SHORT,
    USUAL,
    BenchReport,
    BenchRow,
    Figure,
    Measured,
    Missing,
    RatioChanges,
    Sizes,
    Spread,
    compare,
    figure_of,
    only_ratios,
    read_report,
    write_report,
)
from arena.extras.bench.match_figures import decision_figures, own_time_figures
from arena.extras.bench.record_figures import record_figures
from arena.extras.bench.rows import chosen_rows
from arena.extras.bench.run_figures import all_games_figures, run_figures, start_figures
from arena.extras.bench.timing import is_busy, tells_processes
from arena.process.host import usable
from arena.terminal.console import notice, say, say_data


@click.command("bench")
@click.option(
    "--only", metavar="NAME", multiple=True, help="Measure this row or group; may be repeated."
)
@click.option("--short", "size", flag_value="short", help="Measure the quick rows only, briefly.")
@click.option(
    "--long", "size", flag_value="long", help="Measure runs of 20,000 games. It takes an hour."
)
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    help=f"Measurements of each figure. Default: {USUAL.rounds}.",
)
@click.option(
    "--games",
    type=click.IntRange(min=4),
    help=f"Games of each whole run. Default: {USUAL.games}.",
)
@click.option("--json", "form", flag_value="json", help="Print JSON, for --compare.")
@click.option(
    "--ratios",
    "form",
    flag_value="ratios",
    help="Print JSON with the ratios only, which hold on other machines as well.",
)
@click.option(
    "--compare",
    "before",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Compare the ratios with those in a file of --json or --ratios. The exit code is 1 when "
    "one is worse.",
)
@click.option(
    "--tolerance",
    type=click.FloatRange(min=0),
    default=30,
    show_default=True,
    metavar="PERCENT",
    help="The change of a ratio that --compare accepts.",
)
@click.pass_context
def bench_command(
    context: click.Context,
    /,
    only: Sequence[str],
    before: Path | None,
    tolerance: float,
    form: str | None,
    **size: Any,
) -> None:
    """Measure the speed of the arena on this machine.

    It takes some minutes. Names of rows are in the first column.
    """
    if before and form:
        raise click.UsageError("--compare prints a table; leave out --json and --ratios")
    sizes = _sizes(**size)
    rows = chosen_rows(only, short=size["size"] == "short")
    if before:
        former = read_report(before.read_bytes(), str(before))
        context.exit(_print_comparison(former, rows, sizes, tolerance / 100))
    if form:
        report = report_of(list(bench(rows, sizes)))
        say_data(write_report(only_ratios(report) if form == "ratios" else report))
        return
    say(HEAD)
    for figure in bench(rows, sizes):
        say(line_of(figure))


def _sizes(size: str | None, rounds: int | None, games: int | None) -> Sizes:
    chosen = {"short": SHORT, "long": LONG, None: USUAL}[size]
    if rounds:
        chosen = chosen._replace(rounds=rounds, run_rounds=rounds)
    return chosen._replace(games=games) if games else chosen


HEAD = f"{'row':31} {'':54} {'median':>9} (middle half)"


def line_of(figure: Figure) -> str:
    """Return the line of the table for a figure."""
    begin = f"{figure.name:31} {figure.what:54}"
    aim = f"; aim {figure.aim}" if figure.aim else ""
    if figure.missing:
        return f"{begin} {'-':>9} {figure.missing}{aim}"
    value = f" {_text(figure.value)} {figure.unit}" if figure.value else ""
    ratio = f"; {_text(figure.ratio).strip()} x {figure.reference}" if figure.ratio else ""
    met = {None: "", True: ": met", False: ": NOT MET"}[figure.is_met]
    return f"{begin}{value}{ratio}{aim}{met}"


def _text(spread: Spread) -> str:
    low, middle, high = map(_number, (spread.low, spread.median, spread.high))
    return f"{middle:>9} ({low}-{high})"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _print_comparison(
    before: BenchReport, rows: Sequence[BenchRow], sizes: Sizes, tolerance: float
) -> int:
    """Print how ratios have changed, and return the exit code."""
    now = report_of([])
    for what in ("python", "build"):
        if (old := getattr(before, what)) != (new := getattr(now, what)):
            notice(f"the earlier figures are of {what} {old}, those of now of {what} {new}")
    busy = is_busy()
    if noisy := [row.name for row in rows if busy and row.needs_quiet]:
        notice(f"the machine is busy, so these rows are left out: {', '.join(noisy)}")
        rows = [row for row in rows if row.name not in noisy]
    found = compare(before, rows, lambda some: list(bench(some, sizes)), tolerance)
    for line in comparison_lines(found, tolerance):
        say(line)
    return 1 if found.worse(tolerance) else 0


def comparison_lines(found: RatioChanges, tolerance: float) -> Iterator[str]:
    """Yield the lines of the table of a comparison."""
    yield f"{'row':31} {'ratio before':>22} {'now':>22} {'now / before':>22}"
    for change in found.changes:
        mark = "  WORSE" if change.is_worse(tolerance) else ""
        spreads = (change.before, change.now, change.change)
        yield f"{change.name:31} " + " ".join([f"{_text(spread):>22}" for spread in spreads]) + mark
    for name, reason in found.left_out.items():
        yield f"{name:31} left out: {reason}"
    worse = [change.name for change in found.worse(tolerance)]
    yield (
        f"worse by more than {100 * tolerance:g} %: {', '.join(worse)}"
        if worse
        else f"no ratio is worse by more than {100 * tolerance:g} %"
    )


# -- measuring the rows ------------------------------------------------------------------------
#
# Workloads that are compared are measured in turn in each round, because the speed of a shared
# machine drifts. A ratio is the median of the rounds' ratios. Times are the processor times of all
# processes involved. Whole runs are also measured on the clock.


PACKAGES = Path(__file__).parents[3]

GROUPS: dict[str, Callable[[Path, Sequence[BenchRow], Sizes], Iterator[Measured]]] = {
    "playouts": engine_figures,
    "hearts": engine_figures,
    "play-out": engine_figures,
    "determinize": engine_figures,
    "decision": decision_figures,
    "start": start_figures,
    "bots": own_time_figures,
    "run": run_figures,
    "all-games": all_games_figures,
    "records": record_figures,
}
"""What measures the rows of a group. It is given an empty folder for temporary files."""

OF_PROCESSES = ("start", "bots", "run", "all-games")
"""Groups whose figures are of other processes."""
NEEDS_LINUX = Missing("needs Linux, which tells what each process uses")


def bench(rows: Sequence[BenchRow], sizes: Sizes) -> Iterator[Figure]:
    """Measure `rows`, and yield their figures, a group as soon as it is measured.

    Raises:
        ArenaError: a bot of the benchmark had a fault, or a run failed.
    """
    build = build_of_games()
    _compile_sources()
    for group in dict.fromkeys([row.group for row in rows]):
        own = {row.name: row for row in rows if row.group == group}
        if group in OF_PROCESSES and not tells_processes():
            yield from [figure_of(row, NEEDS_LINUX, build, sizes) for row in own.values()]
            continue
        with tempfile.TemporaryDirectory() as folder:
            for name, measured in GROUPS[group](Path(folder), list(own.values()), sizes):
                yield figure_of(own[name], measured, build, sizes)


def _compile_sources() -> None:
    """Compile what has been edited since the install, so that no measured process has to."""
    for package in ("engine", "arena", "bots"):
        compileall.compile_dir(PACKAGES / package, quiet=2)


def report_of(figures: Sequence[Figure]) -> BenchReport:
    """Return the report of figures that were measured here and now."""
    return BenchReport(
        schema=SCHEMA_VERSION,
        arena=__version__,
        python=platform.python_version(),
        build=build_of_games(),
        cores=len(usable()),
        figures=list(figures),
    )
