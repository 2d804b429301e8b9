"""What a cluster costs: runs on local workers and on a Dask cluster of the same cores, in turn.

    python -m benchmarks.executors                     # five pairs of runs of about 2,000 games
    python -m benchmarks.executors --pairs 2 --games 500 --workers 1

Each run is `arena run` as a process, and the order changes from pair to pair. So other work on the
machine slows down both. It prints the median ratios of a cluster to local workers over the pairs.
`docs/scale.md` has the results.
"""

import argparse
import os
import tempfile
from pathlib import Path
from statistics import median

from arena.extras.bench.run_figures import RunUse, watched_run

BOTS = ("greedy", "collector", "briber", "random")
KINDS = ("local", "dask")
GAMES_A_ROUND = 1
"""Games of a round: all four bots sit at one table of `pot-de-vin/4`."""


def play(kind: str, folder: Path, rounds: int, workers: int) -> RunUse:
    """Return the use of a run with an executor, as the run `folder`."""
    options = ["--variant", "pot-de-vin/4", "--rounds", str(rounds), "--workers", str(workers)]
    options += ["--executor", kind]
    for bot in BOTS:
        options += ["--bot", bot]
    return watched_run(folder, options)


def main() -> None:
    """Print the figures of each run, and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--games", type=int, default=2_000)
    given = parser.parse_args()
    rounds = max(1, given.games // GAMES_A_ROUND)
    uses: dict[str, list[RunUse]] = {kind: [] for kind in KINDS}
    with tempfile.TemporaryDirectory() as folder:
        for pair in range(given.pairs):
            for kind in KINDS if pair % 2 else reversed(KINDS):
                use = play(kind, Path(folder, f"{kind}-{pair}"), rounds, given.workers)
                uses[kind].append(use)
                print(f"{kind:6} {use.games} games in {use.clock_s:.2f} s, {use.total_s:.2f} s CPU")
    pairs = [*zip(uses["local"], uses["dask"], strict=True)]
    for what in ("clock_s", "total_s", "first_game_s"):
        ratios = [getattr(dask, what) / getattr(local, what) for local, dask in pairs]
        print(f"{what:13} {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
