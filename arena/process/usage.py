"""Processor time and memory of a bot's processes, from /proc on Linux."""

import contextlib
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_KIB = os.sysconf("SC_PAGE_SIZE") // 1024
PROCESS_CLOCK = 2
"""With the complement of a process's id in the bits above, the id of its processor-time clock."""


class Usage(NamedTuple):
    """The processor time and memory of the processes of a bot."""

    cpu_ms: int
    """Processor time of all processes that it has had."""
    memory_kib: int
    """The sum of the peaks of the living processes; if that exceeds what the bot may use, the most
    that was measured or one process had, since a page may count in several peaks.
    """
    wait_ms: int = 0
    """Time in which a thread could have run, and waited for a core that others used."""
    is_ready: bool = False
    """Whether a thread runs or waits for a core now."""


class ProcessorTime:
    """Processor time of changing processes, which never decreases.

    Of a process that has ended, it counts what its parent has waited for or, if that is more, what
    it had used when it was last seen.
    """

    def __init__(self) -> None:
        """Count from zero."""
        self._living: dict[int, int] = {}
        self._ended_ns = self._waited_for_ns = 0

    def measure(self, pids: Iterable[int]) -> int:
        """Return the nanoseconds of these processes and those that were there before."""
        living = {}
        waited_for_ns = 0
        for pid in pids:
            with contextlib.suppress(OSError, ValueError):
                living[pid], ended_ns = _cpu_ns(pid)
                waited_for_ns += ended_ns
        for pid, last_ns in self._living.items():
            if last_ns > living.get(pid, 0):  # it has ended; its number may be taken by another one
                self._ended_ns += last_ns
        self._living = living
        self._waited_for_ns = max(self._waited_for_ns, waited_for_ns)
        return sum(living.values()) + max(self._ended_ns, self._waited_for_ns)


class TaskTime(NamedTuple):
    """The times of a thread, in nanoseconds."""

    cpu_ns: int
    wait_ns: int
    """Time in which it could have run, but had no core."""
    runs: int = 0
    """The number of times that it got a core."""
    ready_ns: int = 0
    """The time at which it was first seen to run or wait, if it does now and got no core since."""


class WaitTime:
    """The time for which changing processes have waited for a core that others used."""

    def __init__(self) -> None:
        """Count from zero."""
        self._tasks: dict[int, TaskTime] = {}
        self._cpu_ns = 0
        self._wait_ns = 0

    def measure(self, pids: Iterable[int], cpu_ns: int) -> int:
        """Return the nanoseconds so far; `cpu_ns` is what all processes have used so far."""
        tasks = {}
        for pid in pids:
            with contextlib.suppress(OSError):
                for task in map(int, os.listdir(f"/proc/{pid}/task")):
                    with contextlib.suppress(OSError, ValueError):
                        tasks[task] = _task_time(f"/proc/{pid}/task/{task}", self._tasks.get(task))
        self._wait_ns += waited_for_others_ns(self._tasks, tasks, cpu_ns - self._cpu_ns)
        self._tasks, self._cpu_ns = tasks, cpu_ns
        return self._wait_ns

    @property
    def is_ready(self) -> bool:
        """Whether a thread ran, or waited for a core, when it was measured."""
        return any(task.ready_ns for task in self._tasks.values())


def waited_for_others_ns(
    before: Mapping[int, TaskTime], after: Mapping[int, TaskTime], cpu_ns: int
) -> int:
    """Return for how long a thread of a bot has waited for a core that others used, at least.

    A bot's own threads wait for each other too. So what the other threads have used does not count.
    Of the threads, the one counts that has waited longest.

    Args:
        before: the times of the threads before, by number. New ones begin with zero.
        after: their times now.
        cpu_ns: processor time of all processes of the bot in between.
    """
    longest_ns = 0
    for task, now in after.items():
        then = before.get(task, TaskTime(0, 0))
        used_by_others_of_bot_ns = max(0, cpu_ns - (now.cpu_ns - then.cpu_ns))
        longest_ns = max(longest_ns, now.wait_ns - then.wait_ns - used_by_others_of_bot_ns)
    return longest_ns


def usage_of(pids: Sequence[int]) -> Usage:
    """Return what these processes have used, with zero for those that have ended."""
    return Usage(ProcessorTime().measure(pids) // 1_000_000, sum(peaks_kib(pids)))


def peaks_kib(pids: Iterable[int]) -> list[int]:
    """Return the most that each of these processes had in memory."""
    peaks = []
    for pid in pids:
        with contextlib.suppress(OSError, ValueError):
            peaks.append(_peak_kib(pid))
    return peaks


def _cpu_ns(pid: int) -> tuple[int, int]:
    """Return the processor time of a process, and of those that ended and it has waited for."""
    with open(f"/proc/{pid}/stat", errors="replace") as stat:
        fields = stat.read().rpartition(")")[2].split()  # its name may hold anything
    own, ended = [sum(map(int, fields[at : at + 2])) * 10**9 // _TICKS for at in (11, 13)]
    with contextlib.suppress(OSError):
        own = time.clock_gettime_ns(~pid << 3 | PROCESS_CLOCK)
    return own, ended


def _task_time(path: str, before: TaskTime | None) -> TaskTime:
    """Return the times of the thread in a folder of /proc, which were `before` when last measured.

    The system adds a wait to its time when it is over. One that goes on is added here, from when it
    was first seen.
    """
    with open(f"{path}/schedstat") as schedstat:
        cpu_ns, wait_ns, runs = map(int, schedstat.read().split())
    with open(f"{path}/stat", errors="replace") as stat:
        if stat.read().rpartition(")")[2].split()[0] != "R":
            return TaskTime(cpu_ns, wait_ns, runs)
    ready_ns = now_ns = time.monotonic_ns()
    if before and before.ready_ns and (before.cpu_ns, before.runs) == (cpu_ns, runs):
        ready_ns = before.ready_ns
    return TaskTime(cpu_ns, wait_ns + now_ns - ready_ns, runs, ready_ns)


def _peak_kib(pid: int) -> int:
    with open(f"/proc/{pid}/status", errors="replace") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0  # it has ended and is not reaped yet


def resident_kib(pid: int) -> int:
    """Return the resident memory of a process, 0 if it has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/statm") as statm:
        return int(statm.read().split()[1]) * _PAGE_KIB
    return 0


def share_kib(pid: int) -> int:
    """Return its resident memory where a page of n processes counts as 1/n, 0 if it has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/smaps_rollup") as rollup:
        return sum([int(line.split()[1]) for line in rollup if line.startswith("Pss:")])
    return 0


def tasks_of(pid: int) -> int:
    """Return the number of threads of a process, 0 if it has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", errors="replace") as stat:
        return int(stat.read().rpartition(")")[2].split()[17])
    return 0
