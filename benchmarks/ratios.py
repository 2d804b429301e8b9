"""Ratios of speeds, compared with the committed ones.

    python -m benchmarks.ratios            # 1 at the end if one is worse by 30 %
    python -m benchmarks.ratios --renew    # a change that is meant to change one commits the new

Both times of a ratio are measured in turn, so it hardly depends on the machine. What seems worse is
measured again after all others, up to four times, and the best counts: other work makes a ratio
worse, not better. Each time is one of a new interpreter, since some have bad luck with their hashes
and addresses.
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
"""Measures a ratio: a time over that of a reference, so less is better."""


def over(own: Workload, other: Workload, rounds: int = ROUNDS) -> float:
    """Return the median ratio of the times of two workloads."""
    times = in_turn({"own": own, "other": other}, rounds)
    return median(map(float.__truediv__, times["own"], times["other"]))


def call_over_loop(call: Call) -> float:
    """Return a call of this tree, over the Python loop."""
    tree = Tree(ROOT)
    try:
        return over(lambda: 1 / call.speed(tree, SEED)[0], python_loop())
    finally:
        tree.close()


def start_of_a_bot() -> float:
    """Return the start of a quick bot until it is ready, over that of a bare interpreter."""
    hello = write(Hello(PROTOCOL, __version__, "bot", Limits(start_ms=60_000)))
    bot = next(bot for bot in bots().values() if bot.quick)
    bare = (sys.executable, "-P", "-c", "print(flush=True); open(0).read()")
    return over(lambda: start_s(bot.command, bot.folder, hello), lambda: start_s(bare, "."), 9)


def run_over_floor() -> float:
    """Return the own processor time of a run, over that of a program that plays its games."""
    _, run, floor = measure("pot-de-vin", ROUNDS_OF_A_RUN, 1)
    return run.own_s / floor.own_s


def leaderboard_over_loop() -> float:
    """Return the leaderboard of a run from its records, over the Python loop."""
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
    """Return what is measured, by name."""
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
    """Return the ratio of a name, measured in this process."""
    return measures()[name]()


def alone(name: str) -> float:
    """Return the ratio of a name, measured in a process of its own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(ratio_of, name).result()


def worse(before: Mapping[str, float], measure: Callable[[str], float]) -> Collection[str]:
    """Measure each ratio, print it, and return the names of those that stay above `before`."""
    left = list(before)
    for _ in range(1 + REPEATS):
        ratios = {name: measure(name) for name in left}
        for name, ratio in ratios.items():
            print(f"{name:50} {before[name]:8.4g} before, {ratio:8.4g} now", flush=True)
        left = [name for name in left if ratios[name] > before[name] * (1 + TOLERANCE)]
    return left


def main() -> None:
    """Compare the ratios, or renew them."""
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
