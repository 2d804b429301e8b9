"""The place where a process of the arena may make control groups for its bots."""

import atexit
import contextlib
import functools
import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from arena.sandbox.cgroup import Group, write

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


class Folders(NamedTuple):
    """How the folder of a group is made and deleted: by the system, or in a tree of plain files."""

    make: Callable[[Path], None] = os.mkdir
    remove: Callable[[Path], None] = os.rmdir


SYSTEM = Folders()


class Home:
    """A group with the groups of the bots of one process.

    It is locked while its process lives. `sweep` deletes those of processes that were killed.
    """

    def __init__(self, parent: Path, folders: Folders = SYSTEM) -> None:
        """Make a home in the group `parent`, with the controllers that `parent` offers.

        Raises:
            OSError: the group is not delegated to us.
        """
        self._folders = folders
        self._owner = os.getpid()  # a fork of it has the same object
        self.path = parent / f"{PREFIX}{secrets.token_hex(8)}"
        folders.make(self.path)
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
        self._made = [one for one in self._made if not (one.is_left and one.remove())]
        path = self.path / secrets.token_hex(8)
        self._folders.make(path)
        self._made.append(Group(path, self._folders.remove))
        return self._made[-1]

    def close(self) -> None:
        """Kill what is left in its groups, and delete them. A second call does nothing."""
        if self._lock is not None and self._owner == os.getpid():
            _clear(self.path, self._folders)
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


def find_home(parent: Path, folders: Folders = SYSTEM) -> Home | None:
    """Return a new home in the group `parent`, or None if `parent` is not delegated to us."""
    for _ in range(MAX_TRIES):
        try:
            _offer_all(parent, folders)
            sweep(parent, folders)
            home = Home(parent, folders)
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


def sweep(parent: Path, folders: Folders = SYSTEM) -> None:
    """Delete the homes in `parent` whose process is gone, and kill what it has left in them."""
    for path in parent.glob(f"{PREFIX}*"):
        if path.name == REFEREE:
            continue
        with contextlib.suppress(OSError):
            folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _clear(path, folders)
            finally:
                os.close(folder)


def _offer(group: Path) -> bool:
    """Have the groups in `group` count memory and tasks; return False if processes are in the way.

    What the system does not offer to `group` is left out.
    """
    available = (group / "cgroup.controllers").read_text("ascii").split()
    offered = (group / "cgroup.subtree_control").read_text("ascii").split()
    wanted = [one for one in CONTROLLERS if one in available]
    if not set(wanted).difference(offered):
        return True
    try:
        write(group / "cgroup.subtree_control", " ".join([f"+{one}" for one in wanted]))
    except OSError:
        return False
    return True


def _offer_all(parent: Path, folders: Folders) -> None:
    """As `_offer`. This process moves out of the way; if others remain, it moves back."""
    if _offer(parent):
        return
    with contextlib.suppress(FileExistsError):
        folders.make(parent / REFEREE)
    write(parent / REFEREE / "cgroup.procs", "0")
    if not _offer(parent):
        write(parent / "cgroup.procs", "0")
        with contextlib.suppress(OSError):
            folders.remove(parent / REFEREE)


def _clear(home: Path, folders: Folders) -> None:
    """Kill all in a home, and delete its groups and itself, as soon as they are empty."""
    deadline = time.monotonic() + CLEAR_S
    Group(home).kill()
    left = [Group(path, folders.remove) for path in (*home.iterdir(), home) if path.is_dir()]
    while (left := [group for group in left if not group.remove()]) and time.monotonic() < deadline:
        time.sleep(0.001)
