"""Processor time and memory of a bot's processes, from /proc on Linux."""

import contextlib
import os
import time
from collections.abc import Iterable
from typing import NamedTuple

_TICKS = os.sysconf("SC_CLK_TCK")
PROCESS_CLOCK = 2
"""With the complement of a process's id in the bits above, the id of its processor-time clock."""


class Usage(NamedTuple):
    """What the processes of a bot have used so far."""

    cpu_ms: int
    """Processor time of all processes that it has had."""
    memory_kib: int
    """The sum of the peaks of the living processes."""
    wait_ms: int = 0
    """Time in which its threads could have run, but had no core."""


class ProcessorTime:
    """Processor time of changing processes, whose values never decrease.

    Of a process that has ended, it counts what its parent has waited for or, if that is more, what
    it had used when it was last seen.
    """

    def __init__(self) -> None:
        """Count from zero."""
        self._cpu = _Ledger()
        self._wait = _Ledger()
        self._waited_for_ns = 0

    def measure(self, pids: Iterable[int]) -> None:
        """Measure these processes. Those that were measured before and are not here have ended."""
        cpu, wait = {}, {}
        waited_for_ns = 0
        for pid in pids:
            with contextlib.suppress(OSError, ValueError):
                cpu[pid], ended_ns = _cpu_ns(pid)
                waited_for_ns += ended_ns
            with contextlib.suppress(OSError):
                for task in map(int, os.listdir(f"/proc/{pid}/task")):
                    with contextlib.suppress(OSError, ValueError):
                        wait[task] = _wait_ns(pid, task)
        self._cpu.update(cpu)
        self._wait.update(wait)
        self._waited_for_ns = max(self._waited_for_ns, waited_for_ns)

    @property
    def cpu_ns(self) -> int:
        """Processor time of all processes."""
        return self._cpu.living_ns + max(self._cpu.ended_ns, self._waited_for_ns)

    @property
    def wait_ns(self) -> int:
        """Time in which the threads could have run, but had no core."""
        return self._wait.living_ns + self._wait.ended_ns


class _Ledger:
    """The last values of processes or threads, and the sum of those that have ended."""

    def __init__(self) -> None:
        self._last: dict[int, int] = {}
        self.ended_ns = 0

    @property
    def living_ns(self) -> int:
        return sum(self._last.values())

    def update(self, values: dict[int, int]) -> None:
        for one, last in self._last.items():
            if last > values.get(one, 0):  # it has ended; its number may be taken by another one
                self.ended_ns += last
        self._last = values


def peak_kib(pids: Iterable[int]) -> int:
    """Return the sum of the peaks of these processes."""
    peak = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError):
            peak += _peak_kib(pid)
    return peak


def _cpu_ns(pid: int) -> tuple[int, int]:
    """Return the processor time of a process, and of those that ended and it has waited for."""
    with open(f"/proc/{pid}/stat", errors="replace") as stat:
        fields = stat.read().rpartition(")")[2].split()  # its name may hold anything
    own, ended = [sum(map(int, fields[at : at + 2])) * 10**9 // _TICKS for at in (11, 13)]
    with contextlib.suppress(OSError):
        own = time.clock_gettime_ns(~pid << 3 | PROCESS_CLOCK)
    return own, ended


def _wait_ns(pid: int, task: int) -> int:
    with open(f"/proc/{pid}/task/{task}/schedstat") as schedstat:
        return int(schedstat.read().split()[1])


def _peak_kib(pid: int) -> int:
    with open(f"/proc/{pid}/status", errors="replace") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0  # it has ended and is not reaped yet
