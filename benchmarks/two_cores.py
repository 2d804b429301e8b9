"""What a second core gives: `arena run` with two workers over one, beside what the machine gives.

    python -m benchmarks.two_cores                    # runs of about 20,000 games of Pot de Vin
    python -m benchmarks.two_cores --games 2000 --rounds 3

No run gains more by a second core than processes that have nothing to do with each other. So the
reference is the bare driver: two of them side by side, each with its bots on a core of its own,
over one alone. Two cores of a virtual machine can be halves of a real one, or have other guests.
The main process of a run has to work beside its workers, which the reference has not.

With one worker, the main process has the other core already. So a second worker cannot make a run
twice as fast: at best both cores are busy from Enter to the end (`bound`).
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import msgspec

from arena.extras.bench.match_workloads import bare_driver, quick_settings
from arena.extras.bench.run_figures import GAME, Runs, rounds_of
from arena.extras.bench.watched_run import RunUse
from arena.process.cores import pin, usable

COMMAND = (sys.executable, "-m", "benchmarks.two_cores")
DRIVEN_SHARE = 8
"""The bare driver plays this part of the games of a run."""


class Figures(msgspec.Struct, frozen=True):
    """Games a second on the clock, and medians of the ratios."""

    driver: list[float]
    two_drivers: list[float]
    one_worker: list[float]
    two_workers: list[float]
    machine_gains: float
    run_gains: float
    of_the_machine: float
    """How much of what the machine gains the run has."""
    one_worker_s: float
    """Processor time of all processes of a run with one worker; its median, as the next ones."""
    one_worker_main_s: float
    """The part of it of the main process."""
    two_workers_s: float
    """The same with two workers, each of which has bot processes of its own."""
    cores_used: float
    """Processor time over time on the clock, with two workers."""
    bound: float
    """The gain of a run that uses as much, and both cores from Enter to the end.

    Both cores together do as much as the machine gains."""


def serve_as_driver(core: int, games: int) -> None:
    """Play games with the bare driver on a core, each time a line comes, and say how long it took.

    The first answer says that the bots have started.
    """
    pin(0, {core})
    with bare_driver(quick_settings(GAME, rounds_of(GAME, games)), games) as workload:
        print("ready", flush=True)
        for _ in sys.stdin:
            began = time.perf_counter()
            workload()
            print(time.perf_counter() - began, flush=True)


class Drivers:
    """Bare drivers on different cores, each a process."""

    def __init__(self, cores: Sequence[int], games: int, ending: ExitStack) -> None:
        self._games = games
        self._processes = [
            ending.enter_context(
                subprocess.Popen(
                    [*COMMAND, "--core", str(core), "--games", str(games)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for core in cores
        ]
        for process in self._processes:
            _answer(process)

    def games_per_s(self, number: int) -> float:
        """Return the games a second of `number` drivers side by side."""
        chosen = self._processes[:number]
        for process in chosen:
            assert process.stdin
            process.stdin.write("play\n")
            process.stdin.flush()
        return sum([self._games / float(_answer(process)) for process in chosen])


def _answer(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline()


def measure(games: int, rounds: int) -> Figures:
    """Measure all four in turn, `rounds` times."""
    cores = usable()[:2]
    driver: list[float] = []
    two_drivers: list[float] = []
    ones: list[RunUse] = []
    twos: list[RunUse] = []
    with ExitStack() as ending:
        runs = Runs(Path(ending.enter_context(tempfile.TemporaryDirectory())))
        drivers = Drivers(cores, max(1, games // DRIVEN_SHARE), ending)
        for _ in range(rounds):
            driver.append(drivers.games_per_s(1))
            two_drivers.append(drivers.games_per_s(2))
            for workers, uses in ((1, ones), (2, twos)):
                uses.append(runs.play(GAME, rounds_of(GAME, games), workers))
    one_worker, two_workers = [[use.games / use.clock_s for use in some] for some in (ones, twos)]
    machine = median([two / one for one, two in zip(driver, two_drivers, strict=True)])
    run = median([two / one for one, two in zip(one_worker, two_workers, strict=True)])
    return Figures(
        driver,
        two_drivers,
        one_worker,
        two_workers,
        machine,
        run,
        run / machine,
        one_worker_s=median([use.total_s for use in ones]),
        one_worker_main_s=median([use.main_s for use in ones]),
        two_workers_s=median([use.total_s for use in twos]),
        cores_used=median([use.total_s / use.clock_s for use in twos]),
        bound=median(
            [one.clock_s * machine / two.total_s for one, two in zip(ones, twos, strict=True)]
        ),
    )


def main() -> None:
    """Measure, and print the figures as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000, help="games of a run, about")
    parser.add_argument("--rounds", type=int, default=3, help="times that each is measured")
    parser.add_argument("--core", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.core is not None:
        serve_as_driver(options.core, options.games)
        return
    if len(usable()) < 2:
        parser.error("it needs two cores")
    figures = measure(options.games, options.rounds)
    print(msgspec.json.format(msgspec.json.encode(figures)).decode())


if __name__ == "__main__":
    main()
