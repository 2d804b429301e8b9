"""Figures of matches: round trips, decisions, the start of a bot, and what the quick bots use."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

from arena import __version__
from arena.extras.bench.figures import (
    BenchRow,
    Measured,
    Missing,
    Samples,
    Sizes,
    rates_over,
    times_over,
)
from arena.extras.bench.match_workloads import (
    LIMITS,
    BenchPrograms,
    bare_driver,
    decisions,
    make_programs,
    plain_messages,
    quick_bots,
    quick_settings,
    round_trips,
)
from arena.extras.bench.rows import BOTS, CONCURRENT_GAMES, OVER_PLAIN, QUICKEST
from arena.extras.bench.timing import (
    LOOP,
    Workload,
    children_s,
    in_turn,
    on_one_core,
    python_loop,
)
from arena.extras.bench.watched_run import start_s
from arena.protocol import PROTOCOL, Hello, write

PLAIN_MESSAGES = "plain messages in Python"
BARE_INTERPRETER = "a bare interpreter"
BARE_COMMAND = (sys.executable, "-P", "-c", "print(flush=True); open(0).read()")
NO_COMPILER = Missing("needs a C compiler: cc, gcc or clang")
OWN_TIME_ROUNDS = 40
"""Rounds of the schedule from which the games of the quick bots' own time are taken."""


def decision_figures(folder: Path, rows: Sequence[BenchRow], sizes: Sizes) -> Iterator[Measured]:
    """Yield the times of a round trip and of a decision in whole games."""
    programs = make_programs(folder)
    with contextlib.ExitStack() as stack:
        stack.enter_context(on_one_core())
        workloads: dict[str, Workload] = {
            LOOP: python_loop(),
            "c": stack.enter_context(round_trips(programs.echo, sizes.round_trips)),
        }
        for name in _needed(rows):
            if name == PLAIN_MESSAGES:
                work = plain_messages(programs.echo, sizes.round_trips)
            elif (bot := name.removesuffix(f"-{CONCURRENT_GAMES}")) in programs.bots:
                tables = 1 if name == bot else CONCURRENT_GAMES
                work = decisions(programs.bots[bot], tables, sizes.decided)
            else:  # it is in C, and there is no compiler
                continue
            workloads[name] = stack.enter_context(work)
        times = in_turn(workloads, sizes.rounds)
    for row in rows:
        yield row.name, _decision(row.what_of_group, times, programs)


def _needed(rows: Sequence[BenchRow]) -> list[str]:
    """Return the workloads that `rows` are computed from, besides c."""
    names = [row.what_of_group for row in rows]
    rated = [name.removesuffix("-rate") for name in names if name != OVER_PLAIN]
    if set(rated) != set(names):
        rated.insert(0, QUICKEST)
    if OVER_PLAIN in names:
        rated.insert(0, PLAIN_MESSAGES)
    return list(dict.fromkeys([name for name in rated if name != "c"]))


def _decision(
    name: str, times: dict[str, list[float]], programs: BenchPrograms
) -> Samples | Missing:
    """Return a figure of the group, whose name has no group, from the times of all workloads."""
    if name == "c":
        return times_over(times["c"], times[LOOP], LOOP, 1e6)
    rated = QUICKEST if name == OVER_PLAIN else name.removesuffix("-rate")
    if rated not in times or (rated != name and QUICKEST not in times):
        return NO_COMPILER
    if name == OVER_PLAIN:
        return times_over(times[rated], times[PLAIN_MESSAGES], PLAIN_MESSAGES, 1e6)
    if rated != name:
        return rates_over(times[rated], times[QUICKEST], BOTS[QUICKEST])
    c = "c" if programs.has_compiler else "c of a Python echo"
    return times_over(times[rated], times["c"], c, 1e6)


def ready(sizes: Sizes) -> Samples:
    """Return the processor time of a quick bot from its start to `ready`: the mean of all."""
    hello = write(Hello(PROTOCOL, __version__, "bot", LIMITS))
    bots = quick_bots()

    def own() -> float:
        return fmean([start_s(bot.command, bot.folder, hello) for bot in bots])

    def bare() -> float:
        return fmean([start_s(BARE_COMMAND, ".", b"") for _ in bots])

    own_s, bare_s = in_turn({"own": own, "bare": bare}, sizes.rounds).values()
    return times_over(own_s, bare_s, BARE_INTERPRETER, 1e3)


def own_time_figures(_: Path, rows: Sequence[BenchRow], sizes: Sizes) -> Iterator[Measured]:
    """Yield the processor time of the quick bots in a game of all seats, by game."""
    for row in rows:
        settings = quick_settings(row.what_of_group, OWN_TIME_ROUNDS)
        with bare_driver(settings, sizes.own_time, children_s) as own:
            times = in_turn({"own": own, LOOP: python_loop()}, sizes.rounds, warm_up=False)
        yield row.name, times_over(times["own"], times[LOOP], LOOP, 1e3)
