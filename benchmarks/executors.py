"""What a cluster costs: runs on local workers and on a Dask cluster of the same cores, in turn.

    python -m benchmarks.executors                     # five pairs of runs of 2,000 games
    python -m benchmarks.executors --pairs 2 --games 500 --workers 1

Each run is a process of its own, and the order changes from pair to pair. So other work on the
machine slows down both. docs/scale.md explains the figures, which are printed as JSON.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import msgspec

from arena.contest.entrants import find_entrants
from arena.contracts import ExecutorSettings
from arena.plugins import get_executor
from arena.protocol import Limits
from arena.tournament.games import count_games
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.settings import Settings

VARIANT = "pot-de-vin/4"
BOTS = ("greedy", "collector", "briber", "random")
KINDS = ("local", "dask")


class Run(msgspec.Struct, frozen=True):
    """What a run took."""

    start_s: float
    """Until the first game was stored."""
    games_per_s: float
    """After the first game."""
    cpu_ms: float
    """Processor time of all processes for a game, with their start."""


class Figures(msgspec.Struct, frozen=True):
    """The runs, and the median ratios of a cluster to local workers, of the pairs."""

    games: int
    local: list[Run]
    dask: list[Run]
    games_per_s: float
    cpu: float
    start_s: float
    """The median difference."""


def play(kind: str, workers: int, games: int) -> Run:
    """Play a run of about so many games, in this process and its children."""
    began = time.monotonic()
    settings = Settings(100, 1, (VARIANT,), tuple(find_entrants(BOTS)), Limits())
    rounds = max(1, round(100 * games / count_games(settings)))
    settings = msgspec.structs.replace(settings, rounds=rounds)
    stored: list[tuple[float, int]] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        open_or_create(Path(folder) / "run", settings, print) as store,
    ):
        executor = get_executor(kind).open(
            ExecutorSettings(workers, logs=str(Path(folder, "logs"))),
            lambda text: print(text, file=sys.stderr),
        )
        play_missing(
            store, settings, executor, lambda more: stored.append((time.monotonic(), more))
        )
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu_s = sum([one.ru_utime + one.ru_stime for one in used])
    first, last = stored[0][0], stored[-1][0]
    later = sum([more for _, more in stored[1:]])
    return Run(first - began, later / (last - first), cpu_s / count_games(settings) * 1e3)


def measure(pairs: int, workers: int, games: int) -> Figures:
    """Return the figures of so many pairs of runs."""
    runs: dict[str, list[Run]] = {kind: [] for kind in KINDS}
    for pair in range(pairs):
        for kind in KINDS if pair % 2 else reversed(KINDS):
            options = ("--kind", kind, "--workers", str(workers), "--games", str(games))
            done = subprocess.run(
                [sys.executable, "-m", "benchmarks.executors", *options],
                stdout=subprocess.PIPE,
                check=True,
            )
            runs[kind].append(msgspec.json.decode(done.stdout, type=Run))
            print(kind, runs[kind][-1], file=sys.stderr)
    both = [*zip(runs["local"], runs["dask"], strict=True)]
    return Figures(
        games,
        runs["local"],
        runs["dask"],
        median([dask.games_per_s / local.games_per_s for local, dask in both]),
        median([dask.cpu_ms / local.cpu_ms for local, dask in both]),
        median([dask.start_s - local.start_s for local, dask in both]),
    )


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--kind", choices=KINDS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    figures: Run | Figures
    if given.kind:
        figures = play(given.kind, given.workers, given.games)
    else:
        figures = measure(given.pairs, given.workers, given.games)
    print(msgspec.json.format(msgspec.json.encode(figures), indent=2).decode())


if __name__ == "__main__":
    main()
