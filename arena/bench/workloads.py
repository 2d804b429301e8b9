"""The workloads that `arena bench` times. Each is set up once and does the same at every call."""

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

from arena import __version__
from arena.contest.entrants import find_entrants
from arena.errors import ArenaError
from arena.match.deadlines import Clocks
from arena.match.driver import Room
from arena.plugins import bots
from arena.process.bot_process import READ_BYTES, BotProcess
from arena.process.cores import pin, usable
from arena.process.pipes import Pipes
from arena.protocol import PROTOCOL, Hello, Limits, Message, Start, Turn, raw, read_from_bot
from arena.rating.leaderboard import leaderboard
from arena.record import NOTHING_SEEN, Entrant, Game, GameRecord
from arena.tournament.run import Settings, boards, games_of
from arena.tournament.store import Store
from engine import Variant, get_variant

VARIANT = "pot-de-vin/4"
"""What is refereed."""
REQUEST_BYTES, REPLY_BYTES = 915, 40
ROUND_TRIPS = 2_000
PLAYOUTS = 50
GAMES = 32
"""Refereed for a sample."""
DRIVEN_GAMES = 300
"""Played by the bare driver for a sample."""
TRANSACTION = 50
"""Games that are stored at a time."""
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

Workload = Callable[[], float]
"""Does something a number of times, and returns the seconds of `busy_s` that it took each time."""
Command = tuple[str, ...]


class Programs(NamedTuple):
    """The commands of the processes that are talked to."""

    echo: Command
    bots: dict[str, Command]
    """By what they are called in the table, the quickest first."""
    has_compiler: bool


def make_programs(folder: Path) -> Programs:
    """Compile the programs in C, if there is a compiler, and return them and those in Python."""
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
    """Keep this process, and what it starts here for good, to one core, where that can be."""
    before = usable()
    pin(0, {before[0]})
    try:
        yield
    finally:
        pin(0, set(before))


def busy_s() -> float:
    """Return the seconds for which this process and those that it started, on one core, have run.

    Other work on the machine does not count then. Where the system does not tell (all but Linux)
    it is the time of day, and the machine should have nothing else to do.
    """
    own = Path("/proc/self/task") / str(os.getpid())
    try:
        pids = (own / "children").read_text().split()
        ran_ns = [int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in pids]
    except OSError:
        return time.perf_counter()
    return time.process_time() + sum(ran_ns) / 1e9


# -- one process --------------------------------------------------------------------------------


def playouts(variant: Variant) -> Workload:
    """Return what plays random games in the engine; for each game."""
    deals = [variant.deal(random.Random(number)) for number in range(PLAYOUTS)]
    rng = random.Random(1)

    def sample() -> float:
        begin = busy_s()
        for deal in deals:
            state = variant.start(deal)
            while state.seat_to_act is not None:
                state.apply(rng.choice(state.legal_actions()))
            state.outcome()
        return (busy_s() - begin) / len(deals)

    return sample


@contextlib.contextmanager
def round_trips(echo: Command) -> Iterator[Workload]:
    """Yield what writes to a process and reads its answer, as barely as can be; for each."""
    request = b"0" * (REQUEST_BYTES - 1) + b"\n"
    with subprocess.Popen(
        echo, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin
        assert process.stdout
        to_it, from_it = process.stdin.fileno(), process.stdout.fileno()

        def sample() -> float:
            begin = busy_s()
            for _ in range(ROUND_TRIPS):
                os.write(to_it, request)
                os.read(from_it, READ_BYTES)
            return (busy_s() - begin) / ROUND_TRIPS

        yield sample
        process.stdin.close()


@contextlib.contextmanager
def transport(bot: Command) -> Iterator[Workload]:
    """Yield what asks a bot as the driver does, the same each time and without a game; for each."""
    turn = Turn(1, 1, raw("0" * 800), raw([]), ["pass"], LIMITS.move_ms)
    pipes, clocks = Pipes(), Clocks[str]()
    with BotProcess(Entrant("bot", bot, ".", "")) as process:
        pipes.add(process)

        def exchange(message: Message) -> None:
            pipes.put(process, message)
            pipes.flush()
            now = time.monotonic()
            clocks.set("bot", now + 1)
            while not pipes.wait(clocks.next(now) - now):
                pass
            for line in process.read_lines() or [b"nothing"]:
                read_from_bot(line)
            for _ in clocks.due(time.monotonic()):
                pass

        def sample() -> float:
            begin = busy_s()
            for _ in range(ROUND_TRIPS):
                exchange(turn)
            return (busy_s() - begin) / ROUND_TRIPS

        exchange(Hello(PROTOCOL, __version__, "bot", LIMITS))
        pipes.put(process, Start(1, "pot-de-vin", VARIANT, 0, 4, None, 1))
        yield sample


# -- games --------------------------------------------------------------------------------------


@contextlib.contextmanager
def decisions(bot: Command, tables: int) -> Iterator[Workload]:
    """Yield what referees games between four processes of a bot; for each decision."""
    variant = get_variant(VARIANT)
    names = tuple([f"bot-{seat}" for seat in range(variant.seats)])
    deals = [raw(variant.deal(random.Random(number))) for number in range(GAMES)]
    games = [
        Game(str(number), VARIANT, number, 0, deal, names, (number,) * variant.seats)
        for number, deal in enumerate(deals)
    ]
    with Room({name: Entrant(name, bot, ".", "") for name in names}, LIMITS, tables) as room:

        def sample() -> float:
            begin = busy_s()
            made = sum([len(record.actions) for record in _all_of(room, games)])
            return (busy_s() - begin) / made

        yield sample


def _all_of(room: Room, games: Sequence[Game]) -> list[GameRecord]:
    """Play games; raises `ArenaError` if a bot had a fault, since it would be no measure."""
    records = [record for record, _ in room.play(games)]
    faults = [fault for record in records for fault in record.faults]
    if faults or room.void:
        raise ArenaError(f"a bot of the benchmark broke: {(faults or room.void)[0]}")
    return records


def make_entrants(folder: Path, bot: Command) -> list[Entrant]:
    """Enter a bot as often as there are seats."""
    names = [f"bot-{seat}" for seat in range(get_variant(VARIANT).seats)]
    for name in names:
        (folder / name).mkdir()
        described = f"name = {json.dumps(name)}\ncommand = {json.dumps(bot)}\n"
        (folder / name / "bot.toml").write_text(described, encoding="utf-8")
    return find_entrants([str(folder / name) for name in names])


@contextlib.contextmanager
def bare_driver(entrants: Sequence[Entrant]) -> Iterator[Workload]:
    """Yield what plays games of a schedule in this process, without a tournament; for each."""
    rounds = DRIVEN_GAMES * get_variant(VARIANT).seats
    settings = Settings(rounds, 0, (VARIANT,), tuple(entrants), LIMITS)
    games = [games_of(board, settings)[0] for board in islice(boards(settings), DRIVEN_GAMES)]
    with Room({entrant.name: entrant for entrant in entrants}, LIMITS) as room:

        def sample() -> float:
            with on_one_core():
                begin = busy_s()
                _all_of(room, games)
                return (busy_s() - begin) / len(games)

        with on_one_core():
            _all_of(room, games[:1])  # the bots start here, and stay on the core
        yield sample


def whole_run(
    folder: Path,
    names: Iterator[str],
    entrants: Sequence[Entrant],
    games: int,
    workers: int,
    busy: list[float],
) -> Workload:
    """Return what types `arena run`, each time for a new run in a folder; for each game.

    It returns the time of day, and adds the processor time of all its processes to `busy`.
    """
    arguments = ["--rounds", str(games), "--variant", VARIANT, "--workers", str(workers)]
    arguments += [word for entrant in entrants for word in ("--bot", entrant.folder)]
    arguments += ["--results", str(folder)]
    arena = (sys.executable, "-P", "-c", "from arena.cli import main; main()")

    def sample() -> float:
        busy_before, begin = _children_s(), time.perf_counter()
        done = subprocess.run(
            [*arena, "run", *arguments, "--sandbox", "none", "--name", next(names)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise ArenaError(f"`arena run` failed: {done.stderr.strip().splitlines()[-1]}")
        end = time.perf_counter()
        busy.append((_children_s() - busy_before) / games)
        return (end - begin) / games

    return sample


def _children_s() -> float:
    """Return the processor time of all processes that were started here and have ended."""
    import resource  # not on every platform

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# -- records ------------------------------------------------------------------------------------


def storing(folder: Path, names: Iterator[str], records: Sequence[bytes]) -> Workload:
    """Return what stores records in a new database; for each."""
    rows = [(str(number), number, record, NOTHING_SEEN) for number, record in enumerate(records)]

    def sample() -> float:
        with Store.create(folder / next(names), Limits()) as store:
            begin = busy_s()
            for first in range(0, len(rows), TRANSACTION):
                store.add(rows[first : first + TRANSACTION])
            return (busy_s() - begin) / len(rows)

    return sample


def rating(records: Sequence[GameRecord]) -> Workload:
    """Return what makes the leaderboard of a run; for each board."""
    variant = get_variant(VARIANT)
    entrants = sorted(records[0].entrants)

    def sample() -> float:
        begin = busy_s()
        rated = leaderboard(records, {VARIANT: variant}, entrants)
        return (busy_s() - begin) / (rated.games / variant.seats)

    return sample
