"""Figures of matches: round trips, decisions, the start of a bot, and what the quick bots use."""

import contextlib
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from arena import __version__
from arena.base.errors import ArenaError
from arena.base.protocol import PROTOCOL, Hello, Limits, raw, write
from arena.base.record import Entrant, Game, GameRecord
from arena.contest.entrants import find_entrant
from arena.extras.bench.figures import (
    BenchRow,
    Measured,
    Missing,
    Samples,
    Sizes,
    compared,
    over_loop,
)
from arena.extras.bench.rows import BOTS, CONCURRENT_GAMES, OVER_PLAIN, QUICKEST
from arena.extras.bench.timing import (
    LOOP,
    Workload,
    busy_s,
    children_s,
    in_turn,
    on_one_core,
    python_loop,
    start_s,
    timed,
)
from arena.match.dispatcher import Dispatcher
from arena.match.driver import Driver
from arena.match.transport import MatchSettings
from arena.plugins import RegisteredBot, bots
from arena.process.bot_process import READ_BYTES
from arena.tournament.games import scheduled_games
from arena.tournament.settings import Settings
from engine import get_variant, variants

VARIANT = "pot-de-vin/4"
SEATS = 4
REQUEST_BYTES = 915
REPLY_BYTES = 40
LIMITS = Limits(start_ms=60_000, move_ms=60_000)

Command = tuple[str, ...]

# -- the programs that workloads talk to ---------------------------------------------------------

SOURCE = Path(__file__).with_name("echo.c")
ECHO = f"import os\nwhile os.read(0, 65536): os.write(1, b'0' * {REPLY_BYTES - 1} + b'\\n')"
JSON_BOT = """\
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    elif message["type"] == "turn":
        answer = {"type": "act", "table": message["table"], "turn": message["turn"]}
        print(json.dumps(answer | {"action": message["legal"][0]}), flush=True)
"""
MSGSPEC_BOT = """\
from arena.bot import Bot, run

class First(Bot):
    def act(self, view, legal):
        return legal[0]

run(First)
"""


class BenchPrograms(NamedTuple):
    """The commands of the processes that the workloads talk to."""

    echo: Command
    bots: dict[str, Command]
    """By the names of their rows, fastest first. Without a C compiler, those in Python only."""

    @property
    def has_compiler(self) -> bool:
        """Whether the programs in C could be compiled."""
        return QUICKEST in self.bots


def make_programs(folder: Path) -> BenchPrograms:
    """Return the programs in Python, and those in C if there is a compiler."""
    in_python = {
        "msgspec": bots()["random"].command,
        "msgspec-views": (sys.executable, "-P", "-c", MSGSPEC_BOT),
        "json": (sys.executable, "-S", "-c", JSON_BOT),
    }
    compiled = str(folder / "bench")
    if compiler := next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None):
        command = [compiler, "-O2", "-o", compiled, str(SOURCE)]
        if not subprocess.run(command, capture_output=True, check=False).returncode:
            in_c = {QUICKEST: (compiled, "none"), "c-bots-views": (compiled, "full")}
            return BenchPrograms((compiled, "echo"), in_c | in_python)
    return BenchPrograms((sys.executable, "-S", "-c", ECHO), in_python)


# -- messages ------------------------------------------------------------------------------------


@contextlib.contextmanager
def _messages(
    echo: Command, number: int, of: int, talk: Callable[[int, int, int], object]
) -> Iterator[Workload]:
    """Yield `number` messages to processes `echo` in turn, timed per message.

    `talk` is given the number of the message, and the descriptors to write to and to read from.
    """
    with contextlib.ExitStack() as stack:
        pipe = subprocess.PIPE
        pipes: list[tuple[int, int]] = []
        for _ in range(of):
            process = stack.enter_context(
                subprocess.Popen(echo, stdin=pipe, stdout=pipe, bufsize=0)
            )
            assert process.stdin
            assert process.stdout
            pipes.append((process.stdin.fileno(), process.stdout.fileno()))

        def work() -> int:
            for each in range(number):
                talk(each, *pipes[each % of])
            return number

        yield timed(work)


def round_trips(echo: Command, number: int) -> AbstractContextManager[Workload]:
    """Return `number` minimal round trips to the process `echo`, timed per round trip."""
    request = b"0" * (REQUEST_BYTES - 1) + b"\n"

    def talk(_: int, to_it: int, from_it: int) -> None:
        os.write(to_it, request)
        os.read(from_it, READ_BYTES)

    return _messages(echo, number, 1, talk)


def plain_messages(echo: Command, number: int) -> AbstractContextManager[Workload]:
    """Return `number` messages to four processes `echo` in turn, by a few lines of plain Python.

    Each is written and read as JSON.
    """
    message = {"type": "turn", "turn": 1, "view": [f"card-{each}" for each in range(90)]}

    def talk(each: int, to_it: int, from_it: int) -> None:
        line = json.dumps(message | {"turn": each}).encode()
        os.write(to_it, line + b"\n")
        os.read(from_it, READ_BYTES)
        json.loads(line)

    return _messages(echo, number, SEATS, talk)


# -- matches -------------------------------------------------------------------------------------


@contextlib.contextmanager
def decisions(bot: Command, tables: int, number: int) -> Iterator[Workload]:
    """Yield `number` games of four processes of a bot, `tables` at a time, timed per decision."""
    variant = get_variant(VARIANT)
    names = tuple([f"bot-{seat}" for seat in range(SEATS)])
    deals = [raw(variant.deal(random.Random(each))) for each in range(number)]
    games = [
        Game(str(each), VARIANT, each, 0, deal, names, (each,) * SEATS)
        for each, deal in enumerate(deals)
    ]
    players = {name: Entrant(name, bot, ".", "") for name in names}
    with Driver(Dispatcher(players, MatchSettings(LIMITS, tables=tables))) as driver:
        yield timed(lambda: sum([len(record.actions) for record in _records(driver, games)]))


def _records(driver: Driver, games: Sequence[Game]) -> list[GameRecord]:
    """Play games; raises `ArenaError` if a bot had a fault, which would spoil the measurement."""
    records = [record for record, _ in driver.play_all(games)]
    if faults := [fault for record in records for fault in record.faults]:
        raise ArenaError(f"a bot of the benchmark had a fault: {faults[0]}")
    return records


def quick_bots(game: str = "") -> list[RegisteredBot]:
    """Return the quick bots that play a game, or all quick bots."""
    quick = [bot for bot in bots().values() if bot.quick]
    return [bot for bot in quick if not game or not bot.games or game in bot.games]


def quick_settings(game: str, rounds: int) -> Settings:
    """Return the settings of a run of the quick bots, with all variants of a game."""
    ids = tuple([variant.id for variant in variants().values() if variant.game == game])
    entrants = tuple([find_entrant(bot.name) for bot in quick_bots(game)])
    return Settings(rounds, 0, ids, entrants, LIMITS)


@contextlib.contextmanager
def bare_driver(
    settings: Settings, number: int, clock: Callable[[], float] = busy_s
) -> Iterator[Workload]:
    """Yield some games of a run with the driver alone, no tournament, timed per game.

    They are at most `number` of the scheduled games, evenly spaced. With `children_s` as its
    `clock` the workload returns the processor time of the bots.
    """
    games = list(scheduled_games(settings))
    number = min(number, len(games))
    games = [games[each * len(games) // number] for each in range(number)]
    players = {entrant.name: entrant for entrant in settings.entrants}
    with Driver(Dispatcher(players, MatchSettings(LIMITS))) as driver:

        def workload() -> float:
            with on_one_core():
                return timed(lambda: len(_records(driver, games)), clock)()

        with on_one_core():
            _records(driver, _with_all_bots(games))  # starts the bots, which stay on the core
        yield workload


def _with_all_bots(games: Sequence[Game]) -> list[Game]:
    """Return those of `games` in which a bot plays that is not in the games before."""
    seated: set[str] = set()
    found = []
    for game in games:
        if not seated.issuperset(game.entrants):
            seated.update(game.entrants)
            found.append(game)
    return found


# -- figures ---------------------------------------------------------------------------------------


C, PLAIN_MESSAGES = "c", "plain messages in Python"
BARE_INTERPRETER = "a bare interpreter"
BARE_COMMAND = (sys.executable, "-P", "-c", "print(flush=True); open(0).read()")
NO_COMPILER = Missing("needs a C compiler: cc, gcc or clang")
OWN_TIME_ROUNDS = 40
"""Rounds of the schedule from which the games of the quick bots' own time are taken."""


def decision_figures(folder: Path, rows: Sequence[BenchRow], sizes: Sizes) -> Iterator[Measured]:
    """Yield the times of a round trip and of a decision in whole games."""
    programs = make_programs(folder)
    pairs = {row.name: _workloads_of(row.what_of_group) for row in rows}
    with contextlib.ExitStack() as stack:
        stack.enter_context(on_one_core())
        workloads: dict[str, Workload] = {}
        for name in dict.fromkeys(itertools.chain(*pairs.values())):
            bot = name.removesuffix(f"-{CONCURRENT_GAMES}")
            if name == LOOP:
                workloads[name] = python_loop()
                continue
            if name in (C, PLAIN_MESSAGES):
                talk = round_trips if name == C else plain_messages
                work = talk(programs.echo, sizes.round_trips)
            elif bot in programs.bots:
                tables = CONCURRENT_GAMES if name != bot else 1
                work = decisions(programs.bots[bot], tables, sizes.decided)
            else:  # it is in C, and there is no compiler
                continue
            workloads[name] = stack.enter_context(work)
        times = in_turn(workloads, sizes.rounds)
    shown = {QUICKEST: BOTS[QUICKEST], C: C if programs.has_compiler else "c of a Python echo"}
    for name, (own, other) in pairs.items():
        is_measured = own in times and other in times
        reference = shown.get(other, other)
        yield name, Samples(times[own], times[other], reference) if is_measured else NO_COMPILER


def _workloads_of(name: str) -> tuple[str, str]:
    """Return the workloads that a row of the group is computed from: its own, and the reference."""
    bot = name.removesuffix("-rate")
    if name == C:
        return C, LOOP
    if name == OVER_PLAIN:
        return QUICKEST, PLAIN_MESSAGES
    return (bot, C) if bot == name else (bot, QUICKEST)


def ready(sizes: Sizes) -> Samples:
    """Return the processor time of a quick bot from its start to `ready`: the mean of all."""
    hello = write(Hello(PROTOCOL, __version__, "bot", LIMITS))
    bots = quick_bots()

    def own() -> float:
        return fmean([start_s(bot.command, bot.folder, hello) for bot in bots])

    def bare() -> float:
        return fmean([start_s(BARE_COMMAND, ".", b"") for _ in bots])

    return compared(own, bare, BARE_INTERPRETER, sizes.rounds)


def own_time_figures(_: Path, rows: Sequence[BenchRow], sizes: Sizes) -> Iterator[Measured]:
    """Yield the processor time of the quick bots in a game of all seats, by game."""
    for row in rows:
        settings = quick_settings(row.what_of_group, OWN_TIME_ROUNDS)
        with bare_driver(settings, sizes.own_time, children_s) as own:
            yield row.name, over_loop(own, sizes.rounds, warm_up=False)
