"""Compare ratios of speeds with the committed ones.

    python -m benchmarks.ratios            # exit code 1 if a ratio is 30% worse
    python -m benchmarks.ratios --renew    # store the measured ratios, after an intended change

The two times of a ratio are measured alternately, so the ratio hardly depends on the machine. A
ratio that seems worse is measured again, up to four times, and its best value counts, because other
work on the machine can only make it worse. Each measurement uses a new interpreter, since its hash
seed and memory addresses affect its speed.
"""

import argparse
import json
import multiprocessing
import sys
import tempfile
from collections.abc import Callable, Collection, Mapping
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
from benchmarks.run_floor import measure, play_run
from benchmarks.timing import Workload, in_turn, python_loop, start_s, timed
from engine import get_variant

FILE = Path(__file__).with_name("ratios.json")
TOLERANCE = 0.3
REPEATS = 4
ROUNDS = 9
ROUNDS_OF_A_RUN = 120
VARIANTS = ("pot-de-vin/4", "bribery/3", "bribery/3-advanced", "brides-and-bribes/4")

Measure = Callable[[], float]
"""Returns the ratio of a time to that of a reference. Less is better."""


def over(own: Workload, other: Workload, rounds: int = ROUNDS) -> float:
    """Return the median ratio of the times of two workloads."""
    times = in_turn({"own": own, "other": other}, rounds)
    return median(map(float.__truediv__, times["own"], times["other"]))


def call_over_loop(call: Call) -> float:
    """Return the time of a call, relative to the Python loop."""
    tree = Tree(ROOT)
    try:
        return over(lambda: 1 / call.speed(tree, SEED)[0], python_loop())
    finally:
        tree.close()


def start_of_a_bot() -> float:
    """Return the time until a quick bot is ready, relative to the start of a bare interpreter."""
    hello = write(Hello(PROTOCOL, __version__, "bot", Limits(start_ms=60_000)))
    bot = next(bot for bot in bots().values() if bot.quick)
    bare = (sys.executable, "-P", "-c", "print(flush=True); open(0).read()")
    return over(lambda: start_s(bot.command, bot.folder, hello), lambda: start_s(bare, "."), 9)


def run_over_floor() -> float:
    """Return the processor time of a run without its bots, relative to `run_floor_program`."""
    _, run, floor = measure("pot-de-vin", ROUNDS_OF_A_RUN, 1)
    return run.own_s / floor.own_s


def leaderboard_over_loop() -> float:
    """Return the time of a leaderboard, relative to the Python loop."""
    with tempfile.TemporaryDirectory() as folder:
        play_run(Path(folder, "run"), "pot-de-vin", ROUNDS_OF_A_RUN, 1)
        with Store.open(Path(folder, "run")) as store:
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
    found["a run over the floor"] = run_over_floor
    found["the leaderboard of a run"] = leaderboard_over_loop
    return found


def ratio_of(name: str) -> float:
    return measures()[name]()


def alone(name: str) -> float:
    """Measure a ratio in a new process."""
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
