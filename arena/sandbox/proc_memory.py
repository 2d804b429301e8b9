"""What a process holds of the memory, as /proc tells it."""

import contextlib
import functools
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MESSAGE_KIB = 64
"""What a socket buffers beyond its bound: the message that reaches it."""
_STATUS = re.compile(
    rb"^(Threads|VmSize|VmData|VmPTE|VmSwap|RssAnon|RssShmem):\s+(\d+)", re.MULTILINE
)
_SHARE = re.compile(rb"^(?:Pss_Anon|SwapPss):\s+(\d+)", re.MULTILINE)
_MAPPED = re.compile(
    r"^(\w+)-(\w+) ...s \w+ (\S+ \d+) +/(?:dev/zero|memfd:|SYSV).*deleted", re.MULTILINE
)
"""Memory without a file that processes may share, in /proc/PID/maps: its ends, and its inode."""
_TCP_QUEUES = re.compile(r"^ *\d+: \S+ \S+ \S+ (\w+):(\w+) \S+ \S+ +\d+ +\d+ (\d+)", re.MULTILINE)
"""The bytes in the two queues of a socket, and its inode, in /proc/PID/net/tcp."""


class Status(NamedTuple):
    """What the kernel says at once of a process."""

    tasks: int
    own_kib: int
    """Anonymous memory, also where it is swapped out or the same as another process's."""
    shared_kib: int
    """Memory that processes share on purpose."""
    elsewhere_kib: int
    """The extent of its other mappings: files, and memory that another process may have filled."""


EPOLL = "anon_inode:[eventpoll]"
MAX_WATCHES = 4096
"""Watches of epolls that a bot may have. The kernel grants all bots of a user a number together,
about 80,000 for each GiB of memory."""
MAX_SENT_FILES = 16
"""Descriptors that may be on their way in a socket, where nobody sees what they are."""
_WATCH = re.compile(rb"^tfd:", re.MULTILINE)
_SENT_FILES = re.compile(rb"^scm_fds: *(\d+)", re.MULTILINE)


class Opened(NamedTuple):
    """What a process has open."""

    memory: dict[str, int]
    """The KiB of each file without a file system, by its inode."""
    sockets: frozenset[str]
    """Their inodes."""
    pipes: frozenset[str]
    files: int
    """The number of others."""
    watches: int
    """What its epolls watch. It is counted no further than just above `MAX_WATCHES`."""
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
        for start, end, inode in _MAPPED.findall(file.read()):
            extents[inode] = extents.get(inode, 0) + (int(end, 16) - int(start, 16)) // 1024
    return extents


def opened(pid: int) -> Opened:
    """Return what a process has open."""
    memory: dict[str, int] = {}
    sockets, pipes = set(), set()
    files = watches = sent_files = 0
    for path, link in _links(pid):
        if link.startswith("/memfd:"):
            with contextlib.suppress(OSError):
                found = os.stat(path)
                device = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}"
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
    return Opened(memory, frozenset(sockets), frozenset(pipes), files, watches, sent_files)


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

    These are the sockets with the given inodes; None stands for all.
    """
    queued = 0
    for name in ("tcp", "tcp6"):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/net/{name}") as file:
            for sent, received, inode in _TCP_QUEUES.findall(file.read()):
                if inodes is None or inode in inodes:
                    queued += int(sent, 16) + int(received, 16)
    return queued // 1024


def files_kib(pid: int) -> int:
    """Return what the files in the /tmp of a process take, if it is not ours."""
    with contextlib.suppress(OSError):
        place = f"/proc/{pid}/root/tmp"
        if os.stat(place).st_dev != os.stat("/tmp").st_dev:
            size = os.statvfs(place)
            used_kib = (size.f_blocks - size.f_bfree) * size.f_frsize // 1024
            return used_kib + size.f_files - size.f_ffree
    return 0
