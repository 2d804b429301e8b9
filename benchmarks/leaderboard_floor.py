"""The leaderboard without TrueSkill's factor graphs, over what no leaderboard can leave out.

    python -m benchmarks.leaderboard_floor
    python -m benchmarks.leaderboard_floor --games 100000 --bots 30 --variant pot-de-vin/4

The floor reads the stored results in schedule order, decodes them, and adds up what the columns
follow from: by bot its games, points, squares of points and wins, and by pair of opponents how
often each was placed before the other. It has neither boards nor teams, and computes no mean,
error, score or range of ranks. The records are made up, as those of `main_process`. Both take
turns; the figures are processor time.
"""

import argparse
import contextlib
import sqlite3
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import median

from arena.extras.bench.timing import in_turn
from arena.record import read_result
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.standings import rank
from arena.tournament.store import DATABASE, Store
from benchmarks.main_process import SECRET, StandIn, settings_of, trueskill_time

IN_SCHEDULE_ORDER = "SELECT result FROM games WHERE position IS NOT NULL ORDER BY position, number"


def read_results(path: Path) -> int:
    """Read and decode the results of a run in schedule order; return their number."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        rows = database.execute(IN_SCHEDULE_ORDER)
        return sum([bool(read_result(data).entrants) for (data,) in rows])


def add_up(path: Path) -> int:
    """Add up the results of a run as the floor does; return the number of pairs of opponents."""
    games: dict[str, int] = defaultdict(int)
    points: dict[str, int] = defaultdict(int)
    squares: dict[str, int] = defaultdict(int)
    wins: dict[str, int] = defaultdict(int)
    before: dict[tuple[str, str], float] = defaultdict(float)
    with contextlib.closing(sqlite3.connect(path)) as database:
        for (data,) in database.execute(IN_SCHEDULE_ORDER):
            result = read_result(data)
            names, ranks = result.entrants, result.ranks
            for seat, (name, own) in enumerate(zip(names, result.points, strict=True)):
                games[name] += 1
                points[name] += own
                squares[name] += own * own
                mine = ranks[seat]
                if mine == 1:
                    wins[name] += 1
                for other in range(seat):
                    if mine < ranks[other]:
                        before[name, names[other]] += 1
                    elif mine > ranks[other]:
                        before[names[other], name] += 1
                    else:
                        before[name, names[other]] += 0.5
                        before[names[other], name] += 0.5
    return len(before)


def measure(store: Store, rounds: int) -> dict[str, list[float]]:
    """Return seconds of processor time: of reading, of the floor, and of ours."""
    path = store.folder / DATABASE

    def timed(work: Callable[[], object]) -> Callable[[], float]:
        def workload() -> float:
            began = time.process_time()
            work()
            return time.process_time() - began

        return workload

    def ours() -> float:
        with trueskill_time() as in_graphs:
            began = time.process_time()
            rank(store)
            return time.process_time() - began - in_graphs[0]

    workloads = {
        "reading": timed(lambda: read_results(path)),
        "the floor": timed(lambda: add_up(path)),
        "ours": ours,
    }
    return in_turn(workloads, rounds)


def main() -> None:
    """Print microseconds a game, and the ratio."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--bots", type=int, default=30)
    parser.add_argument("--variant", default="pot-de-vin/4")
    parser.add_argument("--rounds", type=int, default=7)
    chosen = parser.parse_args()
    settings = settings_of(chosen.games, chosen.bots, (chosen.variant,))
    with (
        tempfile.TemporaryDirectory() as folder,
        open_or_create(Path(folder) / "run", settings, print, SECRET) as store,
    ):
        play_missing(store, settings, StandIn(), lambda _: None)
        games = store.count()
        times = measure(store, chosen.rounds)
    print(f"{games} games, {chosen.bots} bots; us a game")
    for name, own in times.items():
        print(f"{name:10} {1e6 * median(own) / games:6.1f}, best {1e6 * min(own) / games:.1f}")
    over = [one / least for one, least in zip(times["ours"], times["the floor"], strict=True)]
    best = min(times["ours"]) / min(times["the floor"])
    print(
        f"over the floor: {median(over):.2f} ({min(over):.2f} to {max(over):.2f}), best {best:.2f}"
    )


if __name__ == "__main__":
    main()
