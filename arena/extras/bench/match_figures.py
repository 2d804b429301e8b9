"""Figures of matches: round trips, decisions, the start of a bot, and what the quick bots use."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

from arena import __version__
from arena.extras.bench.figures import Measured, Missing, Row, Samples, inverse, ratios
from arena.extras.bench.match_workloads import (
    LIMITS,
    decisions,
    own_time,
    plain_messages,
    quick_bots,
    quick_settings,
    round_trips,
    transport,
)
from arena.extras.bench.programs import Programs, make_programs
from arena.extras.bench.rows import BOTS, CONCURRENT_GAMES, OVER_PLAIN, QUICKEST
from arena.extras.bench.sizes import Sizes
from arena.extras.bench.timing import LOOP, Workload, in_turn, on_one_core, python_loop
from arena.extras.bench.watched_run import start_s
from arena.protocol import PROTOCOL, Hello, write

PLAIN_MESSAGES = "plain messages in Python"
BARE_INTERPRETER = "a bare interpreter"
BARE_COMMAND = (sys.executable, "-P", "-c", "print(flush=True); open(0).read()")
NO_COMPILER = Missing("needs a C compiler: cc, gcc or clang")
OWN_TIME_ROUNDS = 40
"""Rounds of the schedule from which the games of the quick bots' own time are taken."""


def decision_figures(folder: Path, rows: Sequence[Row], sizes: Sizes) -> Iterator[Measured]:
    """Yield the times of a round trip, of the transport, and of a decision in whole games."""
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
                workloads[name] = stack.enter_context(work)
            elif name == "transport":
                work = transport(next(iter(programs.bots.values())), sizes.round_trips)
                workloads[name] = stack.enter_context(work)
            elif (bot := _bot(name)) in programs.bots:
                tables = 1 if name == bot else CONCURRENT_GAMES
                work = decisions(programs.bots[bot], tables, sizes.decided)
                workloads[name] = stack.enter_context(work)
        times = in_turn(workloads, sizes.rounds)
    for row in rows:
        yield row.name, _decision(row.name.partition("/")[2], times, programs)


def _needed(rows: Sequence[Row]) -> list[str]:
    """Return the workloads that `rows` are computed from, besides c."""
    names = [row.name.partition("/")[2] for row in rows]
    rated = [name.removesuffix("-rate") for name in names if name != OVER_PLAIN]
    if set(rated) != set(names):
        rated.insert(0, QUICKEST)
    if OVER_PLAIN in names:
        rated.insert(0, PLAIN_MESSAGES)
    return list(dict.fromkeys([name for name in rated if name != "c"]))


def _bot(name: str) -> str:
    return name.removesuffix(f"-{CONCURRENT_GAMES}")


def _decision(name: str, times: dict[str, list[float]], programs: Programs) -> Samples | Missing:
    """Return a figure of the group, whose name has no group, from the times of all workloads."""
    c = "c" if programs.has_compiler else "c of a Python echo"
    if name == "c":
        return Samples([1e6 * one for one in times["c"]], ratios(times["c"], times[LOOP]), LOOP)
    rated = QUICKEST if name == OVER_PLAIN else name.removesuffix("-rate")
    if rated not in times or (rated != name and QUICKEST not in times):
        return NO_COMPILER
    own = times[rated]
    if name == OVER_PLAIN:
        us = [1e6 * one for one in own]
        return Samples(us, ratios(own, times[PLAIN_MESSAGES]), PLAIN_MESSAGES)
    if rated != name:
        return Samples(inverse(own), ratios(times[QUICKEST], own), BOTS[QUICKEST])
    return Samples([1e6 * one for one in own], ratios(own, times["c"]), c)


def ready(sizes: Sizes) -> Samples:
    """Return the processor time of a quick bot from its start to `ready`: the mean of all."""
    hello = write(Hello(PROTOCOL, __version__, "bot", LIMITS))
    bots = quick_bots()

    def own() -> float:
        starts = [start_s(bot.command, bot.folder, hello) for bot in bots]
        return fmean(starts)

    def bare() -> float:
        return fmean([start_s(BARE_COMMAND, ".", b"") for _ in bots])

    times = in_turn({"own": own, "bare": bare}, sizes.rounds)
    ms = [1e3 * one for one in times["own"]]
    return Samples(ms, ratios(times["own"], times["bare"]), BARE_INTERPRETER)


def own_time_figures(rows: Sequence[Row], sizes: Sizes) -> Iterator[Measured]:
    """Yield the processor time of the quick bots in a game of all seats, by game."""
    for row in rows:
        settings = quick_settings(row.name.partition("/")[2], OWN_TIME_ROUNDS)
        with own_time(settings, sizes.own_time) as own:
            times = in_turn({"own": own, LOOP: python_loop()}, sizes.rounds, warm_up=False)
        ms = [1e3 * one for one in times["own"]]
        yield row.name, Samples(ms, ratios(times["own"], times[LOOP]), LOOP)
