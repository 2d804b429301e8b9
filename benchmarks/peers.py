"""The arena beside other frameworks: the cost of a decision, of the same kind in both.

    python -m benchmarks.peers

Each row has a peer and what is nearest to it here, measured in turn. `README.md` says what is
compared and how fair that is. Peers are no dependencies: a row whose peer is not installed says so.
"""

import argparse
import asyncio
import contextlib
import importlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from arena.bot import Bot
from arena.extras.bench.engine_workloads import build_of_games, hearts, open_spiel, playouts
from arena.extras.bench.figures import ratios, spread_of
from arena.extras.bench.match_workloads import decisions, transport
from arena.extras.bench.programs import Command, make_programs
from arena.extras.bench.rows import QUICKEST
from arena.extras.bench.timing import Workload, busy_s, in_turn, on_one_core
from arena.match.in_process import class_of, play_in_process
from arena.protocol import raw
from arena.record import Game
from engine import get_variant

VARIANT = "pot-de-vin/4"
GAMES = 20
"""Games of a measurement."""
QUESTIONS = 500
"""Questions to an engine in a measurement."""
REQUIREMENTS = "pip install -r benchmarks/peers-requirements.txt"
UCI_SOURCE = Path(__file__).with_name("uci_engine.c")
UCI_IN_PYTHON = """\
import sys

for line in sys.stdin:
    word = line.split()[0]
    if word == "go":
        print("bestmove e2e4", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "uci":
        print("id name first move\\nuciok", flush=True)
    elif word == "quit":
        break
"""


class MissingPeer(Exception):
    """A peer, or what it needs, is not installed. The text says what to do."""


Opened = contextlib.AbstractContextManager[Workload]


class Pair(NamedTuple):
    """A row of the table. Both workloads are timed per decision."""

    peer: str
    ours: str
    open_peer: Callable[[], Opened]
    open_ours: Callable[[], Opened]


class First(Bot):
    """Takes the first legal action, and is sent whole views."""

    def act(self, view: object, legal: list[str]) -> str:
        """Return the first legal action."""
        return legal[0]


# -- peers --------------------------------------------------------------------------------------


def peer_module(name: str) -> Any:
    """Return a module of a peer; raises `MissingPeer`."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingPeer(f"not installed ({error}): {REQUIREMENTS}") from error


def hearts_playouts() -> Opened:
    """Return random games of hearts in OpenSpiel."""
    peer_module("pyspiel")
    return contextlib.nullcontext(hearts(open_spiel(), GAMES))


@contextlib.contextmanager
def open_spiel_bots() -> Iterator[Workload]:
    """Yield games of hearts by OpenSpiel's loop for bots, with its own random bots in C++."""
    spiel = peer_module("pyspiel")
    numpy = peer_module("numpy")
    loop = peer_module("open_spiel.python.algorithms.evaluate_bots")
    game = spiel.load_game("hearts")
    bots = [spiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    rng = numpy.random.RandomState(1)
    dealt = []
    for _ in range(GAMES):
        state = game.new_initial_state()
        while state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(outcomes, p=chances))
        dealt.append(state)

    def workload() -> float:
        made = 0
        begin = time.process_time()
        for deal in dealt:
            state = deal.clone()
            loop.evaluate_bots(state, bots, rng)
            made += len(state.history()) - len(deal.history())
        return (time.process_time() - begin) / made

    yield workload


def kaggle(name: str, settings: dict[str, object], agents: Sequence[object]) -> Opened:
    """Return games of an environment of Kaggle with agents in the same process."""
    environment = peer_module("kaggle_environments").make(name, configuration=settings)

    def workload() -> float:
        made = 0
        begin = time.process_time()
        for _ in range(3):
            environment.reset()
            steps = environment.run(agents)[1:]  # the first has no decisions yet
            both_act = name == "rps"
            made += len(steps) * (2 if both_act else 1)
        return (time.process_time() - begin) / made

    return contextlib.nullcontext(workload)


@contextlib.contextmanager
def chess_engine(command: Command) -> Iterator[Workload]:
    """Yield questions of python-chess to an engine, in its asynchronous form, which is faster."""
    chess, engine = peer_module("chess"), peer_module("chess.engine")
    board, limit = chess.Board(), engine.Limit(nodes=1)
    with asyncio.Runner() as runner:
        _, protocol = runner.run(engine.popen_uci(list(command)))

        async def ask() -> None:
            for _ in range(QUESTIONS):
                await protocol.play(board, limit)

        def workload() -> float:
            begin = busy_s()
            runner.run(ask())
            return (busy_s() - begin) / QUESTIONS

        yield workload
        runner.run(protocol.quit())


def uci_in_c(folder: Path) -> Command:
    """Return the command of the engine in C; raises `MissingPeer` without a compiler."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        raise MissingPeer("needs a C compiler: cc, gcc or clang")
    program = folder / "uci"
    subprocess.run([compiler, "-O2", "-o", str(program), str(UCI_SOURCE)], check=True)
    return (str(program),)


# -- ours ---------------------------------------------------------------------------------------


def own_playouts() -> Opened:
    """Return random games in the engine."""
    return contextlib.nullcontext(playouts(get_variant(VARIANT), GAMES))


def in_process(bot_class: type[Bot]) -> Opened:
    """Return games with bots in this process, which get and send the messages of the protocol."""
    variant = get_variant(VARIANT)
    names = tuple([f"bot-{seat}" for seat in range(variant.seats)])
    games = [
        Game(
            str(each), VARIANT, each, 0, raw(variant.deal(random.Random(each))), names, (each,) * 4
        )
        for each in range(GAMES)
    ]

    def workload() -> float:
        made = 0
        begin = time.process_time()
        for game in games:
            made += len(play_in_process(game, [bot_class] * variant.seats).actions)
        return (time.process_time() - begin) / made

    return contextlib.nullcontext(workload)


# -- the table ----------------------------------------------------------------------------------


def pairs_of(folder: Path) -> list[Pair]:
    """Return the rows of the table. Programs are compiled into `folder`."""
    programs = make_programs(folder)
    in_python = (sys.executable, "-S", "-c", UCI_IN_PYTHON)

    def our_transport(bot: str) -> Callable[[], Opened]:
        return lambda: transport(programs.bots[bot], QUESTIONS)

    def our_games(bot: str) -> Callable[[], Opened]:
        return lambda: decisions(programs.bots[bot], 1, GAMES)

    def chess_in_c() -> Opened:
        return chess_engine(uci_in_c(folder))

    def chess_in_python() -> Opened:
        return chess_engine(in_python)

    return [
        Pair("OpenSpiel: random games of hearts", f"random games of {VARIANT}",
             hearts_playouts, own_playouts),
        Pair("OpenSpiel: `evaluate_bots`, random bots in C++", "`play_in_process`, `random` bots",
             open_spiel_bots, lambda: in_process(class_of("random"))),
        Pair("Kaggle: `rps`, functions as agents", "`play_in_process`, whole views",
             lambda: kaggle("rps", {"episodeSteps": 100}, [lambda *_: 0, lambda *_: 1]),
             lambda: in_process(First)),
        Pair("Kaggle: `connectx`, its random agents", "`play_in_process`, whole views",
             lambda: kaggle("connectx", {}, ["random", "random"]), lambda: in_process(First)),
        Pair("python-chess: a UCI engine in C", "the driver's transport, C bot, no game",
             chess_in_c, our_transport(QUICKEST)),
        Pair("python-chess: a UCI engine in Python", "the driver's transport, json bot, no game",
             chess_in_python, our_transport("json")),
        Pair("python-chess: a UCI engine in C", "a game by the driver, C bots, no views",
             chess_in_c, our_games(QUICKEST)),
        Pair("python-chess: a UCI engine in Python", "a game by the driver, json bots, whole views",
             chess_in_python, our_games("json")),
    ]  # fmt: skip


def line_of(pair: Pair, rounds: int) -> str:
    """Return the line of the table for a pair, measured in turn."""
    try:
        with pair.open_peer() as peer, pair.open_ours() as ours:
            times = in_turn({"peer": peer, "ours": ours}, rounds)
    except MissingPeer as error:
        return f"| {pair.peer} | {pair.ours} | {error} | | |"
    except KeyError:  # of the bots in C
        return f"| {pair.peer} | {pair.ours} | needs a C compiler: cc, gcc or clang | | |"
    cells = [f"{1e6 * spread_of(times[name]).median:,.1f}" for name in ("peer", "ours")]
    ratio = spread_of(ratios(times["peer"], times["ours"]))
    speed = f"{ratio.median:.2f} ({ratio.low:.2f}-{ratio.high:.2f})"
    return f"| {pair.peer} | {pair.ours} | {cells[0]} | {cells[1]} | {speed} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7, help="measurements of each row")
    options = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, {build_of_games()}")
    print()
    print("| peer | ours | peer, us a decision | ours, us a decision | our speed over the peer's |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, on_one_core():
        for pair in pairs_of(Path(folder)):
            print(line_of(pair, options.rounds), flush=True)


if __name__ == "__main__":
    main()
