"""Figures of whole runs: against the bare driver, by process, and from Enter to the first game."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from statistics import fmean

from arena.extras.bench.figures import (
    BenchRow,
    Measured,
    Missing,
    Samples,
    Sizes,
    rates_over,
    times_over,
)
from arena.extras.bench.match_figures import BARE_COMMAND, BARE_INTERPRETER, ready
from arena.extras.bench.match_workloads import bare_driver, quick_bots, quick_settings
from arena.extras.bench.timing import LOOP, Workload, in_turn, python_loop
from arena.extras.bench.watched_run import RunUse, records_of, start_s, watched_run
from arena.process.host import usable

GAME = "pot-de-vin"
GAMES_A_ROUND = {GAME: 6, "": 21}
"""Games that a round of the quick bots has, about; the key "" stands for all games."""
MIN_ROUNDS = 12
"""Rounds of the larger of two runs. Rounds are rounded up to whole boards, so that a run of one
round is one of several."""
DRIVER = "the bare driver"
ONE_CORE = Missing("needs two cores")


class Runs:
    """Runs of the quick bots in a folder, each a new one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count()

    def play(self, game: str, rounds: int, workers: int | None = None) -> RunUse:
        """Return the use of a run of a game, or of all games if it is ""."""
        options = ["--rounds", str(rounds)]
        options += ["--game", game] if game else []
        options += ["--workers", str(workers)] if workers else []
        return watched_run(self._folder / f"run-{next(self._numbers)}", options)

    def workload(
        self, into: list[RunUse], game: str, rounds: int, workers: int | None = None
    ) -> Workload:
        """Return a run whose use is added to `into`, by its processor time a game."""

        def run() -> float:
            into.append(self.play(game, rounds, workers))
            return into[-1].busy_s

        return run


def rounds_of(game: str, games: int) -> int:
    """Return the rounds of a run that has about `games` games."""
    return max(1, games // GAMES_A_ROUND[game])


def run_figures(folder: Path, rows: Sequence[BenchRow], sizes: Sizes) -> Iterator[Measured]:
    """Yield the speed of runs of Pot de Vin, over that of the bare driver with the same games."""
    names = {row.name for row in rows}
    rounds = rounds_of(GAME, sizes.games)
    runs = Runs(folder)
    single: list[RunUse] = []
    double: list[RunUse] = []
    with bare_driver(quick_settings(GAME, rounds), sizes.driven) as driver:
        workloads = {"driver": driver, LOOP: python_loop()}
        workloads["single"] = runs.workload(single, GAME, rounds, 1)
        if "run/two-workers" in names and len(usable()) > 1:
            workloads["double"] = runs.workload(double, GAME, rounds, 2)
        times = in_turn(workloads, sizes.run_rounds, warm_up=False)
    json_bytes = fmean([len(record) for record in records_of(single[-1])])
    found: dict[str, Samples | Missing] = {
        "run/driver": rates_over(times["driver"], times[LOOP], LOOP),
        "run/processor": rates_over(times["single"], times["driver"], DRIVER),
        "run/clock": _on_the_clock(single, times[LOOP]),
        "run/record": Samples(
            [use.record_bytes for use in single],
            [use.record_bytes / json_bytes for use in single],
            "its JSON",
        ),
        "run/two-workers": ONE_CORE,
    }
    if double:
        found["run/two-workers"] = rates_over(_clock_s(double), _clock_s(single), "1 worker")
    if "run/starts" in names:
        found["run/starts"] = _share_of_starts(single, sizes)
    yield from [(row.name, found[row.name]) for row in rows]


def _clock_s(runs: Sequence[RunUse]) -> list[float]:
    """Return the seconds of a game on the clock."""
    return [use.clock_s / use.games for use in runs]


def _on_the_clock(runs: Sequence[RunUse], loop: Sequence[float]) -> Samples:
    """Return games a second, and games in the time of a loop."""
    return rates_over(_clock_s(runs), loop, LOOP)


def _share_of_starts(runs: Sequence[RunUse], sizes: Sizes) -> Samples:
    """Return the processor time of starting bots, in percent of that of the runs.

    A start is what a quick bot needs to its `ready`, measured apart from the runs.
    """
    start = ready(sizes._replace(rounds=len(runs)))
    shares = [
        use.bot_processes * ms / 1e3 / use.total_s
        for use, ms in zip(runs, start.values, strict=True)
    ]
    return Samples([100 * share for share in shares], shares, "everything")


def all_games_figures(folder: Path, rows: Sequence[BenchRow], sizes: Sizes) -> Iterator[Measured]:
    """Yield what a run of all games uses, by process.

    What a further game costs is the difference to a run of one round, whose starts and imports
    both have.
    """
    runs, rounds = Runs(folder), max(MIN_ROUNDS, rounds_of("", sizes.games))
    small: list[RunUse] = []
    large: list[RunUse] = []
    workloads = {
        LOOP: python_loop(),
        "small": runs.workload(small, "", 1),
        "large": runs.workload(large, "", rounds),
    }
    loop = in_turn(workloads, sizes.run_rounds, warm_up=False)[LOOP]
    pairs = list(zip(small, large, strict=True))

    def further(used: Callable[[RunUse], float]) -> Samples:
        per_game = [(used(many) - used(few)) / (many.games - few.games) for few, many in pairs]
        return times_over(per_game, loop, LOOP, 1e3)

    found = {
        "all-games/clock": _on_the_clock(large, loop),
        "all-games/workers": further(lambda use: use.workers_s),
        "all-games/main": further(lambda use: use.main_s),
        "all-games/memory": Samples(
            [many.main_mib for _, many in pairs],
            [many.main_mib / few.main_mib for few, many in pairs],
            f"a run of {small[0].games} games",
        ),
    }
    yield from [(row.name, found[row.name]) for row in rows]


def start_figures(folder: Path, rows: Sequence[BenchRow], sizes: Sizes) -> Iterator[Measured]:
    """Yield the time until a bot is ready, and that until a run has its first game."""
    for row in rows:
        samples = _first_game(folder, sizes) if row.name == "start/first-game" else ready(sizes)
        yield row.name, samples


def _first_game(folder: Path, sizes: Sizes) -> Samples:
    """Return the seconds from Enter to the first game that is stored, with 6 quick bots."""
    runs = Runs(folder)

    def bare() -> float:
        return fmean([start_s(BARE_COMMAND, ".", b"") for _ in quick_bots()])

    workloads = {"own": lambda: runs.play(GAME, 1).first_game_s, "bare": bare}
    own, other = in_turn(workloads, sizes.run_rounds).values()
    return times_over(own, other, BARE_INTERPRETER)
