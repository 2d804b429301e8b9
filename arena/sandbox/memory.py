"""Measurement of the memory of a bot's processes where no control group does it, and of watches."""

import contextlib
import functools
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

MESSAGE_KIB = 64
"""What a socket may hold beyond its bound: the message that crosses it."""
_STATUS = re.compile(
    rb"^(Threads|VmSize|VmData|VmPTE|VmSwap|RssAnon|RssShmem):\s+(\d+)", re.MULTILINE
)
_SHARE = re.compile(rb"^(?:Pss_Anon|SwapPss):\s+(\d+)", re.MULTILINE)
_MAPPED = re.compile(
    r"^(\w+)-(\w+) \S+ \w+ ((\S+) \d+) +/(dev/zero|memfd:|SYSV)?.*deleted", re.MULTILINE
)
"""A mapped file that is gone, in /proc/PID/maps: its ends, its inode after its device, and what
stands for memory without a file system."""
_TCP_QUEUES = re.compile(
    r"^ *\d+: \S+:(\w+) \S+ (\w+) (\w+):(\w+) \S+ \S+ +\d+ +\d+ (\d+)", re.MULTILINE
)
"""The port and state of a socket, the bytes in its two queues, and its inode, in
/proc/PID/net/tcp."""
_UNIX = re.compile(r"^\S+ \S+ \S+ (\S+) \S+ \S+ +(\d+) (.+)", re.MULTILINE)
"""The flags, the inode and the address of a socket, in /proc/PID/net/unix."""
LISTENING_TCP, LISTENING_UNIX = "0A", "00010000"
MEMORY_DISK = re.compile(r"^\S+ \S+ (\d+):(\d+) .* - (?:tmpfs|ramfs) ", re.MULTILINE)
"""The device of a file system in memory, in /proc/PID/mountinfo."""


class Status(NamedTuple):
    """The facts of a process that the kernel tells at once."""

    tasks: int
    own_kib: int
    """Anonymous memory, also where it is swapped out or the same as another process's."""
    shared_kib: int
    """Memory that processes share on purpose."""
    elsewhere_kib: int
    """The extent of its other mappings: files, and memory that another process may have filled."""


SHARED_MEMORY = "/dev/shm/"
MAPS_BYTES = 64 * 1024
EPOLL = "anon_inode:[eventpoll]"
MAX_WATCHES = 4096
"""Watches of epolls that a bot may have. The kernel grants all bots of a user a number together,
about 80,000 for each GiB of memory."""
MAX_SENT_FILES = 16
"""Descriptors that may be on their way in a socket, where nobody sees what they are."""
_WATCH = re.compile(rb"^tfd:", re.MULTILINE)
_SENT_FILES = re.compile(rb"^scm_fds: *(\d+)", re.MULTILINE)


class OpenFiles(NamedTuple):
    """The open files of a process."""

    memory: dict[str, int]
    """The KiB of each file without a file system, by its inode."""
    sockets: frozenset[str]
    """Their inodes."""
    pipes: frozenset[str]
    files: int
    """The number of others."""
    watches: int
    """The number of watches of its epolls, counted no further than just above `MAX_WATCHES`."""
    sent_files: int
    """The most descriptors that are on their way in one of its sockets."""


def status(pid: int) -> Status | None:
    """Return the status of a process, or None if it has ended."""
    try:
        with open(f"/proc/{pid}/status", "rb", buffering=0) as file:
            found = {name: int(value) for name, value in _STATUS.findall(file.read())}
    except OSError:
        return None
    return Status(
        found.get(b"Threads", 1),
        found.get(b"RssAnon", 0) + found.get(b"VmSwap", 0) + found.get(b"VmPTE", 0),
        found.get(b"RssShmem", 0),
        found.get(b"VmSize", 0) - found.get(b"VmData", 0),
    )


def share_kib(pid: int) -> int:
    """Return its part of its anonymous memory: a page is divided among those that have it."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb", buffering=0) as file:
            return sum(map(int, _SHARE.findall(file.read())))
    except OSError:
        return 0


def mapped(pid: int) -> dict[str, int]:
    """Return the extent in KiB of each memory that it may share, by its inode.

    How much of it is filled cannot be seen: another process may have filled it and ended.
    """
    extents: dict[str, int] = {}
    with contextlib.suppress(OSError), open(f"/proc/{pid}/maps", errors="replace") as file:
        for start, end, inode, device, kind in _MAPPED.findall(file.read()):
            if kind or device in memory_disks():
                extents[inode] = extents.get(inode, 0) + (int(end, 16) - int(start, 16)) // 1024
    return extents


def mappings(pid: int) -> int:
    """Return the number of mappings of a process, of which the kernel keeps a record each."""
    number = 0
    with contextlib.suppress(OSError), open(f"/proc/{pid}/maps", "rb", buffering=0) as file:
        while part := file.read(MAPS_BYTES):
            number += part.count(b"\n")
    return number


@functools.cache
def memory_disks() -> frozenset[str]:
    """Return the devices of the file systems in memory that this process sees."""
    with contextlib.suppress(OSError):
        found = MEMORY_DISK.findall(Path("/proc/self/mountinfo").read_text("utf-8", "replace"))
        return frozenset([f"{int(major):02x}:{int(minor):02x}" for major, minor in found])
    return frozenset()


def opened(pid: int) -> OpenFiles:
    """Return what a process has open."""
    memory: dict[str, int] = {}
    sockets, pipes = set(), set()
    files = watches = sent_files = 0
    for path, link in _links(pid):
        if link.startswith(("/memfd:", SHARED_MEMORY)) or link.endswith(" (deleted)"):
            with contextlib.suppress(OSError):
                found = os.stat(path)
                device = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}"
                if link.startswith("/memfd:") or device in memory_disks():
                    memory[f"{device} {found.st_ino}"] = found.st_blocks // 2
        elif link.startswith("socket:"):
            sockets.add(link[len("socket:[") : -1])
            for sent in _SENT_FILES.findall(_information(path)):
                sent_files = max(sent_files, int(sent))
        elif link.startswith("pipe:"):
            pipes.add(link)
        else:
            files += 1
            if link == EPOLL and watches <= MAX_WATCHES:
                watches += len(_WATCH.findall(_information(path)))
    return OpenFiles(memory, frozenset(sockets), frozenset(pipes), files, watches, sent_files)


def _information(path: str) -> bytes:
    """Return what the kernel tells of an open file, whose path is /proc/PID/fd/NUMBER."""
    with (
        contextlib.suppress(OSError),
        open(path.replace("/fd/", "/fdinfo/"), "rb", buffering=0) as file,
    ):
        return file.read()
    return b""


def _links(pid: int) -> Iterator[tuple[str, str]]:
    """Yield what a process has open: its path, and the kernel's name for it."""
    with contextlib.suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):
            path = f"/proc/{pid}/fd/{name}"
            with contextlib.suppress(OSError):
                yield path, os.readlink(path)


def own_sockets(pid: int) -> int:
    """Return the number of sockets in the network of a process.

    Some may be open in no process: they wait to be accepted, or are being passed on.
    """
    with contextlib.suppress(OSError), open(f"/proc/{pid}/net/sockstat") as file:
        return int(file.readline().split()[-1])  # sockets: used 3
    return 0


@functools.cache
def socket_kib() -> int:
    """Return the most that a socket buffers, except for TCP, if its bound was not changed."""
    with contextlib.suppress(OSError):
        bound = Path("/proc/sys/net/core/wmem_default").read_text("ascii")
        return int(bound) // 1024 + MESSAGE_KIB
    return 0


def tcp_kib(pid: int, inodes: frozenset[str] | set[str] | None) -> int:
    """Return what TCP sockets in the network of a process buffer.

    These are the sockets with the given inodes, and those that wait to be accepted by them; None
    stands for all.
    """
    queued = 0
    for name in ("tcp", "tcp6"):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/net/{name}") as file:
            found = _TCP_QUEUES.findall(file.read())
            ports = {
                port
                for port, state, _, _, inode in found
                if inodes and inode in inodes and state == LISTENING_TCP
            }
            for port, _, sent, received, inode in found:
                if inodes is None or inode in inodes or port in ports:
                    queued += int(sent, 16) + int(received, 16)
    return queued // 1024


def waiting_sockets(pid: int, inodes: set[str]) -> int:
    """Return the number of sockets of AF_UNIX that wait to be accepted by one of `inodes`."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/net/unix", errors="replace") as file:
        found = _UNIX.findall(file.read())
        ours = {
            address
            for flags, inode, address in found
            if inode in inodes and flags == LISTENING_UNIX
        }
        return sum([inode == "0" and address in ours for _, inode, address in found])
    return 0


def files_kib(pid: int) -> int:
    """Return what the files in the /tmp of a process take, if it is not ours."""
    with contextlib.suppress(OSError):
        place = f"/proc/{pid}/root/tmp"
        if os.stat(place).st_dev != os.stat("/tmp").st_dev:
            size = os.statvfs(place)
            used_kib = (size.f_blocks - size.f_bfree) * size.f_frsize // 1024
            return used_kib + size.f_files - size.f_ffree
    return 0


PIPE_KIB = 64
"""The most that a pipe holds, unless it was enlarged."""
FILE_KIB = 1.25
"""The memory of the kernel for another open file."""
WATCH_KIB = 0.25
"""The memory of the kernel for a watch of an epoll."""
TASK_KIB = 24
"""The memory of the kernel for a thread: its stack and its state."""
MAPPING_KIB = 0.25
"""The memory of the kernel for a mapping."""
MAX_MAPPINGS = 131_072
"""Mappings that a bot may have, in two full processes: more are not counted quickly enough."""
COUNT_S = 1.0
"""The time between two counts of the mappings of a process, which take long."""
TCP_KIB = 16 * 1024
"""More than a TCP socket buffers, as an estimate before the queues are read."""
COST_SHARE = 0.1
"""The part of the time that measurements may take, by processor time. On a busy machine a
measurement may have to wait, which is no reason to put off the next one."""
SLICE_S = 0.005
"""The processor time after which a measurement leaves the other processes to the next one."""

MAX_MIXED = 10
"""Measurements in a row with old and new shares before these are believed."""

SeenT = TypeVar("SeenT")


class Use(NamedTuple):
    """The use of processes together."""

    memory_kib: int
    tasks: int
    """Processes and threads."""
    watches: int = 0
    """The number of watches of their epolls."""
    sent_files: int = 0
    """The most descriptors that are on their way in one socket."""
    mappings: int = 0
    """Parts of their memory of which the kernel keeps a record each."""


class MemoryMeter:
    """Measures the memory of changing processes, in a limited part of the time.

    What a process maps is quickly known. What it has open, and which of its pages others have too,
    is only asked for where it matters. What takes long is spread over several measurements.
    """

    def __init__(
        self,
        is_contained: bool = False,
        now: Callable[[], float] = time.perf_counter,
        busy: Callable[[], float] = time.thread_time,
    ) -> None:
        """Make a meter.

        Args:
            is_contained: whether the processes have a network and a /tmp of their own.
            now: the clock that tells when the next measurement is due.
            busy: the clock that tells what a measurement costs, in processor time.
        """
        self._is_contained = is_contained
        self._now = now
        self._busy = busy
        self._due = 0.0
        self._last = Use(0, 0)
        self._statuses: dict[int, Status | None] = {}
        self._opened: dict[int, OpenFiles] = {}
        self._mapped: dict[int, dict[str, int]] = {}
        self._shares: dict[int, int] = {}
        self._mappings: dict[int, int] = {}
        self._count_due = 0.0
        self._fresh: set[int] = set()  # whose shares were measured since they seemed too much
        self._mixed = 0  # measurements since

    def measure(self, pids: Callable[[], Iterable[int]], bound_mib: int | None) -> Use:
        """Return what the processes use, or what they used when it was last measured.

        Memory within the bound may be counted too low. With None as the bound, only what they have
        open is looked at, and no memory and no tasks are counted.
        """
        now = self._now()
        if now >= self._due:
            begun = self._busy()
            found = list(pids())
            if bound_mib is None:
                self._opened = self._refresh(self._opened, found, opened)
                self._count_mappings(found)
                self._last = self._with_opened(Use(0, 0))
            else:
                self._last = self._with_opened(self._measure(found, bound_mib * 1024))
            self._due = now + (self._busy() - begun) / COST_SHARE
        return self._last

    def _with_opened(self, use: Use) -> Use:
        """Return what is used, with what was seen of epolls and sockets."""
        seen = self._opened.values()
        watches = sum([files.watches for files in seen])
        return use._replace(
            watches=watches,
            sent_files=max([files.sent_files for files in seen], default=0),
            mappings=sum(self._mappings.values()),
        )

    def _measure(self, pids: Sequence[int], bound_kib: int) -> Use:
        self._statuses = self._refresh(self._statuses, pids, status)
        found = {pid: one for pid in pids if (one := self._statuses.get(pid))}
        tasks = sum([seen.tasks for seen in found.values()])
        kib = max([seen.own_kib + seen.shared_kib for seen in found.values()], default=0)
        if found and kib <= bound_kib:
            kib = max(kib, self._look(found, bound_kib))
        return Use(kib, tasks)

    def _look(self, found: dict[int, Status], bound_kib: int) -> int:
        """Return what the processes hold together."""
        self._opened = self._refresh(self._opened, found, opened)
        own_kib = sum([seen.own_kib for seen in found.values()])
        held_kib = sum([seen.tasks for seen in found.values()]) * TASK_KIB
        self._count_mappings(found)
        held_kib += int(sum(self._mappings.values()) * MAPPING_KIB)
        held_kib += self._open_kib(found, bound_kib - own_kib - held_kib)
        memory: dict[str, int] = {}
        if held_kib + own_kib + sum([seen.elsewhere_kib for seen in found.values()]) > bound_kib:
            self._mapped = self._refresh(self._mapped, found, mapped)
            for extents in self._mapped.values():
                memory |= {inode: max(kib, memory.get(inode, 0)) for inode, kib in extents.items()}
        for files in self._opened.values():
            memory |= files.memory  # of these, what is filled is known
        held_kib += sum(memory.values())
        if held_kib + own_kib > bound_kib and len(found) > 1:
            self._shares = self._refresh(self._shares, found, self._look_at_share)
            own_kib = sum(self._shares.values())
            if held_kib + own_kib > bound_kib and self._is_mixed(found):
                return held_kib + max([seen.own_kib for seen in found.values()])
        self._fresh.clear()
        return held_kib + own_kib

    def _count_mappings(self, found: Iterable[int]) -> None:
        """Count the mappings of new processes, and those of all from time to time."""
        now = self._now()
        if is_due := now >= self._count_due:
            self._count_due = now + COUNT_S
        self._mappings = self._refresh(self._mappings, found, mappings, only_new=not is_due)

    def _look_at_share(self, pid: int) -> int:
        self._fresh.add(pid)
        return share_kib(pid)

    def _is_mixed(self, found: Iterable[int]) -> bool:
        """Return whether some shares were measured before too much was seen.

        Processes that have been forked since make those smaller. It is no reason for more than
        `MAX_MIXED` measurements in a row: a bot may fork all the time.
        """
        self._mixed = 0 if self._fresh.issuperset(found) else (self._mixed + 1) % MAX_MIXED
        return self._mixed > 0

    def _open_kib(self, found: dict[int, Status], left_kib: int) -> int:
        """Return what the kernel holds for open files. If that may exceed `left_kib`, ask for the
        queues of TCP sockets.
        """
        seen = self._opened.values()
        sockets: set[str] = set().union(*[files.sockets for files in seen])
        pipes: set[str] = set().union(*[files.pipes for files in seen])
        kib = len(pipes) * PIPE_KIB + int(sum([files.files for files in seen]) * FILE_KIB)
        kib += int(sum([files.watches for files in seen]) * WATCH_KIB)
        last = next(reversed(found))  # the first are outside of the sandbox
        number = len(sockets)
        if self._is_contained:
            kib += files_kib(last)
            number = max(number, own_sockets(last))
        elif sockets:
            number += waiting_sockets(last, sockets)
        kib += number * socket_kib()
        if number and (kib + number * TCP_KIB > left_kib or not self._is_contained):
            kib += tcp_kib(last, None if self._is_contained else sockets)
        return kib

    def _refresh(
        self,
        seen: dict[int, SeenT],
        found: Iterable[int],
        look: Callable[[int], SeenT],
        only_new: bool = False,
    ) -> dict[int, SeenT]:
        """Return what is seen of the processes: first of new ones, then of those seen first."""
        begun = self._busy()
        living = set(found)
        known = {pid: what for pid, what in seen.items() if pid in living}
        for pid in [*[pid for pid in found if pid not in known], *(() if only_new else known)]:
            known.pop(pid, None)
            known[pid] = look(pid)
            if self._busy() - begun > SLICE_S:
                break
        return known
