"""The processes of an arena that a benchmark has started, as Linux shows them in `/proc`."""

import contextlib
import sys
from pathlib import Path

ARENA = (sys.executable, "-P", "-c", "from arena.cli import main; main()")
WORKER = b"arena.tournament.executors.worker"


def children_of(pid: int) -> list[int]:
    """Return the child processes of a process; none if it has ended."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text().split())
    return found


def workers_of(pid: int) -> list[int]:
    """Return the workers of an arena process; none if it has ended."""
    return [child for child in children_of(pid) if WORKER in command_of(child)]


def command_of(pid: int) -> bytes:
    """Return the command line of a process, with NULs between words; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
