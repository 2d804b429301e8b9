"""Figures of whole runs, which are watched as processes from outside.

Nothing of a run is changed. The system tells the processor time of everything when it ends; that of
main process, workers and bots is read while they live, so a few milliseconds of each process may be
missing.
"""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from arena.base.errors import BenchError
from arena.extras.bench.figures import (
    BenchRow,
    Measured,
    Missing,
    Samples,
    Sizes,
    compared,
)
from arena.extras.bench.match_figures import (
    BARE_COMMAND,
    BARE_INTERPRETER,
    bare_driver,
    quick_bots,
    quick_settings,
    ready,
)
from arena.extras.bench.timing import LOOP, Workload, environment, in_turn, python_loop, start_s
from arena.process.host import usable
from arena.tournament.settings import Settings
from arena.tournament.store import DATABASE, Store

# -- a run that is watched -------------------------------------------------------------------------


ARENA = (sys.executable, "-P", "-c", "from arena.cli import main; main()")
WORKER = b"arena.tournament.executors.worker"
POLL_S = 0.005
POLLS_A_LOOK = 20
"""Polls for the end of the run between two looks at its processes."""


class RunUse(NamedTuple):
    """The use of a run, in seconds of processor time unless a field says otherwise."""

    folder: Path
    games: int
    clock_s: float
    """From Enter to the end, in seconds on the clock."""
    first_game_s: float
    """From Enter to the first stored game, in seconds on the clock."""
    total_s: float
    main_s: float
    workers_s: float
    bot_processes: int
    main_mib: float
    """The peak memory of the main process."""
    record_bytes: float
    """The size of the database, over its games."""

    @property
    def busy_s(self) -> float:
        """The processor time of everything, per game."""
        return self.total_s / self.games


def settings_of(use: RunUse) -> Settings:
    """Return the settings of a run."""
    with Store.open(use.folder) as store:
        return store.settings()


def records_of(use: RunUse) -> list[bytes]:
    """Return the records of a run, as JSON."""
    with Store.open(use.folder) as store:
        return list(store.raw_records())


def watched_run(folder: Path, options: Sequence[str]) -> RunUse:
    """Return the use of `arena run` with `options`, as the run `folder`.

    Raises:
        BenchError: the run failed.
    """
    output = folder.with_suffix(".log")
    place = ("--results", str(folder.parent), "--name", folder.name)
    command = [*ARENA, "run", *place, "--seed", "0", "--sandbox", "none", *options]
    begin = time.perf_counter()
    with open(output, "wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment())
        watch = _Watch(process.pid, folder / f"{DATABASE}-wal")
        watch.until_the_end()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    end = time.perf_counter()
    if process.returncode:
        lines = output.read_text(errors="replace").strip().splitlines()
        raise BenchError(f"`arena run` failed: {lines[-1] if lines else 'it said nothing'}")
    with Store.open(folder) as store:
        games = store.count()
    return RunUse(
        folder=folder,
        games=games,
        clock_s=end - begin,
        first_game_s=watch.first_game - begin,
        total_s=used.ru_utime + used.ru_stime,
        main_s=watch.seconds("main"),
        workers_s=watch.seconds("worker"),
        bot_processes=watch.number("bot"),
        main_mib=watch.main_mib,
        record_bytes=(folder / DATABASE).stat().st_size / games,
    )


class _Watch:
    """Looks at the processes of a run until its main process ends."""

    def __init__(self, main: int, log: Path) -> None:
        """`log` is the file that is no longer empty when the first game is stored."""
        self.first_game = 0.0
        """The time of `time.perf_counter` at which the first game was stored."""
        self.main_mib = 0.0
        self._main = main
        self._log = log
        self._roles = {main: "main"}
        self._used: dict[int, float] = {}

    def seconds(self, role: str) -> float:
        """Return the processor time of all processes of a role."""
        return sum([used for pid, used in self._used.items() if self._roles[pid] == role])

    def number(self, role: str) -> int:
        """Return the number of processes of a role."""
        return sum([own_role == role for own_role in self._roles.values()])

    def until_the_end(self) -> None:
        """Return when the main process has ended. It is not reaped."""
        polls = 0
        while not os.waitid(os.P_PID, self._main, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if not self.first_game and self._log.exists() and self._log.stat().st_size:
                self.first_game = time.perf_counter()
            if polls % POLLS_A_LOOK == 0:
                self._look()
            polls += 1
            time.sleep(POLL_S)
        self.first_game = self.first_game or time.perf_counter()
        self._used[self._main] = _used_s(self._main)

    def _look(self) -> None:
        waiting = [(self._main, "main")]
        while waiting:
            pid, role = waiting.pop()
            self._roles[pid] = role
            try:
                self._used[pid] = _used_s(pid)
                if role == "main":
                    self.main_mib = max(self.main_mib, _peak_mib(pid))
                waiting += [(child, self._role(child, role)) for child in children_of(pid)]
            except OSError:  # it ended
                continue

    def _role(self, child: int, parent: str) -> str:
        """Return the role of a process by that of its parent."""
        if parent != "main":
            return "bot" if parent in ("worker", "bot") else parent
        if self._roles.get(child) == "worker":  # it may have ended, and has no command any more
            return "worker"
        return "worker" if WORKER in Path(f"/proc/{child}/cmdline").read_bytes() else "other"


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started; none if it has ended."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text().split())
    return found


def _used_s(pid: int) -> float:
    """Return the processor time of a process, of all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak_mib(pid: int) -> float:
    """Return the peak memory of a process. One that has ended has none."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


# -- figures ---------------------------------------------------------------------------------------


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
    clock_s = _clock_s(single)
    found: dict[str, Callable[[], Samples | Missing]] = {
        "run/driver": lambda: Samples(times["driver"], times[LOOP], LOOP),
        "run/processor": lambda: Samples(times["single"], times["driver"], DRIVER),
        "run/clock": lambda: Samples(clock_s, times[LOOP], LOOP),
        "run/record": lambda: Samples(
            [use.record_bytes for use in single], [json_bytes] * len(single), "its JSON"
        ),
        "run/two-workers": lambda: (
            Samples(_clock_s(double), clock_s, "1 worker") if double else ONE_CORE
        ),
        "run/starts": lambda: _share_of_starts(single, sizes),
    }
    yield from [(row.name, found[row.name]()) for row in rows]


def _clock_s(runs: Sequence[RunUse]) -> list[float]:
    """Return the seconds of a game on the clock."""
    return [use.clock_s / use.games for use in runs]


def _share_of_starts(runs: Sequence[RunUse], sizes: Sizes) -> Samples:
    """Return the processor time of starting bots, over that of the runs.

    A start is what a quick bot needs to its `ready`, measured apart from the runs.
    """
    starts = ready(sizes._replace(rounds=len(runs))).own
    shares = [
        use.bot_processes * start / use.total_s for use, start in zip(runs, starts, strict=True)
    ]
    return Samples(shares, [1.0] * len(shares), "everything")


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
        return Samples(per_game, loop, LOOP)

    found = {
        "all-games/clock": Samples(_clock_s(large), loop, LOOP),
        "all-games/workers": further(lambda use: use.workers_s),
        "all-games/main": further(lambda use: use.main_s),
        "all-games/memory": Samples(
            [use.main_mib for use in large],
            [use.main_mib for use in small],
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

    def first() -> float:
        return runs.play(GAME, 1).first_game_s

    return compared(first, bare, BARE_INTERPRETER, sizes.run_rounds)
