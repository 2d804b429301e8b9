"""Workloads that `arena bench` times. Each is set up once and repeats the same work."""

import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena import __version__
from arena.bench.simulated import SimulatedField, Tournament, evenly
from arena.contest.entrants import from_program
from arena.contest.settings import Program
from arena.errors import ArenaError
from arena.match.deadlines import Deadlines
from arena.match.dispatcher import Dispatcher
from arena.match.driver import Driver
from arena.match.settings import MatchSettings
from arena.plugins import bots
from arena.process.bot_process import READ_BYTES, BotProcess
from arena.process.cores import pin, usable
from arena.process.pipes import Pipes
from arena.protocol import PROTOCOL, Hello, Limits, Message, Start, Turn, raw, read_from_bot
from arena.rating.board_model import fit_boards
from arena.rating.board_shares import board_shares
from arena.rating.board_sums import BoardSums
from arena.rating.certainty import Looks
from arena.rating.leaderboard import leaderboard
from arena.record import NO_OBSERVATIONS, Entrant, Game, GameRecord
from arena.schedule.plan import Board
from arena.tournament.games import boards, games_of
from arena.tournament.settings import Settings
from arena.tournament.store import Store
from engine import Variant, get_variant

VARIANT = "pot-de-vin/4"
SCORED_VARIANT = "pot-de-vin/3"
REQUEST_BYTES, REPLY_BYTES = 915, 40
TRANSACTION = 50
"""Games stored per transaction."""
LIMITS = Limits(start_ms=60_000, move_ms=60_000)

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


class Repetitions(NamedTuple):
    """How often a workload repeats its work in each call."""

    round_trips: int = 2_000
    """Messages to one process and back."""
    playouts: int = 50
    """Random games in the engine."""
    games: int = 32
    """Games of `decisions`."""
    driven_games: int = 300
    """Games of `bare_driver`."""


Workload = Callable[[], float]
"""Repeats some work, and returns the mean time of one repetition, in seconds of `busy_s`."""
Command = tuple[str, ...]


class Programs(NamedTuple):
    """The commands of the processes that the workloads talk to."""

    echo: Command
    bots: dict[str, Command]
    """By their names in the printed table, fastest first."""
    has_compiler: bool


def make_programs(folder: Path) -> Programs:
    """Return the programs in Python, and those in C if there is a compiler."""
    compiled = folder / "bench"
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    has_compiler = (
        compiler is not None
        and not subprocess.run(
            [compiler, "-O2", "-o", str(compiled), str(SOURCE)], capture_output=True, check=False
        ).returncode
    )
    in_c = {"C bots": (str(compiled), "none"), "C bots, whole views": (str(compiled), "full")}
    in_python = {
        "msgspec bots": bots()["random"].command,
        "stdlib-json bots, whole views": (sys.executable, "-S", "-c", JSON_BOT),
    }
    return Programs(
        echo=(str(compiled), "echo") if has_compiler else (sys.executable, "-S", "-c", ECHO),
        bots=in_c | in_python if has_compiler else in_python,
        has_compiler=has_compiler,
    )


@contextlib.contextmanager
def on_one_core() -> Iterator[None]:
    """Pin this process to one core if possible. Processes started here stay on that core."""
    before = usable()
    pin(0, {before[0]})
    try:
        yield
    finally:
        pin(0, set(before))


def busy_s() -> float:
    """Return the processor time of this process and its children, in seconds.

    On systems other than Linux it is the wall-clock time, and the machine should be idle.
    """
    own = Path("/proc/self/task") / str(os.getpid())
    try:
        pids = (own / "children").read_text().split()
        ran_ns = [int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in pids]
    except OSError:
        return time.perf_counter()
    return time.process_time() + sum(ran_ns) / 1e9


# -- one process --------------------------------------------------------------------------------


def playouts(variant: Variant, number: int) -> Workload:
    """Return `number` random games in the engine, timed per game."""
    deals = [variant.deal(random.Random(each)) for each in range(number)]
    rng = random.Random(1)

    def workload() -> float:
        begin = busy_s()
        for deal in deals:
            state = variant.start(deal)
            while state.seat_to_act is not None:
                state.apply(rng.choice(state.legal_actions()))
            state.outcome()
        return (busy_s() - begin) / len(deals)

    return workload


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
def transport(bot: Command, number: int) -> Iterator[Workload]:
    """Yield `number` requests to a bot, timed per request.

    They take the driver's transport, but there is no game.
    """
    turn = Turn(1, 1, raw("0" * 800), raw([]), ["pass"], LIMITS.move_ms)
    pipes, deadlines = Pipes(), Deadlines[str]()
    with BotProcess(Entrant("bot", bot, ".", "")) as process:
        pipes.add(process)

        def exchange(message: Message) -> None:
            pipes.put(process, message)
            pipes.flush()
            now = time.monotonic()
            deadlines.set("bot", now + 1)
            while not pipes.wait(deadlines.next(now) - now):
                pass
            for line in process.read_lines() or [b"nothing"]:
                read_from_bot(line)
            for _ in deadlines.due(time.monotonic()):
                pass

        def workload() -> float:
            begin = busy_s()
            for _ in range(number):
                exchange(turn)
            return (busy_s() - begin) / number

        exchange(Hello(PROTOCOL, __version__, "bot", LIMITS))
        pipes.put(process, Start(1, "pot-de-vin", VARIANT, 0, 4, None, 1))
        yield workload


# -- games --------------------------------------------------------------------------------------


@contextlib.contextmanager
def decisions(bot: Command, tables: int, number: int) -> Iterator[Workload]:
    """Yield `number` games of four processes of a bot, `tables` at a time, timed per decision."""
    variant = get_variant(VARIANT)
    names = tuple([f"bot-{seat}" for seat in range(variant.seats)])
    deals = [raw(variant.deal(random.Random(each))) for each in range(number)]
    games = [
        Game(str(each), VARIANT, each, 0, deal, names, (each,) * variant.seats)
        for each, deal in enumerate(deals)
    ]
    players = {name: Entrant(name, bot, ".", "") for name in names}
    with Driver(Dispatcher(players, MatchSettings(LIMITS, tables=tables))) as driver:

        def workload() -> float:
            begin = busy_s()
            made = sum([len(record.actions) for record in _all_of(driver, games)])
            return (busy_s() - begin) / made

        yield workload


def _all_of(driver: Driver, games: Sequence[Game]) -> list[GameRecord]:
    """Play games; raises `ArenaError` if a bot had a fault, which would spoil the measurement."""
    records = [record for record, _ in driver.play_all(games)]
    faults = [fault for record in records for fault in record.faults]
    if faults:
        raise ArenaError(f"a bot of the benchmark had a fault: {faults[0]}")
    return records


def make_entrants(folder: Path, bot: Command) -> list[Entrant]:
    """Return one entrant per seat, all with the command `bot`."""
    names = [f"bot-{seat}" for seat in range(get_variant(VARIANT).seats)]
    for name in names:
        (folder / name).mkdir()
    return [from_program(Program(name, bot, str(folder / name))) for name in names]


@contextlib.contextmanager
def bare_driver(entrants: Sequence[Entrant], number: int) -> Iterator[Workload]:
    """Yield `number` scheduled games with the driver alone, no tournament, timed per game."""
    rounds = number * get_variant(VARIANT).seats
    settings = Settings(rounds, 0, (VARIANT,), tuple(entrants), LIMITS)
    games = [games_of(board, settings)[0] for board in islice(boards(settings), number)]
    players = {entrant.name: entrant for entrant in entrants}
    with Driver(Dispatcher(players, MatchSettings(LIMITS))) as driver:

        def workload() -> float:
            with on_one_core():
                begin = busy_s()
                _all_of(driver, games)
                return (busy_s() - begin) / len(games)

        with on_one_core():
            _all_of(driver, games[:1])  # starts the bots, which stay on the core
        yield workload


def whole_run(
    runs: Iterator[Path],
    entrants: Sequence[Entrant],
    games: int,
    workers: int,
    busy: list[float],
) -> Workload:
    """Return `arena run` of a new run, timed per game.

    The workload returns wall-clock time, and appends the processor time per game to `busy`.

    Args:
        runs: the folders of new runs.
        entrants: the bots of each run.
        games: the number of games of each run.
        workers: the number of worker processes.
        busy: where processor times are appended.
    """
    contest = Path(entrants[0].folder).with_name("contest.toml")
    contest.write_text("".join(map(_table, entrants)), encoding="utf-8")
    arguments = ["--rounds", str(games), "--variant", VARIANT, "--workers", str(workers)]
    arena = (sys.executable, "-P", "-c", "from arena.cli import main; main()")

    def workload() -> float:
        folder = next(runs)
        place = ["--results", str(folder.parent), "--name", folder.name]
        busy_before, begin = _children_s(), time.perf_counter()
        done = subprocess.run(
            [*arena, "run", str(contest), *arguments, "--seed", "0", "--sandbox", "none", *place],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise ArenaError(f"`arena run` failed: {done.stderr.strip().splitlines()[-1]}")
        end = time.perf_counter()
        busy.append((_children_s() - busy_before) / games)
        return (end - begin) / games

    return workload


def _table(entrant: Entrant) -> str:
    """Return the table of `contest.toml` that enters a bot with any command."""
    settings = {"name": entrant.name, "command": entrant.command, "folder": entrant.folder}
    return "[[bot]]\n" + "".join(
        [f"{key} = {json.dumps(value)}\n" for key, value in settings.items()]
    )


def _children_s() -> float:
    """Return the processor time of all children that have ended, in seconds."""
    import resource  # not available on every platform

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# -- records ------------------------------------------------------------------------------------


def storing(runs: Iterator[Path], records: Sequence[bytes]) -> Workload:
    """Return the storage of `records` in a new database, timed per record."""
    rows = [(str(number), number, record, NO_OBSERVATIONS) for number, record in enumerate(records)]

    def workload() -> float:
        with Store.create(next(runs), Limits()) as store:
            begin = busy_s()
            for first in range(0, len(rows), TRANSACTION):
                store.add(rows[first : first + TRANSACTION])
            return (busy_s() - begin) / len(rows)

    return workload


def rating(records: Sequence[GameRecord]) -> Workload:
    """Return the computation of a run's leaderboard, timed per board."""
    variant = get_variant(VARIANT)
    entrants = sorted(records[0].entrants)

    def workload() -> float:
        begin = busy_s()
        rated = leaderboard(records, {VARIANT: variant}, entrants)
        return (busy_s() - begin) / (rated.games / variant.seats)

    return workload


def scoring(bots: int, games: int) -> Workload:
    """Return the scores of a simulated run for three, from ranks in memory, timed as a whole."""
    boards = ranked_boards(bots, games // 3)
    names = sorted({name for board in boards for name in board[0].entrants})
    variant = get_variant(SCORED_VARIANT)

    def workload() -> float:
        begin = busy_s()
        fit_boards(BoardSums(names, (board_shares(board, variant) for board in boards)))
        return busy_s() - begin

    return workload


def looking(bots: int, games: int) -> Workload:
    """Return a look of the stop rule at a simulated run for three, timed as a whole."""
    field = SimulatedField("bench", evenly(bots))
    sums = BoardSums(field.names, Tournament(field, random.Random(1)).boards(games // 3))
    looks = Looks()

    def workload() -> float:
        begin = busy_s()
        looks.look(fit_boards(sums))
        return busy_s() - begin

    return workload


def ranked_boards(bots: int, boards: int) -> list[list[GameRecord]]:
    """Return the records of boards for three at drawn tables, with drawn ranks."""
    rng = random.Random(1)
    names = [f"bot-{number:02}" for number in range(bots)]
    found = []
    for number in range(1, boards + 1):
        board = Board(SCORED_VARIANT, number, 0, tuple(sorted(rng.sample(names, 3))))
        found.append(
            [
                GameRecord(
                    key="",
                    variant=SCORED_VARIANT,
                    rules_version=1,
                    board=number,
                    rotation=rotation,
                    entrants=board.seating(rotation),
                    seeds=(0, 0, 0),
                    deal=msgspec.Raw(b"{}"),
                    actions=(),
                    points=(0, 0, 0),
                    ranks=tuple(rng.sample((1, 2, 3), 3)),
                    detail=msgspec.Raw(b"{}"),
                )
                for rotation in range(3)
            ]
        )
    return found
