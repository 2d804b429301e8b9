"""The table of `arena bench`: the speed of the arena on this machine, as ratios to references.

Workloads that are compared are measured in turn in each round, because the speed of a shared
machine drifts. A ratio is the median of the rounds' ratios. Times are the processor times of all
processes involved. Whole runs are also measured on the clock.
"""

import compileall
import platform
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from arena import __version__
from arena.extras.bench.engine_figures import build_of_games, engine_figures
from arena.extras.bench.figures import (
    SCHEMA_VERSION,
    BenchReport,
    BenchRow,
    Figure,
    Measured,
    Missing,
    Sizes,
    figure_of,
)
from arena.extras.bench.match_figures import decision_figures, own_time_figures
from arena.extras.bench.record_figures import record_figures
from arena.extras.bench.run_figures import all_games_figures, run_figures, start_figures
from arena.extras.bench.timing import tells_processes
from arena.process.host import usable

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


def bench(rows: Sequence[BenchRow], sizes: Sizes) -> Iterator[Figure]:
    """Measure `rows`, and yield their figures, a group as soon as it is measured.

    Raises:
        ArenaError: a bot of the benchmark had a fault, or a run failed.
    """
    build = build_of_games()
    _compile_sources()
    for group in dict.fromkeys([row.group for row in rows]):
        own = {row.name: row for row in rows if row.group == group}
        with tempfile.TemporaryDirectory() as folder:
            measure = GROUPS[group] if _can_measure(group) else _needs_linux
            for name, measured in measure(Path(folder), list(own.values()), sizes):
                yield figure_of(own[name], measured, build, sizes)


def _can_measure(group: str) -> bool:
    return group not in OF_PROCESSES or tells_processes()


def _needs_linux(_: Path, rows: Sequence[BenchRow], __: Sizes) -> Iterator[Measured]:
    for row in rows:
        yield row.name, Missing("needs Linux, which tells what each process uses")


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
