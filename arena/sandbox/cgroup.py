"""Limit, measure, freeze and kill a bot's processes with Linux control groups (cgroups v2).

The user must have permission to create control groups. Even if the system doesn't support memory
and process limits, bots can be frozen and killed, and their processor time can be measured.
"""

import atexit
import contextlib
import functools
import os
import secrets
import select
import time
from pathlib import Path

# Moves the shell into a control group, and then executes a command.
ENTER = 'echo 0 > "$0" && exec "$@"'
FREEZE_S = 0.1
EVENTS_BYTES = 256
CLOCK_BYTES = 64
MIB = 1024 * 1024


class Group:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.counts_memory = (path / "memory.max").exists()
        self.counts_tasks = (path / "pids.max").exists()
        self._clock: int | None = None  # open file with its processor time
        self.is_left = False

    @property
    def entry(self) -> tuple[str, ...]:
        return ("/bin/sh", "-c", ENTER, str(self.path / "cgroup.procs"))

    def bound(self, memory_mib: int, tasks: int) -> None:
        if self.counts_memory:
            self._write("memory.max", str(memory_mib * MIB))
            for name, value in (("memory.swap.max", "0"), ("memory.oom.group", "1")):
                with contextlib.suppress(FileNotFoundError):  # without swap, or an old Linux
                    self._write(name, value)
        if self.counts_tasks:
            self._write("pids.max", str(tasks))

    def enter(self, pid: int) -> bool:
        with contextlib.suppress(OSError):
            self._write("cgroup.procs", str(pid))
            return True
        return False

    def pids(self) -> list[int]:
        return [int(pid) for pid in self._read("cgroup.procs").split()]

    def threads(self) -> list[int]:
        return [int(task) for task in self._read("cgroup.threads").split()]

    # -- stopping -----------------------------------------------------------------------------

    def freeze(self) -> None:
        """Freeze the control group, and wait up to `FREEZE_S` seconds for its processes to stop."""
        deadline = time.monotonic() + FREEZE_S
        with (
            contextlib.suppress(OSError),
            open(self.path / "cgroup.events", "rb", buffering=0) as events,
        ):
            changed = select.poll()
            changed.register(events, select.POLLPRI)
            events.read()  # `poll` reports later changes
            self._write("cgroup.freeze", "1")
            while b"frozen 1" not in os.pread(events.fileno(), EVENTS_BYTES, 0):
                if (left_s := deadline - time.monotonic()) <= 0:
                    break
                changed.poll(left_s * 1000)

    def thaw(self) -> None:
        with contextlib.suppress(OSError):
            self._write("cgroup.freeze", "0")

    def kill(self) -> None:
        """Kill all processes in the control group. Don't use the control group again."""
        self.is_left = True
        if self._clock is not None:
            os.close(self._clock)
            self._clock = None
        with contextlib.suppress(OSError):  # before Linux 5.14, or it is gone
            self._write("cgroup.kill", "1")

    def remove(self) -> bool:
        try:
            remove(self.path)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return True

    # -- measuring ----------------------------------------------------------------------------

    def cpu_s(self) -> float:
        """Return the total processor time of all processes in the control group, in seconds."""
        # The file stays open, because the processor time is read after each of the bot's answers.
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
        """Return the memory usage in bytes, excluding file caches that the kernel can evict."""
        cached = self._number("memory.stat", "file") - self._number("memory.stat", "shmem")
        return max(0, int(self._read("memory.current") or 0) - cached)

    def tasks(self) -> int:
        return int(self._read("pids.current") or 0)

    @property
    def ran_out_of_memory(self) -> bool:
        return self.counts_memory and self._number("memory.events", "oom_kill") > 0

    def _number(self, name: str, key: str) -> int:
        for line in self._read(name).splitlines():
            if line.startswith(f"{key} "):
                return int(line.split()[1])
        return 0

    def _read(self, name: str) -> str:
        try:
            return (self.path / name).read_text("ascii")
        except OSError:
            return ""

    def _write(self, name: str, text: str) -> None:
        write(self.path / name, text)


def write(path: Path, text: str) -> None:
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
PREFIX = "arena-"
# The referee and its workers need a control group of their own, because the kernel doesn't allow
# processes in a control group whose children have controllers.
REFEREE = "arena-referee"
MOUNTS, OWN = Path("/proc/self/mountinfo"), Path("/proc/self/cgroup")
# Another process can delete a new control group before the group is locked.
MAX_TRIES = 3
CLEAR_S = 1.0


make, remove = os.mkdir, os.rmdir


class Home:
    """The control group that contains the control groups of all bots started by this process."""

    # The folder stays locked until this process ends: `sweep` deletes folders without a lock.

    def __init__(self, parent: Path) -> None:
        """Create a control group inside `parent`, the folder of another control group.

        Raise `OSError` if the user lacks permission.
        """
        self._owner = os.getpid()  # forks share this object
        self.path = parent / f"{PREFIX}{secrets.token_hex(8)}"
        make(self.path)
        self._lock: int | None = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        _offer(self.path)
        self._made: list[Group] = []

    @property
    def bounds_memory(self) -> bool:
        return "memory" in (self.path / "cgroup.subtree_control").read_text("ascii")

    def group(self) -> Group:
        """Create a control group for a bot, and delete earlier control groups that are now empty.

        Raise `OSError` if the system can't create another control group.
        """
        self._made = [group for group in self._made if not (group.is_left and group.remove())]
        path = self.path / secrets.token_hex(8)
        make(path)
        self._made.append(Group(path))
        return self._made[-1]

    def close(self) -> None:
        if self._lock is not None and self._owner == os.getpid():
            _clear(self.path)
            os.close(self._lock)
            self._lock = None


def own_group(mounts: str, own: str) -> Path | None:
    """Return the folder of this process's control group, or None if there is no such folder.

    `mounts` and `own` are the contents of /proc/self/mountinfo and /proc/self/cgroup.
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
    """Create a Linux control group for all bots, or return None if the user lacks permission."""
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
    """Return the control group for all bots, or None if control groups aren't available."""
    return _home_of(os.getpid())


@functools.cache
def _home_of(pid: int) -> Home | None:
    if fcntl is None:
        return None
    with contextlib.suppress(OSError):
        parent = own_group(MOUNTS.read_text("utf-8"), OWN.read_text("utf-8"))
        if parent and (home := find_home(parent)):
            atexit.register(home.close)
            return home
    return None


def sweep(parent: Path) -> None:
    """Kill bots left behind by killed arena processes, and delete their control groups."""
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
    # The kernel refuses, for example, if the control group contains processes.
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
    deadline = time.monotonic() + CLEAR_S
    Group(home).kill()
    left = list(map(Group, [path for path in (*home.iterdir(), home) if path.is_dir()]))
    while (left := [group for group in left if not group.remove()]) and time.monotonic() < deadline:
        time.sleep(0.001)
