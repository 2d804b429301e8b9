"""Figures of records: storing and rating them, leaderboards, scores and looks."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

from arena.extras.bench.figures import Measured, Row, Samples, ratios
from arena.extras.bench.match_workloads import played, quick_settings
from arena.extras.bench.record_workloads import looking, ranking, rating, scoring, storing
from arena.extras.bench.sizes import Sizes
from arena.extras.bench.timing import LOOP, Workload, in_turn, python_loop
from arena.record import write_record

AIMED_GAMES = 100_000
"""Games of the leaderboard whose time is aimed at; a smaller one is scaled up."""


def record_figures(folder: Path, rows: Sequence[Row], sizes: Sizes) -> Iterator[Measured]:
    """Yield the figures of `rows`, each group of workloads in turn with the Python loop."""
    names = {row.name for row in rows}
    if names & {"records/storing", "records/rating"}:
        records = played(quick_settings("pot-de-vin", sizes.recorded))
        runs = map(folder.joinpath, map("stored-{}".format, count()))
        small = {
            "records/storing": storing(runs, [write_record(record) for record in records]),
            "records/rating": rating(records),
        }
        yield from _timed(small, names, sizes, 1e6)
    if names & {"records/leaderboard", "records/leaderboard-ours"}:
        yield from _leaderboard(names, sizes)
    large: dict[str, Callable[[], Workload]] = {
        "records/scores": lambda: scoring(50, sizes.scored),
        "records/look": lambda: looking(30, sizes.looked_at),
    }
    chosen = {name: make() for name, make in large.items() if name in names}
    yield from _timed(chosen, names, sizes, 1e3)


def _timed(
    workloads: dict[str, Workload], names: set[str], sizes: Sizes, scale: float
) -> Iterator[Measured]:
    times = in_turn(workloads | {LOOP: python_loop()}, sizes.rounds)
    for name in workloads:
        if name in names:
            values = [scale * one for one in times[name]]
            yield name, Samples(values, ratios(times[name], times[LOOP]), LOOP)


def _leaderboard(names: set[str], sizes: Sizes) -> Iterator[Measured]:
    ours: list[float] = []
    workloads = {"whole": ranking(30, sizes.ranked, ours), LOOP: python_loop()}
    times = in_turn(workloads, sizes.run_rounds, warm_up=False)
    found = {"records/leaderboard": times["whole"], "records/leaderboard-ours": ours}
    for name, own in found.items():
        if name in names:
            scaled = [one * AIMED_GAMES / sizes.ranked for one in own]
            yield name, Samples(scaled, ratios(own, times[LOOP]), LOOP)
