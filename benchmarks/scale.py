"""Reach of one main process and one Dask scheduler: many workers that sleep instead of playing.

    python -m benchmarks.scale                       # 200 workers, games of 1 s
    python -m benchmarks.scale --workers 50 --game-ms 100

All but the games is real: schedule, batches, messages, scheduler, database and leaderboard. The
scheduler has a process, and so have each 25 workers. A worker answers each game with the record of
one that was played before, after the time of the game.
The figures are printed as JSON.
"""

import argparse
import asyncio
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Self
from unittest.mock import patch

import dask
import msgspec
from distributed import Scheduler, Worker, get_worker

from arena.base.contracts import Batch, ExecutorSettings, Played
from arena.base.protocol import Limits
from arena.base.record import Game, GameRecord, Observations, Timing, write_record
from arena.contest.entrants import find_entrants
from arena.extras.dask.cluster import Cluster
from arena.extras.dask.connection import LOCALHOST, QUIET
from arena.extras.dask.worker_plugins import PlayedBatch
from arena.match.in_process import play_in_process
from arena.tournament.games import count_games
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.settings import PortionSizes, Settings
from arena.tournament.standings import rank
from bots.any_game.random import RandomBot

VARIANT = "pot-de-vin/4"
BOTS = ("planner", "greedy", "collector", "briber", "random")
KNOWN = 6
"""Games that are played; the other games get copies of their records."""
GAME_MS = "ARENA_SCALE_GAME_MS"
PORTION = 1_600
"""Boards of a portion: those of a long run, after its first 3,200 boards."""
OF_A_PROCESS = 25
"""Workers of a process."""

_known: list[GameRecord] = []
_lock = threading.Lock()


class Figures(msgspec.Struct, frozen=True):
    """The measurements."""

    workers: int
    games: int
    seconds: float
    games_per_s: float
    steady_games_per_s: float
    """In the third quarter: workers have been greeted, and none waits for the last games."""
    ideal_games_per_s: float
    """If all workers slept all the time."""
    main_cpu_us: float
    """Processor time of the main process for a game."""
    scheduler_cpu_us: float
    workers_cpu_us: float
    """That of all workers together."""
    main_mib: float
    """Peak memory of the main process, with the leaderboard."""
    leaderboard_us: float
    """Processor time of the leaderboard for a game."""
    database_bytes: float
    """For a game."""


def sleep_instead(_: str, batch: Batch) -> PlayedBatch:
    """Play a batch in the time that its games would take. Dask workers run it."""
    time.sleep(len(batch.games) * float(os.environ[GAME_MS]) / 1000)
    played = [Played(game.key, msgspec.Raw(_record(game)), _seen()) for game in batch.games]
    return PlayedBatch(played, str(get_worker().name))


def _record(game: Game) -> bytes:
    with _lock:
        if len(_known) < KNOWN:
            _known.append(play_in_process(game, [RandomBot] * len(game.entrants)))
        known = random.Random(game.key).choice(_known)
    return write_record(
        msgspec.structs.replace(
            known,
            key=game.key,
            board=game.board,
            rotation=game.rotation,
            entrants=game.entrants,
            seeds=game.seeds,
            deal=game.deal,
        )
    )


def _seen() -> Observations:
    return Observations(timings=(Timing(20, 20_000, 3_000),) * 4)


def run_part(start: Callable[[], AbstractAsyncContextManager[str]]) -> None:
    """Run a part of the cluster in this process until stdin ends.

    Print its address. Then, for each line of stdin, print the processor time since the last one.
    """

    async def run() -> None:
        async with start() as address:
            print(address, flush=True)
            before = 0.0
            while await asyncio.to_thread(sys.stdin.readline):
                now = time.process_time()
                print(now - before, flush=True)
                before = now

    with dask.config.set(QUIET):
        asyncio.run(run())


@asynccontextmanager
async def scheduler() -> AsyncIterator[str]:
    """Run a scheduler."""
    async with Scheduler(protocol="tcp", host=LOCALHOST, port=0, dashboard=False) as found:
        yield found.address


@asynccontextmanager
async def workers(address: str, number: int) -> AsyncIterator[str]:
    """Run so many workers, which share an event loop. Each has a thread for its tasks."""
    async with AsyncExitStack() as stack:
        for _ in range(number):
            await stack.enter_async_context(
                Worker(address, nthreads=1, host=LOCALHOST, memory_limit=0, dashboard=False)
            )
        yield address


class Part:
    """A process of the cluster. As a context manager it ends it."""

    def __init__(self, game_ms: float, *options: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.scale", *options],
            env={**os.environ, GAME_MS: str(game_ms), "DASK_LOGGING__DISTRIBUTED": "error"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.communicate()

    def hear(self) -> str:
        """Return the next line that it prints."""
        assert self._process.stdout
        return self._process.stdout.readline().strip()

    def cpu(self) -> float:
        """Return its processor time since the last call, in seconds."""
        assert self._process.stdin
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return float(self.hear())


def measure(number: int, game_ms: float, games: int) -> Figures:
    """Return the figures of a run of about so many games on so many workers."""
    settings = Settings(100, 1, (VARIANT,), tuple(find_entrants(BOTS)), Limits())
    rounds = max(1, round(100 * games / count_games(settings)))
    sizes = PortionSizes(PORTION, PORTION)
    settings = msgspec.structs.replace(settings, rounds=rounds, portion_sizes=sizes)
    games = count_games(settings)
    with (
        ExitStack() as stack,
        tempfile.TemporaryDirectory() as folder,
        open_or_create(Path(folder) / "run", settings, print) as store,
    ):
        parts = [stack.enter_context(Part(game_ms, "--part", "scheduler"))]
        address = parts[0].hear()
        for first in range(0, number, OF_A_PROCESS):
            options = ("--part", address, "--workers", str(min(OF_A_PROCESS, number - first)))
            parts.append(stack.enter_context(Part(game_ms, *options)))
        for part in parts[1:]:
            part.hear()
        from benchmarks.scale import sleep_instead  # not that of __main__, which workers lack

        cluster = Cluster(
            ExecutorSettings(scheduler=address), lambda text: print(text, file=sys.stderr)
        )
        done: list[tuple[float, int]] = []
        with patch("arena.extras.dask.connection.play", sleep_instead), cluster:
            for part in parts:
                part.cpu()
            began, cpu = time.monotonic(), time.process_time()

            def progress(more: int) -> None:
                done.append((time.monotonic() - began, more))

            play_missing(store, settings, cluster, progress)
            seconds, cpu = time.monotonic() - began, time.process_time() - cpu
            scheduler_cpu, *workers_cpu = [part.cpu() for part in parts]
        ranking = time.process_time()
        assert rank(store).games == games
        ranking = time.process_time() - ranking
        size = sum([file.stat().st_size for file in (Path(folder) / "run").glob("arena.db*")])
        return Figures(
            number,
            games,
            seconds,
            games / seconds,
            _steady(done, games),
            number * 1000 / game_ms,
            cpu / games * 1e6,
            scheduler_cpu / games * 1e6,
            sum(workers_cpu) / games * 1e6,
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            ranking / games * 1e6,
            size / games,
        )


def _steady(done: Sequence[tuple[float, int]], games: int) -> float:
    """Return the games a second of the third quarter of a run, when its portions are large."""
    total, marks = 0, []
    for moment, more in done:
        total += more
        if games / 2 <= total <= games * 3 / 4:
            marks.append((moment, total))
    (first, before), (last, after) = marks[0], marks[-1]
    return (after - before) / (last - first)


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--workers", type=int, default=200)
    parser.add_argument("--game-ms", type=float, default=1000)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--part", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part:
        start = partial(workers, given.part, given.workers)
        run_part(scheduler if given.part == "scheduler" else start)
        return
    figures = measure(given.workers, given.game_ms, given.games)
    print(msgspec.json.format(msgspec.json.encode(figures), indent=2).decode())


if __name__ == "__main__":
    main()
