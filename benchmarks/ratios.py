"""Compare ratios of speeds with the committed ones.

    python -m benchmarks.ratios            # exit code 1 if a ratio is 30% worse
    python -m benchmarks.ratios --renew    # store the measured ratios, after an intended change

The two times of a ratio are measured alternately, so the ratio hardly depends on the machine. If
a ratio seems worse, the best of up to five measurements counts, because other work on the
machine can only make a ratio worse.
"""

import argparse
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median

from arena import __version__
from arena.base.protocol import PROTOCOL, Hello, Limits, write
from arena.plugins import bots
from arena.rating.leaderboard import leaderboard
from arena.tournament.store import Store
from benchmarks.playouts import ROOT, SEED, Call, Tree
from engine import get_variant

FILE = Path(__file__).with_name("ratios.json")
TOLERANCE = 0.3
REPEATS = 4
ROUNDS = 9
LOOPS = 30
ROUNDS_OF_A_RUN = 120
VARIANTS = ("pot-de-vin/4", "bribery/3", "bribery/3-advanced", "brides-and-bribes/4")

Measure = Callable[[], float]
"""A function that returns the ratio of a time to a reference time; less is better."""


Workload = Callable[[], float]
"""A function that repeats some work, and returns the mean processor seconds of one repetition."""


def timed(work: Callable[[], int]) -> Workload:
    """Return a workload from a function that returns the number of its repetitions."""

    def workload() -> float:
        begin = time.process_time()
        repetitions = work()
        return (time.process_time() - begin) / repetitions

    return workload


def python_loop() -> Workload:
    """Return a typical mix of Python operations: strings, dicts, numbers and sorting."""

    def work() -> int:
        for _ in range(LOOPS):
            counts: dict[str, int] = {}
            for each in range(2_000):
                name = f"card-{each % 52}"
                counts[name] = counts.get(name, 0) + each
            sorted(counts.items())
        return LOOPS

    return timed(work)


def program(command: Sequence[str], folder: str = ".", stdin: bytes = b"") -> Workload:
    """Return a workload that runs a program with all its child processes."""

    def used_s() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def workload() -> float:
        before = used_s()
        # Without Python variables, the program uses installed, compiled modules.
        variables = {key: own for key, own in os.environ.items() if not key.startswith("PYTHON")}
        subprocess.run(
            command, cwd=folder, input=stdin, capture_output=True, env=variables, check=True
        )
        return used_s() - before

    return workload


def over(own: Workload, other: Workload, rounds: int = ROUNDS) -> float:
    """Return the median ratio of the times of two workloads, ignoring a first round."""
    ratios = [own() / other() for _ in range(1 + rounds)]
    return median(ratios[1:])


def call_over_loop(call: Call) -> float:
    tree = Tree(ROOT)
    try:
        return over(lambda: 1 / call.speed(tree, SEED)[0], python_loop())
    finally:
        tree.close()


def start_of_a_bot() -> float:
    """Return the time of a quick bot without games, relative to a bare Python interpreter."""
    hello = write(Hello(PROTOCOL, __version__, "bot", Limits(start_ms=60_000)))
    bot = next(bot for bot in bots().values() if bot.quick)
    bare = program((sys.executable, "-P", "-c", "open(0).read()"))
    return over(program(bot.command, bot.folder, hello), bare)


def played_run(results: str) -> Workload:
    command = [sys.executable, "-P", "-c", "from arena.cli import main; main()"]
    command += ["run", "--results", results, "--name", "run", "--seed", "0", "--sandbox", "none"]
    command += ["--rounds", str(ROUNDS_OF_A_RUN), "--workers", "1", "--game", "pot-de-vin"]
    return program(command)


def run_over_loop() -> float:
    with tempfile.TemporaryDirectory() as results:
        return played_run(results)() / median([python_loop()() for _ in range(ROUNDS)])


def leaderboard_over_loop() -> float:
    with tempfile.TemporaryDirectory() as results:
        played_run(results)()
        with Store.open(Path(results, "run")) as store:
            settings, records = store.settings(), list(store.records())
        by_id = {name: get_variant(name) for name in settings.variants}
        names = [entrant.name for entrant in settings.entrants]

        def work() -> int:
            leaderboard(records, by_id, names)
            return 1

        return over(timed(work), python_loop())


def measures() -> dict[str, Measure]:
    found: dict[str, Measure] = {}
    for name in VARIANTS:
        for what, call in (
            ("a random decision", Call("playouts", name, 40)),
            ("determinize", Call("determinize", name, 1)),
        ):
            found[f"{what} of {name}"] = partial(call_over_loop, call)
    found["the start of a quick bot over a bare interpreter"] = start_of_a_bot
    found["a run"] = run_over_loop
    found["the leaderboard of a run"] = leaderboard_over_loop
    return found


def ratio_of(name: str) -> float:
    return measures()[name]()


def alone(name: str) -> float:
    """Measure a ratio in a new process."""
    # The hash seed and memory addresses of an interpreter affect its speed.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(ratio_of, name).result()


def worse(before: Mapping[str, float], measure: Callable[[str], float]) -> Collection[str]:
    """Measure and print all ratios, and return the names of those that stay worse than `before`."""
    left = list(before)
    for _ in range(1 + REPEATS):
        ratios = {name: measure(name) for name in left}
        for name, ratio in ratios.items():
            print(f"{name:50} {before[name]:8.4g} before, {ratio:8.4g} now", flush=True)
        left = [name for name in left if ratios[name] > before[name] * (1 + TOLERANCE)]
    return left


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--renew", action="store_true", help=f"write {FILE.name} again")
    if parser.parse_args().renew:
        ratios = {name: float(f"{alone(name):.4g}") for name in measures()}
        FILE.write_text(json.dumps(ratios, indent=1) + "\n")
        return
    found = worse(json.loads(FILE.read_text()), alone)
    if found:
        sys.exit(f"worse by more than {TOLERANCE:.0%}: {', '.join(found)}")


if __name__ == "__main__":
    main()
