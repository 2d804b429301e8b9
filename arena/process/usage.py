"""Measure the processor time, memory and thread states of a bot's processes."""

import contextlib
import os
import time
from collections.abc import Iterable
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_KIB = os.sysconf("SC_PAGE_SIZE") // 1024
# A CPU clock id consists of the complement of the process id and these low bits.
PROCESS_CLOCK = 2
HAS_PROC = Path("/proc/self/stat").exists()


class ProcessorTime:
    """Measures the total processor time of a bot's processes, including finished processes."""

    # Short-lived processes may be missed.

    def __init__(self) -> None:
        self._living: dict[int, int] = {}
        self._ended_ns = self._waited_for_ns = 0

    def measure(self, pids: Iterable[int]) -> int:
        """Measure the given processes, and return the bot's total processor time in nanoseconds."""
        found = list(pids)
        self._waited_for_ns = max(self._waited_for_ns, sum(map(_waited_for_ns, found)))
        return self._read(found)

    def read(self) -> int:
        """Update and return the bot's total processor time in nanoseconds. New processes are not
        included.
        """
        return self._read(self._living)

    def _read(self, pids: Iterable[int]) -> int:
        living = {}
        for pid in pids:
            with contextlib.suppress(OSError):
                living[pid] = _cpu_ns(pid)
        for pid, last_ns in self._living.items():
            if last_ns > living.get(pid, 0):  # it has ended, and its pid may have been reused
                self._ended_ns += last_ns
        self._living = living
        return sum(living.values()) + max(self._ended_ns, self._waited_for_ns)


def _cpu_ns(pid: int) -> int:
    if HAS_PROC:
        return time.clock_gettime_ns(~pid << 3 | PROCESS_CLOCK)
    import psutil  # only macOS needs it

    try:
        used = psutil.Process(pid).cpu_times()
    except psutil.Error as error:
        raise ProcessLookupError(pid) from error
    return int((used.user + used.system) * 1e9)


def _waited_for_ns(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/stat", "rb") as stat:
        fields = stat.read().rpartition(b")")[2].split()  # its name may contain any characters
        return sum(map(int, fields[13:15])) * 10**9 // _TICKS
    return 0


def is_able(tasks: Iterable[int]) -> bool:
    for task in tasks:
        with contextlib.suppress(OSError, ValueError), open(f"/proc/{task}/stat", "rb") as stat:
            if stat.read().rpartition(b")")[2].split(maxsplit=1)[0] == b"R":
                return True
    return False


def threads_of(pids: Iterable[int]) -> Iterable[int]:
    for pid in pids:
        with contextlib.suppress(OSError, ValueError):
            yield from map(int, os.listdir(f"/proc/{pid}/task"))


def resident_kib(pid: int) -> int:
    with contextlib.suppress(OSError), open(f"/proc/{pid}/statm") as statm:
        return int(statm.read().split()[1]) * _PAGE_KIB
    return 0


def share_kib(pid: int) -> int:
    """Return the proportional memory (PSS) of a process in KiB, or 0 if the process has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/smaps_rollup") as rollup:
        return sum([int(line.split()[1]) for line in rollup if line.startswith("Pss:")])
    return 0


def tasks_of(pid: int) -> int:
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", errors="replace") as stat:
        return int(stat.read().rpartition(")")[2].split()[17])
    return 0
