"""Timing of workloads: by processor time, in turn, beside a fixed piece of Python."""

import contextlib
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from arena.process.host import pin, usable

Workload = Callable[[], float]
"""Repeats some work, and returns the mean time of one repetition, in seconds."""

LOOP = "a fixed Python loop"
"""The reference of what has no other. See `python_loop`."""


@contextlib.contextmanager
def on_one_core() -> Iterator[None]:
    """Pin this process to one core if possible. Processes started here stay on that core."""
    before = usable()
    pin(0, {before[0]})
    try:
        yield
    finally:
        pin(0, set(before))


def busy_s() -> float:
    """Return the processor time of this process and its children, in seconds.

    On systems other than Linux it is time on the clock, and the machine should be idle.
    """
    try:
        return time.process_time() + children_s()
    except OSError:
        return time.perf_counter()


def children_s() -> float:
    """Return the processor time of the children that run, in seconds.

    Raises:
        OSError: the system does not tell it.
    """
    own = Path("/proc/self/task") / str(os.getpid())
    pids = (own / "children").read_text().split()
    ran_ns = [int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in pids]
    return sum(ran_ns) / 1e9


def is_busy() -> bool:
    """Return whether other work keeps this machine busy: a load of more than two for each core."""
    return os.getloadavg()[0] > 2 * len(usable())


def tells_processes() -> bool:
    """Return whether the system tells what other processes use, as Linux does."""
    return (Path("/proc/self/task") / str(os.getpid()) / "children").exists()


def timed(work: Callable[[], int], clock: Callable[[], float] = busy_s) -> Workload:
    """Return `work` as a workload. It returns the number of its repetitions."""

    def workload() -> float:
        begin = clock()
        repetitions = work()
        return (clock() - begin) / repetitions

    return workload


def in_turn(
    workloads: Mapping[str, Workload], rounds: int, *, warm_up: bool = True
) -> dict[str, list[float]]:
    """Return the times of each workload in each round, after a first round that does not count."""
    for workload in workloads.values() if warm_up else ():
        workload()
    times: dict[str, list[float]] = {name: [] for name in workloads}
    for _ in range(rounds):
        for name, workload in workloads.items():
            times[name].append(workload())
    return times


def python_loop(number: int = 30) -> Workload:
    """Return a fixed mix of what Python programs do: names, dicts, numbers, a sort."""

    def work() -> int:
        for _ in range(number):
            counts: dict[str, int] = {}
            for each in range(2_000):
                name = f"card-{each % 52}"
                counts[name] = counts.get(name, 0) + each
            sorted(counts.items())
        return number

    return timed(work, time.process_time)


def environment() -> Mapping[str, str]:
    """Return an environment in which Python is as installed: it uses its compiled modules."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def start_s(command: Sequence[str], folder: str, hello: bytes) -> float:
    """Return the processor time of a program from its start to its first line, in seconds.

    It is sent `hello`. Python is as installed.
    """
    with subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
        bufsize=0,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(hello)
        process.stdout.readline()
        ran_ns = int(Path(f"/proc/{process.pid}/schedstat").read_text().split()[0])
        process.stdin.close()
    return ran_ns / 1e9
