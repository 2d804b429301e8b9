"""Workloads of messages and matches: round trips, decisions, and games with the driver alone."""

import contextlib
import json
import os
import random
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from typing import IO

from arena import __version__
from arena.contest.entrants import find_entrant
from arena.errors import ArenaError
from arena.extras.bench.programs import Command
from arena.extras.bench.timing import Workload, busy_s, children_s, on_one_core
from arena.match.deadlines import Deadlines
from arena.match.dispatcher import Dispatcher
from arena.match.driver import Driver
from arena.match.settings import MatchSettings
from arena.plugins import RegisteredBot, bots
from arena.process.bot_process import READ_BYTES, BotProcess
from arena.process.pipes import Pipes
from arena.protocol import PROTOCOL, Hello, Limits, Message, Start, Turn, raw, read_from_bot, write
from arena.record import Entrant, Game, GameRecord
from arena.tournament.games import scheduled_games
from arena.tournament.settings import Settings
from engine import get_variant, variants

VARIANT = "pot-de-vin/4"
SEATS = 4
REQUEST_BYTES = 915
LIMITS = Limits(start_ms=60_000, move_ms=60_000)


@contextlib.contextmanager
def round_trips(echo: Command, number: int) -> Iterator[Workload]:
    """Yield `number` minimal round trips to the process `echo`, timed per round trip."""
    request = b"0" * (REQUEST_BYTES - 1) + b"\n"
    with subprocess.Popen(
        echo, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin
        assert process.stdout
        to_it, from_it = process.stdin.fileno(), process.stdout.fileno()

        def workload() -> float:
            begin = busy_s()
            for _ in range(number):
                os.write(to_it, request)
                os.read(from_it, READ_BYTES)
            return (busy_s() - begin) / number

        yield workload
        process.stdin.close()


@contextlib.contextmanager
def plain_messages(echo: Command, number: int) -> Iterator[Workload]:
    """Yield `number` messages to four processes `echo` in turn, by a few lines of plain Python.

    Each is written and read as JSON.
    """
    message = {"type": "turn", "turn": 1, "view": [f"card-{each}" for each in range(90)]}
    with contextlib.ExitStack() as stack:
        processes = []
        for _ in range(SEATS):
            process = subprocess.Popen(
                echo, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
            processes.append(stack.enter_context(process))
        pipes = [(_fileno(one.stdin), _fileno(one.stdout)) for one in processes]

        def workload() -> float:
            begin = busy_s()
            for each in range(number):
                to_it, from_it = pipes[each % SEATS]
                line = json.dumps(message | {"turn": each}).encode()
                os.write(to_it, line + b"\n")
                os.read(from_it, READ_BYTES)
                json.loads(line)
            return (busy_s() - begin) / number

        yield workload


def _fileno(file: IO[bytes] | None) -> int:
    assert file
    return file.fileno()


@contextlib.contextmanager
def transport(bot: Command, number: int) -> Iterator[Workload]:
    """Yield `number` requests to a bot, timed per request.

    They take the driver's transport, but there is no game.
    """
    turn = Turn(1, 1, raw("0" * 800), raw([]), ["pass"], LIMITS.move_ms)
    pipes, deadlines = Pipes(), Deadlines[str]()
    with BotProcess(Entrant("bot", bot, ".", "")) as process:
        pipes.add(process)

        def exchange(message: Message) -> None:
            pipes.put(process, write(message))
            pipes.flush()
            now = time.monotonic()
            deadlines.set("bot", now + 1)
            lines: list[bytes] | None = []
            while lines == []:  # a bot may write a line in parts
                while not pipes.wait(deadlines.earliest - now):
                    pass
                lines = process.read_lines()
            for line in lines or [b"nothing"]:
                read_from_bot(line)
            for _ in deadlines.due(time.monotonic()):
                pass

        def workload() -> float:
            begin = busy_s()
            for _ in range(number):
                exchange(turn)
            return (busy_s() - begin) / number

        exchange(Hello(PROTOCOL, __version__, "bot", LIMITS))
        pipes.put(process, write(Start(1, "pot-de-vin", VARIANT, 0, 4, None, 1)))
        yield workload
    pipes.close()


@contextlib.contextmanager
def decisions(bot: Command, tables: int, number: int) -> Iterator[Workload]:
    """Yield `number` games of four processes of a bot, `tables` at a time, timed per decision."""
    games = made_up_games(number)
    players = {name: Entrant(name, bot, ".", "") for name in games[0].entrants}
    with Driver(Dispatcher(players, MatchSettings(LIMITS, tables=tables))) as driver:

        def workload() -> float:
            begin = busy_s()
            made = sum([len(record.actions) for record in _all_of(driver, games)])
            return (busy_s() - begin) / made

        yield workload


def made_up_games(number: int) -> list[Game]:
    """Return games of one variant, all of the same bots."""
    variant = get_variant(VARIANT)
    names = tuple([f"bot-{seat}" for seat in range(variant.seats)])
    deals = [raw(variant.deal(random.Random(each))) for each in range(number)]
    return [
        Game(str(each), VARIANT, each, 0, deal, names, (each,) * variant.seats)
        for each, deal in enumerate(deals)
    ]


def _all_of(driver: Driver, games: Sequence[Game]) -> list[GameRecord]:
    """Play games; raises `ArenaError` if a bot had a fault, which would spoil the measurement."""
    records = [record for record, _ in driver.play_all(games)]
    faults = [fault for record in records for fault in record.faults]
    if faults:
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


def played(settings: Settings) -> list[GameRecord]:
    """Return the records of all games of a run, played with the driver alone, in schedule order."""
    games = list(scheduled_games(settings))
    players = {entrant.name: entrant for entrant in settings.entrants}
    with on_one_core(), Driver(Dispatcher(players, MatchSettings(LIMITS))) as driver:
        records = {record.key: record for record in _all_of(driver, games)}
    return [records[game.key] for game in games]


def sample_of_games(settings: Settings, number: int) -> list[Game]:
    """Return at most `number` of the scheduled games of a run, evenly spaced."""
    games = list(scheduled_games(settings))
    number = min(number, len(games))
    return [games[each * len(games) // number] for each in range(number)]


@contextlib.contextmanager
def bare_driver(settings: Settings, number: int) -> Iterator[Workload]:
    """Yield `number` of the games of a run with the driver alone, no tournament, timed per game."""
    with _driver_workload(settings, number, busy_s) as workload:
        yield workload


@contextlib.contextmanager
def own_time(settings: Settings, number: int) -> Iterator[Workload]:
    """Yield the bots' own processor time in `number` of the games of a run, per game."""
    with _driver_workload(settings, number, children_s) as workload:
        yield workload


@contextlib.contextmanager
def _driver_workload(
    settings: Settings, number: int, clock: Callable[[], float]
) -> Iterator[Workload]:
    games = sample_of_games(settings, number)
    players = {entrant.name: entrant for entrant in settings.entrants}
    with Driver(Dispatcher(players, MatchSettings(LIMITS))) as driver:

        def workload() -> float:
            with on_one_core():
                begin = clock()
                _all_of(driver, games)
                return (clock() - begin) / len(games)

        with on_one_core():
            _all_of(driver, _with_all_bots(games))  # starts the bots, which stay on the core
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
