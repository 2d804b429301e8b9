"""Cost of a way to play a run: pairs of a run on worker processes of this machine and another.

    python -m benchmarks.executors external       # 1,000 games on a Dask cluster of two workers
    python -m benchmarks.executors in-process --variant bribery/2 --pairs 9
    python -m benchmarks.executors in-process --bots dice --games 6000

The other way is `dask` (a cluster in the main process), `external` (the workers of a scheduler,
each a process of its own that has started before) or `in-process` (bots without processes). The
bots are quick ones of the arena, or `dice`, which answer at once and look at nothing. A run is a
process from its start to its end. The order changes from pair to pair, so other work on the machine
slows down both. The ratios are speeds of the other way over those of the worker processes: games a
second on the clock, and a second of processor time.
"""

import argparse
import contextlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from arena.tournament.store import Store
from benchmarks.long_runs import ARENA
from benchmarks.scale import Part
from engine import get_variant

WAYS = ("dask", "external", "in-process")
BOTS = {
    "pot-de-vin": ("random", "greedy", "collector", "briber"),
    "bribery": ("random", "spoiler", "banker", "fixer"),
    "brides-and-bribes": ("random", "suitor", "courtier", "builder", "poisoner"),
}
DICE = """\
from arena.bot import Bot, run

class Dice(Bot):
    detail = "none"

    def act(self, view, legal):
        return self.rng.choice(legal)

run(Dice)
"""


class Use(NamedTuple):
    """The use of a run."""

    clock_s: float
    cpu_s: float
    """Processor time of the main process and its children. Dask workers are not among them."""
    by_worker: dict[str, int]
    """The number of games, of a cluster by worker."""


def play(way: str, folder: Path, given: argparse.Namespace, scheduler: str = "") -> Use:
    """Return the use of a run, which goes to `folder`."""
    variant = get_variant(given.variant)
    bots = BOTS[variant.game][: variant.seats]
    if given.bots == "dice":
        bots = tuple([str(folder.with_name(f"dice-{seat}.py")) for seat in range(variant.seats)])
        for bot in bots:
            Path(bot).write_text(DICE)
    command = [*ARENA, "run", "--variant", variant.id, "--rounds", str(given.games), "--seed", "0"]
    command += ["--sandbox", "none", "--workers", str(given.workers), "--name", folder.name]
    command += ["--results", str(folder.parent), *[word for bot in bots for word in ("--bot", bot)]]
    if way == "in-process":
        call = f"run({variant.id!r}, {bots!r}, in_process=True, rounds={given.games}, seed=0, "
        call += f"workers={given.workers}, name={folder.name!r}, results={str(folder.parent)!r})"
        command = [sys.executable, "-P", "-c", f"from arena import run; {call}"]
    elif way != "local":
        command += ["--set", "machine.executor=dask"]
        command += ["--set", f"machine.scheduler={scheduler}"] if scheduler else []
    begin, before = time.perf_counter(), _cpu_s()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    clock_s, cpu_s = time.perf_counter() - begin, _cpu_s() - before
    with Store.open(folder) as store:
        workers = Counter(seen.worker.rpartition("/")[2] for seen in store.observations())
    return Use(clock_s, cpu_s, dict(workers))


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextlib.contextmanager
def external_cluster(workers: int) -> Iterator[str]:
    """Run a scheduler and workers with a slot each as processes; yield the scheduler's address."""
    with contextlib.ExitStack() as stack:
        address = stack.enter_context(Part(0, "--part", "scheduler")).hear()
        for _ in range(workers):
            stack.enter_context(Part(0, "--part", address, "--workers", "1")).hear()
        yield address


def main() -> None:
    """Print the figures of each pair, and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("way", choices=WAYS)
    parser.add_argument("--variant", default="pot-de-vin/4")
    parser.add_argument("--bots", choices=("quick", "dice"), default="quick")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--games", type=int, default=1_000)
    given = parser.parse_args()
    ratios: list[tuple[float, float]] = []
    is_external = given.way == "external"
    with (
        tempfile.TemporaryDirectory() as folder,
        external_cluster(given.workers) if is_external else contextlib.nullcontext("") as scheduler,
    ):
        for pair in range(given.pairs + is_external):
            uses = {}
            for way in ("local", given.way) if pair % 2 else (given.way, "local"):
                uses[way] = play(way, Path(folder, f"{way}-{pair}"), given, scheduler)
            local, other = uses["local"], uses[given.way]
            if is_external and not pair:  # workers of a cluster import the arena once
                continue
            ratios.append((local.clock_s / other.clock_s, local.cpu_s / other.cpu_s))
            print(
                f"{sum(local.by_worker.values())} games: local {local.clock_s:.2f} s, "
                f"{local.cpu_s:.2f} s of processors; {given.way} {other.clock_s:.2f} s, "
                f"{other.cpu_s:.2f} s {other.by_worker or ''}",
                flush=True,
            )
    by_clock = zip(("second", "second of processors"), zip(*ratios, strict=True), strict=True)
    for what, values in by_clock:
        spread = f"{median(values):.2f} ({min(values):.2f} to {max(values):.2f})"
        print(f"games a {what}: {spread} times those of worker processes")


if __name__ == "__main__":
    main()
