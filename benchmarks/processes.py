"""Find the processes of an arena in Linux's `/proc`."""

import contextlib
import sys
from pathlib import Path

ARENA = (sys.executable, "-P", "-c", "from arena.cli import main; main()")
WORKER = b"arena.tournament.executors.worker"


def children_of(pid: int) -> list[int]:
    """Return the pids of a process's children; empty if it has ended."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text().split())
    return found


def workers_of(pid: int) -> list[int]:
    """Return the pids of the workers of an arena process; empty if it has ended."""
    return [child for child in children_of(pid) if WORKER in command_of(child)]


def command_of(pid: int) -> bytes:
    """Return a process's command line, with NULs between words; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
