"""How fast the arena is on this machine, each figure beside what it is compared with.

The yardstick is c: one round trip between two processes on one core, as bare as it can be. What is
compared is measured in turn, round by round, since the speed of a shared machine drifts; a ratio
is the median of the rounds' ratios. Times are processor times of all processes that take part, as
they share a core; only whole runs go by the time of day, too.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from statistics import median
from typing import NamedTuple

from arena.bench.workloads import (
    Programs,
    Workload,
    bare_driver,
    decisions,
    make_entrants,
    make_programs,
    on_one_core,
    playouts,
    rating,
    round_trips,
    storing,
    transport,
    whole_run,
)
from arena.plugins import bots
from arena.process.cores import usable
from arena.record import read_record
from arena.tournament.store import DATABASE, Store
from engine import variants

MANY = 32
"""Tables, where several games are under way."""


class Figure(NamedTuple):
    """A line of the table."""

    what: str
    value: float
    unit: str
    ratio: float | None = None
    """How many times what it is compared with."""
    compared: str = ""


def bench(folder: Path, rounds: int, games: int) -> Iterator[Figure]:
    """Measure everything, and yield the figures as they come.

    Args:
        folder: for what is made on the way.
        rounds: of which the median is taken.
        games: of each tournament that is run.
    """
    for name, variant in variants().items():
        times = in_turn({name: playouts(variant)}, rounds)
        yield Figure(f"playouts of {name}", 1 / median(times[name]), "games/s")
    yield from measure_decisions(make_programs(folder), rounds)
    yield from measure_runs(folder, rounds, games)


def in_turn(
    samples: Mapping[str, Workload], rounds: int, *, warm_up: bool = True
) -> dict[str, list[float]]:
    """Return what each sample takes in each round, after one that does not count."""
    for sample in samples.values() if warm_up else ():
        sample()
    times: dict[str, list[float]] = {name: [] for name in samples}
    for _ in range(rounds):
        for name, sample in samples.items():
            times[name].append(sample())
    return times


def ratio(one: Sequence[float], other: Sequence[float]) -> float:
    """Return how many times as long one takes as the other."""
    return median([a / b for a, b in zip(one, other, strict=True)])


def measure_decisions(programs: Programs, rounds: int) -> Iterator[Figure]:
    """Yield the cost of a decision: of the bare round trip, of the pipes, of whole games."""
    quickest = next(iter(programs.bots))
    with contextlib.ExitStack() as stack:
        stack.enter_context(on_one_core())
        samples = {
            "c": stack.enter_context(round_trips(programs.echo)),
            "transport": stack.enter_context(transport(programs.bots[quickest])),
        }
        for name, command in programs.bots.items():
            for tables in (1, MANY):
                samples[f"{name} {tables}"] = stack.enter_context(decisions(command, tables))
        times = in_turn(samples, rounds)
    c, alone = times["c"], times["transport"]
    echo = "C echo" if programs.has_compiler else "Python echo, for want of a C compiler"
    yield Figure(f"c: a bare round trip ({echo})", 1e6 * median(c), "us")
    yield Figure(
        "messages, pipes, clocks, no game", 1e6 * median(alone), "us", ratio(alone, c), "c"
    )
    for name in programs.bots:
        one, many = times[f"{name} 1"], times[f"{name} {MANY}"]
        yield Figure(f"referee, {name}", 1e6 * median(one), "us a decision", ratio(one, c), "c")
        if name != quickest:
            rate = ratio(times[f"{quickest} 1"], one)
            yield Figure("  its rate", 1 / median(one), "decisions/s", rate, quickest)
        rate = ratio(one, many)
        yield Figure(f"  {MANY} tables", 1 / median(many), "decisions/s", rate, "one table")


def measure_runs(folder: Path, rounds: int, games: int) -> Iterator[Figure]:
    """Yield what whole runs make of it, and what their records cost."""
    entrants = make_entrants(folder, bots()["random"].command)
    names = map(str, count())
    crews = list(range(1, min(2, len(usable())) + 1))
    busy: dict[int, list[float]] = {workers: [] for workers in crews}
    with bare_driver(entrants) as driver:
        samples = {"driver": driver}
        for workers in crews:
            samples[f"{workers}"] = whole_run(
                folder, names, entrants, games, workers, busy[workers]
            )
        times = in_turn(samples, rounds, warm_up=False)
    bare = times["driver"]
    yield Figure("bare driver, one core", 1 / median(bare), "games/s")
    for workers in crews:
        own = times[f"{workers}"]
        against = ratio(times["1"], own) if workers > 1 else None
        compared = "one worker" if workers > 1 else ""
        yield Figure(
            f"arena run --workers {workers}", 1 / median(own), "games/s", against, compared
        )
        rate = ratio(bare, busy[workers])
        per_s = 1 / median(busy[workers])
        yield Figure("  by processor time", per_s, "games/s", rate, "bare driver")
    run = next(folder.glob(f"*/{DATABASE}"))
    with Store.open(run.parent) as store:
        records = list(store.raw_records())
    cost = in_turn(
        {
            "storing": storing(folder, names, records),
            "rating": rating([read_record(record) for record in records]),
        },
        rounds,
    )
    yield Figure("storage of a game", run.stat().st_size / len(records), "bytes")
    yield Figure("  its time", 1e6 * median(cost["storing"]), "us")
    yield Figure("rating a board", 1e6 * median(cost["rating"]), "us")
