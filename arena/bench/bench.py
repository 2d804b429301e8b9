"""The table of `arena bench`: the speed of the arena on this machine, as ratios to references.

Workloads that are compared are measured in turn in each round, because the speed of a shared
machine drifts. A ratio is the median of the rounds' ratios. Times are the processor times of all
processes involved. Whole runs are also measured in wall-clock time.
"""

import compileall
import platform
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena import __version__
from arena.bench.engine_figures import determinize_figures, hearts_figures, playout_figures
from arena.bench.engine_workloads import build_of_games
from arena.bench.figures import SCHEMA_VERSION, Figure, Measured, Report, Row, figure_of
from arena.bench.match_figures import decision_figures, own_time_figures, ready_figure
from arena.bench.record_figures import record_figures
from arena.bench.run_figures import all_games_figures, first_game_figure, run_figures
from arena.bench.sizes import Sizes
from arena.process.cores import usable

PACKAGES = Path(__file__).parents[2]


def bench(rows: Sequence[Row], sizes: Sizes) -> Iterator[Figure]:
    """Measure `rows`, and yield their figures, a group as soon as it is measured.

    Raises:
        ArenaError: a bot of the benchmark had a fault, or a run failed.
    """
    build = build_of_games()
    _compile_sources()
    for group in dict.fromkeys([row.group for row in rows]):
        own = {row.name: row for row in rows if row.group == group}
        with tempfile.TemporaryDirectory() as folder:
            for name, measured in _measure(group, Path(folder), list(own.values()), sizes):
                yield figure_of(own[name], measured, build, sizes)


def _compile_sources() -> None:
    """Compile what has been edited since the install, so that no measured process has to."""
    for package in ("engine", "arena", "bots"):
        compileall.compile_dir(PACKAGES / package, quiet=2)


def _measure(group: str, folder: Path, rows: Sequence[Row], sizes: Sizes) -> Iterator[Measured]:
    """Measure some rows of a group."""
    match group:
        case "playouts":
            yield from playout_figures(rows, sizes)
        case "hearts":
            yield from hearts_figures(rows, sizes)
        case "determinize":
            yield from determinize_figures(rows, sizes)
        case "decision":
            yield from decision_figures(folder, rows, sizes)
        case "start":
            for row in rows:
                is_ready = row.name == "start/ready"
                yield (
                    ready_figure(row, sizes) if is_ready else first_game_figure(folder, row, sizes)
                )
        case "bots":
            yield from own_time_figures(rows, sizes)
        case "run":
            yield from run_figures(folder, rows, sizes)
        case "all-games":
            yield from all_games_figures(folder, rows, sizes)
        case "records":
            yield from record_figures(folder, rows, sizes)


def report_of(figures: Sequence[Figure]) -> Report:
    """Return the report of figures that were measured here and now."""
    return Report(
        schema=SCHEMA_VERSION,
        arena=__version__,
        python=platform.python_version(),
        build=build_of_games(),
        cores=len(usable()),
        figures=list(figures),
    )
