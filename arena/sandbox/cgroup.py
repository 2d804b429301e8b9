"""Control groups of Linux, version 2: processes that are bounded, measured, frozen and killed.

A process may make groups where the system has delegated a subtree to it. What the kernel offers
there differs: any group can be frozen, killed and asked for its processor time; memory and tasks
are counted where their controllers are delegated too.
"""

import contextlib
import os
import select
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ENTER = 'echo 0 > "$0" && exec "$@"'
"""A step that enters the group of its first argument and becomes the program of the others."""
FREEZE_S = 0.5
"""The time that the processes of a group have to stop."""
EVENTS_BYTES = 256
"""More than the file of events has."""
MIB = 1024 * 1024


class Bound(NamedTuple):
    """What the processes of a group may use together."""

    memory_mib: int
    tasks: int
    """Processes and threads."""


class Group:
    """A control group. It is empty until a process has entered it."""

    def __init__(self, path: Path, remove: Callable[[Path], None] = os.rmdir) -> None:
        """Use an existing group; `remove` deletes its folder."""
        self.path = path
        self._remove = remove
        self.counts_memory = (path / "memory.max").exists()
        """Whether the system bounds and measures its memory."""
        self.counts_tasks = (path / "pids.max").exists()
        """Whether the system bounds and counts its processes and threads."""
        self.is_left = False
        """Whether its processes were killed, so that it can be deleted once they have ended."""

    @property
    def entry(self) -> tuple[str, ...]:
        """The launch step that enters the group."""
        return ("/bin/sh", "-c", ENTER, str(self.path / "cgroup.procs"))

    def bound(self, bound: Bound) -> None:
        """Set bounds, as far as the system can enforce them."""
        if self.counts_memory:
            self._write("memory.max", str(bound.memory_mib * MIB))
            for name, value in (("memory.swap.max", "0"), ("memory.oom.group", "1")):
                with contextlib.suppress(FileNotFoundError):  # without swap, or an old Linux
                    self._write(name, value)
        if self.counts_tasks:
            self._write("pids.max", str(bound.tasks))

    def pids(self) -> list[int]:
        """Return its processes."""
        return [int(pid) for pid in self._read("cgroup.procs").split()]

    # -- stopping -----------------------------------------------------------------------------

    def freeze(self) -> bool:
        """Stop all its processes; return whether they have stopped. It holds for new ones too."""
        deadline = time.monotonic() + FREEZE_S
        try:
            with open(self.path / "cgroup.events", "rb", buffering=0) as events:
                changed = select.poll()
                changed.register(events, select.POLLPRI)
                events.read()  # `poll` tells of changes since
                self._write("cgroup.freeze", "1")
                while b"frozen 1" not in os.pread(events.fileno(), EVENTS_BYTES, 0):
                    left_s = deadline - time.monotonic()
                    if left_s <= 0:
                        return False
                    changed.poll(left_s * 1000)
        except OSError:
            return False
        return True

    @property
    def is_frozen(self) -> bool:
        """Whether all its processes are stopped."""
        return "frozen 1" in self._read("cgroup.events")

    def thaw(self) -> None:
        """Let its processes run again."""
        with contextlib.suppress(OSError):
            self._write("cgroup.freeze", "0")

    def kill(self) -> None:
        """Kill all its processes, also new ones. No other process may enter it."""
        self.is_left = True
        with contextlib.suppress(OSError):  # before Linux 5.14, or it is gone
            self._write("cgroup.kill", "1")

    def remove(self) -> bool:
        """Delete the group, if its processes have ended; return whether it is gone."""
        try:
            self._remove(self.path)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return True

    # -- measuring ----------------------------------------------------------------------------

    def cpu_ns(self) -> int:
        """Return the processor time of its processes, also of those that have ended."""
        return self._number("cpu.stat", "usage_usec") * 1000

    def memory_bytes(self) -> int:
        """Return its memory, without files that the system can drop from memory again."""
        cached = self._number("memory.stat", "file") - self._number("memory.stat", "shmem")
        return max(0, int(self._read("memory.current") or 0) - cached)

    def tasks(self) -> int:
        """Return the number of its processes and threads."""
        return int(self._read("pids.current") or 0)

    @property
    def ran_out_of_memory(self) -> bool:
        """Whether the system has killed a process of the group for its memory."""
        return self.counts_memory and self._number("memory.events", "oom_kill") > 0

    def _number(self, name: str, key: str) -> int:
        for line in self._read(name).splitlines():
            if line.startswith(f"{key} "):
                return int(line.split()[1])
        return 0

    def _read(self, name: str) -> str:
        """Return a file of the group, empty if the system does not have it."""
        try:
            return (self.path / name).read_text("ascii")
        except OSError:
            return ""

    def _write(self, name: str, text: str) -> None:
        write(self.path / name, text)


def write(path: Path, text: str) -> None:
    """Write to a file of a group, which is never created here."""
    fd = os.open(path, os.O_WRONLY | os.O_TRUNC)
    try:
        os.write(fd, text.encode("ascii"))
    finally:
        os.close(fd)
