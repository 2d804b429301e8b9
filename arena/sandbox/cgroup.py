"""Control groups of Linux, version 2: processes that are bounded, measured, frozen and killed.

A process may make groups where the system has delegated a subtree to it. What the kernel offers
there differs: any group can be frozen, killed and asked for its processor time; memory and tasks
are counted where their controllers are delegated too.
"""

import atexit
import contextlib
import functools
import os
import secrets
import select
import time
from pathlib import Path
from typing import NamedTuple

ENTER = 'echo 0 > "$0" && exec "$@"'
"""A step that enters the group of its first argument and becomes the program of the others."""
FREEZE_S = 0.1
"""The time that the processes of a group have to stop. Other bots wait for it."""
EVENTS_BYTES = 256
"""More than the file of events has."""
CLOCK_BYTES = 64
"""More than the first line of the file of processor time has."""
MIB = 1024 * 1024


class Bound(NamedTuple):
    """The bound of the processes of a group together."""

    memory_mib: int
    tasks: int
    """Processes and threads."""


class Group:
    """A control group. It is empty until a process has entered it."""

    def __init__(self, path: Path) -> None:
        """Use an existing group."""
        self.path = path
        self.counts_memory = (path / "memory.max").exists()
        """Whether the system bounds and measures its memory."""
        self.counts_tasks = (path / "pids.max").exists()
        """Whether the system bounds and counts its processes and threads."""
        self._clock: int | None = None  # the open file of its processor time
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

    def enter(self, pid: int) -> bool:
        """Have a process enter the group; return whether it did."""
        with contextlib.suppress(OSError):
            self._write("cgroup.procs", str(pid))
            return True
        return False

    def pids(self) -> list[int]:
        """Return its processes."""
        return [int(pid) for pid in self._read("cgroup.procs").split()]

    def threads(self) -> list[int]:
        """Return its threads."""
        return [int(task) for task in self._read("cgroup.threads").split()]

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

    def thaw(self) -> None:
        """Let its processes run again."""
        with contextlib.suppress(OSError):
            self._write("cgroup.freeze", "0")

    def kill(self) -> None:
        """Kill all its processes, also new ones. No other process may enter it."""
        self.is_left = True
        if self._clock is not None:
            os.close(self._clock)
            self._clock = None
        with contextlib.suppress(OSError):  # before Linux 5.14, or it is gone
            self._write("cgroup.kill", "1")

    def remove(self) -> bool:
        """Delete the group, if its processes have ended; return whether it is gone."""
        try:
            remove(self.path)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return True

    # -- measuring ----------------------------------------------------------------------------

    def cpu_s(self) -> float:
        """Return the processor time of its processes, also of those that have ended, in seconds.

        The file stays open until they are killed, since this is asked for at each answer of a bot.
        """
        if self.is_left:
            return 0.0
        try:
            if self._clock is None:
                self._clock = os.open(self.path / "cpu.stat", os.O_RDONLY)
            first, _, _ = os.pread(self._clock, CLOCK_BYTES, 0).partition(b"\n")
            return int(first[len(b"usage_usec ") :]) / 1e6
        except (OSError, ValueError):
            return 0.0

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


try:
    import fcntl
except ImportError:  # not a Unix: there are no control groups
    fcntl = None  # type: ignore[assignment]

CONTROLLERS = ("memory", "pids")
"""The controllers that are used where they are delegated."""
PREFIX = "arena-"
REFEREE = "arena-referee"
"""The group of the arena's own processes. A group that offers controllers to the groups in it
cannot have processes itself, so those move there."""
MOUNTS, OWN = Path("/proc/self/mountinfo"), Path("/proc/self/cgroup")
MAX_TRIES = 3
"""Attempts to make a home. Another process may sweep it away before it is locked."""
CLEAR_S = 1.0
"""The time that killed processes have to leave their group."""


make, remove = os.mkdir, os.rmdir
"""Make and delete the folder of a group."""


class Home:
    """A group with the groups of the bots of one process.

    It is locked while its process lives. `sweep` deletes those of processes that were killed.
    """

    def __init__(self, parent: Path) -> None:
        """Make a home in the group `parent`, with the controllers that `parent` offers.

        Raises:
            OSError: the group is not delegated to us.
        """
        self._owner = os.getpid()  # a fork of it has the same object
        self.path = parent / f"{PREFIX}{secrets.token_hex(8)}"
        make(self.path)
        self._lock: int | None = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        _offer(self.path)
        self._made: list[Group] = []

    @property
    def bounds_memory(self) -> bool:
        """Whether the system bounds the memory of the groups in it."""
        return "memory" in (self.path / "cgroup.subtree_control").read_text("ascii")

    def group(self) -> Group:
        """Make a group, and delete those that were made before and are empty of processes.

        Raises:
            OSError: the system has no room for another one.
        """
        self._made = [group for group in self._made if not (group.is_left and group.remove())]
        path = self.path / secrets.token_hex(8)
        make(path)
        self._made.append(Group(path))
        return self._made[-1]

    def close(self) -> None:
        """Kill what is left in its groups, and delete them. A second call does nothing."""
        if self._lock is not None and self._owner == os.getpid():
            _clear(self.path)
            os.close(self._lock)
            self._lock = None


def own_group(mounts: str, own: str) -> Path | None:
    """Return the folder of the group of this process; None without version 2.

    Args:
        mounts: the text of /proc/self/mountinfo.
        own: the text of /proc/self/cgroup.
    """
    name = next((line[3:] for line in own.splitlines() if line.startswith("0::/")), None)
    for line in mounts.splitlines():
        fields, _, kind = line.partition(" - ")
        if name is None or not kind.startswith("cgroup2 "):
            continue
        root, place = fields.split()[3:5]
        root = root.rstrip("/")
        if f"{name}/".startswith(f"{root}/"):
            path = Path(place, name[len(root) :].strip("/"))
            return path.parent if path.name == REFEREE else path
    return None


def find_home(parent: Path) -> Home | None:
    """Return a new home in the group `parent`, or None if `parent` is not delegated to us."""
    for _ in range(MAX_TRIES):
        try:
            _offer_all(parent)
            sweep(parent)
            home = Home(parent)
            home.group().remove()
        except OSError:
            continue
        return home
    return None


def our_home() -> Home | None:
    """Return the home of this process, made at the first call, or None if it cannot have one."""
    return _home_of(os.getpid())


@functools.cache
def _home_of(pid: int) -> Home | None:
    """Return a home for this process, whose id is `pid`: a fork of it needs another one."""
    if fcntl is None:
        return None
    with contextlib.suppress(OSError):
        parent = own_group(MOUNTS.read_text("utf-8"), OWN.read_text("utf-8"))
        if parent and (home := find_home(parent)):
            atexit.register(home.close)
            return home
    return None


def sweep(parent: Path) -> None:
    """Delete the homes in `parent` whose process is gone, and kill what it has left in them."""
    for path in parent.glob(f"{PREFIX}*"):
        if path.name == REFEREE:
            continue
        with contextlib.suppress(OSError):
            folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _clear(path)
            finally:
                os.close(folder)


def _offer(group: Path) -> bool:
    """Have the groups in `group` count memory and tasks; return False if processes are in the way.

    What the system does not offer to `group` is left out.
    """
    available = (group / "cgroup.controllers").read_text("ascii").split()
    offered = (group / "cgroup.subtree_control").read_text("ascii").split()
    wanted = [name for name in CONTROLLERS if name in available]
    if not set(wanted).difference(offered):
        return True
    try:
        write(group / "cgroup.subtree_control", " ".join([f"+{name}" for name in wanted]))
    except OSError:
        return False
    return True


def _offer_all(parent: Path) -> None:
    """As `_offer`. This process moves out of the way; if others remain, it moves back."""
    if _offer(parent):
        return
    with contextlib.suppress(FileExistsError):
        make(parent / REFEREE)
    write(parent / REFEREE / "cgroup.procs", "0")
    if not _offer(parent):
        write(parent / "cgroup.procs", "0")
        with contextlib.suppress(OSError):
            remove(parent / REFEREE)


def _clear(home: Path) -> None:
    """Kill all in a home, and delete its groups and itself, as soon as they are empty."""
    deadline = time.monotonic() + CLEAR_S
    Group(home).kill()
    left = list(map(Group, [path for path in (*home.iterdir(), home) if path.is_dir()]))
    while (left := [group for group in left if not group.remove()]) and time.monotonic() < deadline:
        time.sleep(0.001)
