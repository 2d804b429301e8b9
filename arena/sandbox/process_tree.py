"""The processes that a bot has started, from /proc. Without /proc none are found.

A process that is no longer a child of the bot is recognized by a mark in its environment. A bot can
remove that mark. A stronger sandbox contains such a bot too.
"""

import contextlib
import os
import signal
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")
MAX_SEARCHES = 100
"""Searches for new processes before those found are killed."""


class Use(NamedTuple):
    """The resources of a tree of processes."""

    memory_mib: int
    tasks: int
    """Processes and threads."""


def descendants(pid: int) -> list[int]:
    """Return a process and all its descendants. The process is the first."""
    found = [pid]
    for one in found:
        try:
            tasks = os.listdir(f"/proc/{one}/task")
        except OSError:
            continue
        for task in tasks:
            with contextlib.suppress(OSError), open(f"/proc/{one}/task/{task}/children") as file:
                found += map(int, file.read().split())
    return found


def use(pid: int) -> Use:
    """Return the resources of a process and its descendants. Shared memory counts for each."""
    pages = tasks = 0
    for one in descendants(pid):
        try:
            with open(f"/proc/{one}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()  # from the third on
        except OSError:
            continue
        tasks += int(fields[17])
        pages += int(fields[21])
    return Use(pages * _page_bytes() // (1024 * 1024), tasks)


def _page_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE")


def marked(name: str, value: str) -> Iterator[int]:
    """Yield the processes whose environment has a variable with this value."""
    wanted = f"{name}={value}".encode()
    if not PROC.is_dir():
        return
    for pid in filter(str.isdecimal, os.listdir(PROC)):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
            if wanted in file.read().split(b"\0"):
                yield int(pid)


def kill_marked(name: str, value: str) -> None:
    """Kill all processes with this mark, except this one.

    They are stopped first, since those that are killed last could start others.
    """
    found: set[int] = set()
    for _ in range(MAX_SEARCHES):
        more = set(marked(name, value)) - found - {os.getpid()}
        if not more:
            break
        _signal_all(more, signal.SIGSTOP)
        found |= more
    _signal_all(found, signal.SIGKILL)


def kill_all(pids: Iterable[int]) -> None:
    """Kill those of `pids` that exist and belong to us."""
    _signal_all(pids, signal.SIGKILL)


def _signal_all(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
