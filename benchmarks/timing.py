"""Time workloads by processor time, alternating with a fixed piece of Python."""

import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

Workload = Callable[[], float]
"""Repeats some work, and returns the mean seconds of one repetition."""


def timed(work: Callable[[], int]) -> Workload:
    """Return a workload from a function that returns the number of its repetitions."""

    def workload() -> float:
        begin = time.process_time()
        repetitions = work()
        return (time.process_time() - begin) / repetitions

    return workload


def in_turn(workloads: Mapping[str, Workload], rounds: int) -> dict[str, list[float]]:
    """Return the times of each workload, by round. A first round doesn't count."""
    for workload in workloads.values():
        workload()
    times: dict[str, list[float]] = {name: [] for name in workloads}
    for _ in range(rounds):
        for name, workload in workloads.items():
            times[name].append(workload())
    return times


def python_loop(number: int = 30) -> Workload:
    """Return a typical mix of Python operations: strings, dicts, numbers and sorting."""

    def work() -> int:
        for _ in range(number):
            counts: dict[str, int] = {}
            for each in range(2_000):
                name = f"card-{each % 52}"
                counts[name] = counts.get(name, 0) + each
            sorted(counts.items())
        return number

    return timed(work)


def environment() -> Mapping[str, str]:
    """Return the environment without Python variables, so that installed, compiled modules are
    used.
    """
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def start_s(command: Sequence[str], folder: str, hello: bytes = b"") -> float:
    """Return a program's processor seconds until it prints a line. `hello` is sent to its stdin."""
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
