"""Processor time and memory of a bot's processes, from /proc on Linux."""

import contextlib
import os
from collections.abc import Iterator
from typing import NamedTuple

MAX_PROCESSES = 64
"""The number of processes of one bot that are counted."""
_TICKS = os.sysconf("SC_CLK_TCK")


class Usage(NamedTuple):
    """What a process and its descendants have used so far."""

    cpu_ms: int
    """Of the living processes, and of those that they have waited for."""
    memory_kib: int
    """The sum of the peaks of the living processes."""
    wait_ms: int = 0
    """Time in which its threads could have run, but had no core."""


def usage_of(pid: int) -> Usage | None:
    """Return what the tree of a process that is not reaped has used; None if the system does not
    tell.
    """
    cpu_ms = memory_kib = 0
    found = None
    for one in _tree(pid):
        with contextlib.suppress(OSError, ValueError):
            cpu_ms += _cpu_ms(one)
            memory_kib += _memory_kib(one)
            found = one
    return Usage(cpu_ms, memory_kib) if found else None


def _tree(pid: int) -> Iterator[int]:
    found = [pid]
    for one in found:
        yield one
        with contextlib.suppress(OSError), open(f"/proc/{one}/task/{one}/children") as children:
            found += [int(child) for child in children.read().split()][: MAX_PROCESSES - len(found)]


def _cpu_ms(pid: int) -> int:
    with open(f"/proc/{pid}/stat", errors="replace") as stat:
        fields = stat.read().rpartition(")")[2].split()  # its name may hold anything
    return sum(map(int, fields[11:15])) * 1000 // _TICKS


def _memory_kib(pid: int) -> int:
    with open(f"/proc/{pid}/status", errors="replace") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0  # it has ended and is not reaped yet
