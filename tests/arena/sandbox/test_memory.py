"""What measuring the memory of bots may cost, by a clock that the test sets."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator

import pytest

from arena.sandbox.memory import COST_SHARE, SLICE_S, MemoryMeter
from tests.arena.playing import NEEDS_PROC

BOUND_MIB = 1024
WAITS = (sys.executable, "-S", "-E", "-c", "import sys; sys.stdin.read()")

pytestmark = NEEDS_PROC


class Clock:
    """A clock that goes on by `step` seconds whenever it is read."""

    def __init__(self, step: float) -> None:
        self.now = 0.0
        self.step = step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture
def pids() -> Iterator[list[int]]:
    """Return three processes with a thread each."""
    with contextlib.ExitStack() as stack:
        found = []
        for _ in range(3):
            process = stack.enter_context(
                subprocess.Popen(WAITS, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
            )
            stack.callback(process.kill)
            found.append(process.pid)
        yield found


def test_measuring_takes_a_share_of_the_time(pids: list[int]) -> None:
    clock = Clock(0.0)
    meter = MemoryMeter(now=clock, busy=clock)
    asked = []

    def ask() -> list[int]:
        asked.append(clock.now)
        clock.now += 1.0  # what this measurement costs
        return pids

    first = meter.measure(ask, BOUND_MIB)
    assert first.tasks == 3
    for now in (1.0, 5.0, 1.0 / COST_SHARE - 0.1):
        clock.now = now
        assert meter.measure(ask, BOUND_MIB) == first
    assert asked == [0.0]
    clock.now = 1.0 / COST_SHARE
    meter.measure(ask, BOUND_MIB)
    assert asked == [0.0, 1.0 / COST_SHARE]


def test_many_processes_are_measured_in_turns(pids: list[int]) -> None:
    clock = Clock(1.1 * SLICE_S)  # each look at a process takes so long
    meter = MemoryMeter(now=clock, busy=clock)
    tasks = []
    for _ in range(3):
        tasks.append(meter.measure(lambda: pids, BOUND_MIB).tasks)
        clock.now += 100
    assert tasks == [1, 2, 3]


def test_a_process_that_has_ended_is_forgotten(pids: list[int]) -> None:
    clock = Clock(0.0)
    meter = MemoryMeter(now=clock, busy=clock)
    assert meter.measure(lambda: pids, BOUND_MIB).tasks == 3
    clock.now += 100
    assert meter.measure(lambda: pids[:1], BOUND_MIB).tasks == 1
