"""Figures of `arena bench`: the speed of the arena on this machine, with ratios to a reference.

The unit is c, one minimal round trip between two processes on one core. Workloads that are compared
are measured in turn in each round, because the speed of a shared machine drifts. A ratio is the
median of the rounds' ratios. Times are the processor times of all processes involved, which share
a core. Whole runs are also measured in wall-clock time.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from statistics import median
from typing import NamedTuple

from arena.bench.workloads import (
    Programs,
    Repetitions,
    Workload,
    bare_driver,
    decisions,
    looking,
    make_entrants,
    make_programs,
    on_one_core,
    playouts,
    rating,
    round_trips,
    scoring,
    storing,
    transport,
    whole_run,
)
from arena.plugins import bots
from arena.process.cores import usable
from arena.record import read_record
from arena.tournament.store import DATABASE, Store
from engine import variants

CONCURRENT_GAMES = 32
"""Concurrent games, where there are several."""


class Figure(NamedTuple):
    """A line of the printed table."""

    what: str
    value: float
    unit: str
    ratio: float | None = None
    """This value in units of `reference`."""
    reference: str = ""


USUAL = Repetitions()


def bench(
    folder: Path, rounds: int, games: int, repetitions: Repetitions = USUAL
) -> Iterator[Figure]:
    """Measure everything, and yield the figures one by one.

    Args:
        folder: an empty folder for temporary files.
        rounds: the number of measurements of each figure.
        games: the number of games of each tournament.
        repetitions: how often each other workload repeats its work.
    """
    for name, variant in variants().items():
        times = in_turn({name: playouts(variant, repetitions.playouts)}, rounds)
        yield Figure(f"playouts of {name}", 1 / median(times[name]), "games/s")
    yield from measure_decisions(make_programs(folder), rounds, repetitions)
    yield from measure_runs(folder, rounds, games, repetitions.driven_games)
    yield from measure_scores(rounds, games)


def in_turn(
    workloads: Mapping[str, Workload], rounds: int, *, warm_up: bool = True
) -> dict[str, list[float]]:
    """Return the times of each workload in each round, after a first round that does not count."""
    for workload in workloads.values() if warm_up else ():
        workload()
    times: dict[str, list[float]] = {name: [] for name in workloads}
    for _ in range(rounds):
        for name, workload in workloads.items():
            times[name].append(workload())
    return times


def ratio(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the median of the ratios of `one` to `other`, round by round."""
    return median([a / b for a, b in zip(one, other, strict=True)])


def measure_decisions(
    programs: Programs, rounds: int, repetitions: Repetitions = USUAL
) -> Iterator[Figure]:
    """Yield the times of a round trip, of the transport, and of a decision in whole games."""
    quickest = next(iter(programs.bots))
    with contextlib.ExitStack() as stack:
        stack.enter_context(on_one_core())
        workloads = {
            "c": stack.enter_context(round_trips(programs.echo, repetitions.round_trips)),
            "transport": stack.enter_context(
                transport(programs.bots[quickest], repetitions.round_trips)
            ),
        }
        for name, command in programs.bots.items():
            for tables in (1, CONCURRENT_GAMES):
                games = decisions(command, tables, repetitions.games)
                workloads[f"{name} {tables}"] = stack.enter_context(games)
        times = in_turn(workloads, rounds)
    c, alone = times["c"], times["transport"]
    echo = "C echo" if programs.has_compiler else "Python echo, no C compiler found"
    yield Figure(f"c: a minimal round trip ({echo})", 1e6 * median(c), "us")
    yield Figure("transport without a game", 1e6 * median(alone), "us", ratio(alone, c), "c")
    for name in programs.bots:
        one, many = times[f"{name} 1"], times[f"{name} {CONCURRENT_GAMES}"]
        yield Figure(f"referee, {name}", 1e6 * median(one), "us a decision", ratio(one, c), "c")
        if name != quickest:
            rate = ratio(times[f"{quickest} 1"], one)
            yield Figure("  its rate", 1 / median(one), "decisions/s", rate, quickest)
        rate = ratio(one, many)
        yield Figure(
            f"  {CONCURRENT_GAMES} games at a time",
            1 / median(many),
            "decisions/s",
            rate,
            "one game",
        )


def measure_runs(folder: Path, rounds: int, games: int, driven_games: int) -> Iterator[Figure]:
    """Yield the speed of whole runs, and the cost of storing and rating their records.

    Each run has `games` games, and the driver alone plays `driven_games`.
    """
    entrants = make_entrants(folder, bots()["random"].command)
    runs = map(folder.joinpath, map(str, count()))
    crews = list(range(1, min(2, len(usable())) + 1))
    busy: dict[int, list[float]] = {workers: [] for workers in crews}
    with bare_driver(entrants, driven_games) as driver:
        workloads = {"driver": driver}
        for workers in crews:
            workloads[f"{workers}"] = whole_run(runs, entrants, games, workers, busy[workers])
        times = in_turn(workloads, rounds, warm_up=False)
    bare = times["driver"]
    yield Figure("bare driver, one core", 1 / median(bare), "games/s")
    for workers in crews:
        own = times[f"{workers}"]
        against = ratio(times["1"], own) if workers > 1 else None
        reference = "one worker" if workers > 1 else ""
        yield Figure(
            f"arena run --workers {workers}", 1 / median(own), "games/s", against, reference
        )
        rate = ratio(bare, busy[workers])
        per_s = 1 / median(busy[workers])
        yield Figure("  by processor time", per_s, "games/s", rate, "bare driver")
    run = next(folder.glob(f"*/{DATABASE}"))
    with Store.open(run.parent) as store:
        records = list(store.raw_records())
    cost = in_turn(
        {
            "storing": storing(runs, records),
            "rating": rating([read_record(record) for record in records]),
        },
        rounds,
    )
    yield Figure("storage of a game", run.stat().st_size / len(records), "bytes")
    yield Figure("  its time", 1e6 * median(cost["storing"]), "us")
    yield Figure("rating a board", 1e6 * median(cost["rating"]), "us")


def measure_scores(rounds: int, games: int) -> Iterator[Figure]:
    """Yield the time of scores from ranks in memory, and of a look of the stop rule.

    Scores are those of 25 times as many games, which are 100,000 unless the user chooses otherwise,
    and a look is at two and a half times as many.
    """
    scored, looked_at = 25 * games, 5 * games // 2
    workloads = {"scores": scoring(50, scored), "look": looking(30, looked_at)}
    times = in_turn(workloads, rounds)
    for what, name in (
        (f"scores of 50 bots, {scored:,} games", "scores"),
        (f"a look at 30 bots, {looked_at:,} games", "look"),
    ):
        yield Figure(what, 1e3 * median(times[name]), "ms")
