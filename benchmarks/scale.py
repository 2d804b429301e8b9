"""How far one main process and one Dask scheduler go: many workers that sleep instead of playing.

    python -m benchmarks.scale                       # 200 workers, games of 1 s
    python -m benchmarks.scale --workers 50 --game-ms 100

All but the games is real: schedule, batches, messages, scheduler, database and leaderboard. All
workers are threads of one other process, so what they cost together is measured too. A worker
answers each game with the record of one that was played before, after the time of the game.
docs/scale.md explains the figures, which are printed as JSON.
"""

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import msgspec

from arena.bot import Bot
from arena.contest.entrants import find_entrants
from arena.contracts import ExecutorSettings, Played
from arena.match.in_process import play_in_process
from arena.protocol import Limits
from arena.record import Game, GameRecord, Observations, Timing, write_record
from arena.tournament.executors.dask.cluster import Cluster
from arena.tournament.executors.dask.messages import Outcome, Work, pack, unpack
from arena.tournament.games import count_games
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.standings import rank

VARIANT = "pot-de-vin/4"
BOTS = ("planner", "greedy", "collector", "briber", "random")
KNOWN = 6
"""Games that are played; the other games get copies of their records."""
GAME_MS = "ARENA_SCALE_GAME_MS"
EXTRAPOLATED_GAMES = 10_000_000

_known: list[GameRecord] = []
_lock = threading.Lock()


class Figures(msgspec.Struct, frozen=True):
    """What was measured, and what follows from it for `EXTRAPOLATED_GAMES`."""

    workers: int
    games: int
    seconds: float
    games_per_s: float
    ideal_games_per_s: float
    """If all workers slept all the time."""
    main_cpu_us: float
    """Processor time of the main process for a game."""
    cluster_cpu_us: float
    """That of the scheduler and of all workers."""
    bytes_sent: float
    """To workers, for a game."""
    bytes_received: float
    main_mib: float
    """Peak memory of the main process, with the leaderboard."""
    leaderboard_us: float
    """Processor time of the leaderboard for a game."""
    extrapolated_leaderboard_s: float
    extrapolated_database_gib: float


class AtRandom(Bot):
    """Plays at random."""

    def act(self, view: object, legal: list[str]) -> str:
        """Return a random legal action."""
        return self.rng.choice(legal)


def sleep_instead(data: bytes) -> bytes:
    """Answer a `Work` after the time that its games would take. Dask workers run it."""
    work = unpack(data, Work)
    seconds = len(work.batch.games) * float(os.environ[GAME_MS]) / 1000
    time.sleep(seconds)
    played = [Played(one.key, msgspec.Raw(_record(one)), _seen()) for one in work.batch.games]
    return pack(Outcome((*played,), seconds))


def _record(game: Game) -> bytes:
    with _lock:
        if len(_known) < KNOWN:
            _known.append(play_in_process(game, [AtRandom] * len(game.entrants)))
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


def run_cluster(workers: int) -> None:
    """Run a scheduler and workers until stdin ends. Print the address, then the processor time."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=False,
        protocol="tcp",
        host="127.0.0.1",
        dashboard_address=None,
        memory_limit=0,
    ) as cluster:
        print(cluster.scheduler_address, flush=True)
        began = time.process_time()
        sys.stdin.readline()
        print(time.process_time() - began, flush=True)
        sys.stdin.readline()


def measure(workers: int, game_ms: float, games: int) -> Figures:
    """Return the figures of a run of about so many games."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.scale", "--cluster", "--workers", str(workers)],
        env={**os.environ, GAME_MS: str(game_ms)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    settings = Settings(1, 1, (VARIANT,), tuple(find_entrants(BOTS)), Limits())
    settings = msgspec.structs.replace(
        settings, rounds=max(1, round(games / count_games(settings)))
    )
    games = count_games(settings)
    with (
        process,
        tempfile.TemporaryDirectory() as folder,
        open_or_create(Path(folder) / "run", settings, print) as store,
    ):
        from benchmarks.scale import sleep_instead  # not that of __main__, which workers lack

        cluster = Cluster(
            ExecutorSettings(scheduler=process.stdout.readline().strip()),
            lambda text: print(text, file=sys.stderr),
            play=sleep_instead,
        )
        with cluster:
            began, cpu = time.monotonic(), time.process_time()
            play_missing(store, settings, cluster, lambda _: None)
            seconds, cpu = time.monotonic() - began, time.process_time() - cpu
        process.stdin.write("\n")
        process.stdin.flush()
        cluster_cpu = float(process.stdout.readline())
        process.stdin.close()
        ranking = time.process_time()
        assert rank(store).games == games
        ranking = time.process_time() - ranking
        size = sum([one.stat().st_size for one in (Path(folder) / "run").glob("arena.db*")])
        return Figures(
            workers,
            games,
            seconds,
            games / seconds,
            workers * 1000 / game_ms,
            cpu / games * 1e6,
            cluster_cpu / games * 1e6,
            cluster.traffic.sent / games,
            cluster.traffic.received / games,
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            ranking / games * 1e6,
            ranking / games * EXTRAPOLATED_GAMES,
            size / games * EXTRAPOLATED_GAMES / 2**30,
        )


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--workers", type=int, default=200)
    parser.add_argument("--game-ms", type=float, default=1000)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--cluster", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.cluster:
        run_cluster(given.workers)
        return
    figures = measure(given.workers, given.game_ms, given.games)
    print(msgspec.json.format(msgspec.json.encode(figures), indent=2).decode())


if __name__ == "__main__":
    main()
