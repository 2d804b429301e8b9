"""Attacks on the sandbox by programs of our own: numbers 70 to 83
107 to 109, 114 and 115.

Each program prints `did it` if its attack succeeds, else the error that it got. All are tried at
`isolated`; those that `limits` denies too are tried there. `none` shows that the attack is one.
"""

import sys
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from arena.contracts import Bounds, SandboxSettings
from tests.arena.levels import TRIES, answer, code, play_one, read, sandbox_settings_of, start
from tests.arena.playing import NEEDS_PROC, first, plug_in

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="need Linux")


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with plug_in():
        yield


LIBRARY = """
import ctypes, errno, fcntl, mmap, os, platform, signal, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
ARM = platform.machine() == "aarch64"

def call(numbers, *words):
    if libc.syscall(numbers[ARM], *words) == -1:
        raise OSError(ctypes.get_errno(), "denied")

def check(result):
    if result == -1:
        raise OSError(ctypes.get_errno(), "denied")
    return result

def mapped(path):
    file = open(path, "rb")
    libc.mmap.restype = ctypes.c_void_p
    return ctypes.c_void_p(libc.mmap(None, 4096, 1, 1, file.fileno(), 0))

SH = open("/bin/sh", "rb")
"""


class Attack(NamedTuple):
    """A program that tries what a bot must not do."""

    number: int
    title: str
    does: str
    error: str
    """The error that it gets."""
    limits: bool = False
    """Whether the level `limits` denies it too."""
    shows: bool = True
    """Whether it succeeds without a sandbox, on any system, and harms nothing there."""

    @property
    def program(self) -> str:
        """Its text."""
        does = self.does.strip().replace("\n", "\n    ")
        return LIBRARY + TRIES.format(does)


EPERM, ENOSYS = "PermissionError", "OSError"
ATTACKS = [
    Attack(
        70,
        "traces the first process of the sandbox",
        "check(libc.ptrace(16, os.getppid(), None, None))",
        EPERM,
        limits=True,
        shows=False,  # it would stop the tests
    ),
    Attack(
        70,
        "reads the memory of the first process of the sandbox",
        "word, there = ctypes.create_string_buffer(8), ctypes.c_void_p(1 << 16)\n"
        "here = (ctypes.c_void_p * 2)(ctypes.addressof(word), 8)\n"
        "call((310, 270), os.getppid(), here, 1, (ctypes.c_void_p * 2)(1 << 16, 8), 1, 0)",
        EPERM,
        limits=True,
        shows=False,
    ),
    Attack(
        70,
        "writes to the memory of the first process of the sandbox",
        "os.open('/proc/1/mem', os.O_RDWR)",
        ENOSYS,  # a file system that cannot be written to
        shows=False,
    ),
    Attack(71, "leaves its core", "os.sched_setaffinity(0, os.sched_getaffinity(0))", EPERM, True),
    Attack(
        71,
        "gives its time away, to be excused",
        "os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))",
        EPERM,
        limits=True,
    ),
    Attack(71, "lowers its priority", "os.setpriority(os.PRIO_PROCESS, 0, 1)", EPERM, True),
    Attack(72, "holds memory in a memfd", "os.memfd_create('x')", ENOSYS, limits=True),
    Attack(
        72,
        "holds memory in shared memory of System V",
        "libc.shmctl(check(libc.shmget(0, 4096, 0o600)), 0, None)",
        ENOSYS,
        limits=True,
    ),
    Attack(
        72,
        "holds memory in a message queue of System V",
        "libc.msgctl(check(libc.msgget(0, 0o600)), 0, None)",
        ENOSYS,
        limits=True,
    ),
    Attack(
        72,
        "holds memory in a POSIX message queue",
        "check(libc.mq_open(b'/arena-test', 0o102, 0o600, None))",
        ENOSYS,
        limits=True,
        shows=False,
    ),
    Attack(
        72,
        "hides from those who count its memory",
        "check(libc.prctl(4, 0, 0, 0, 0))",
        EPERM,
        limits=True,
    ),
    Attack(
        73,
        "holds memory in 300,000 files",
        "for number in range(300_000):\n"
        "    os.close(os.open(f'/tmp/{number}', os.O_CREAT | os.O_WRONLY))",
        "OSError",
        shows=False,
    ),
    Attack(74, "sees the keys of the organiser", "open('/proc/keys').read()", EPERM, shows=False),
    Attack(
        74,
        "keeps notes in a key",
        "call((248, 217), b'user', b'arena-test', b'x', 1, -2)",  # the keyring of its process
        EPERM,
        limits=True,
        shows=False,  # a container may deny it
    ),
    Attack(74, "reads the session keyring", "call((250, 219), 0, -3, 0)", EPERM, True, shows=False),
    Attack(75, "locks a shared file (flock)", "fcntl.flock(SH, fcntl.LOCK_SH)", EPERM),
    Attack(
        75,
        "locks a shared file (fcntl)",
        "fcntl.lockf(SH, fcntl.LOCK_SH | fcntl.LOCK_NB, 1)",
        EPERM,
    ),
    Attack(
        75,
        "locks a shared file (open file description)",
        "fcntl.fcntl(SH, 37, struct.pack('hhqqi4x', fcntl.F_RDLCK, 0, 0, 1, 0))",
        EPERM,
    ),
    Attack(
        75,
        "asks for a lock on a shared file",
        "fcntl.fcntl(SH, fcntl.F_GETLK, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 0, 1, 0))",
        EPERM,
    ),
    Attack(
        75, "takes a lease of a shared file", "fcntl.fcntl(SH, 1024, 0)", "OSError", shows=False
    ),
    Attack(
        75,
        "leaves a hint at a shared file",
        "fcntl.fcntl(SH, 1035, bytes(8))\nfcntl.fcntl(SH, 1036, bytes(8))",
        "OSError",
        shows=False,  # a user may leave none at files of root
    ),
    Attack(76, "watches a shared file", "check(libc.inotify_init())", ENOSYS, limits=True),
    Attack(
        76,
        "is told of changes in a shared folder",
        "fcntl.fcntl(os.open('/usr/bin', os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS)",
        "OSError",
        shows=False,
    ),
    Attack(
        77,
        "asks which pages of a file are in memory (mincore)",
        "check(libc.mincore(mapped('/bin/sh'), 4096, ctypes.create_string_buffer(1)))",
        ENOSYS,
    ),
    Attack(
        77,
        "asks which pages of a file are in memory (cachestat)",
        "call((451, 451), SH.fileno(), bytes(16), ctypes.create_string_buffer(40), 0)",
        ENOSYS,
        shows=False,  # since Linux 6.5
    ),
    Attack(
        77,
        "asks which pages of a file are in memory (RWF_NOWAIT)",
        "os.preadv(SH.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)",
        "OSError",
        shows=False,  # the page may not be in memory
    ),
    Attack(
        77,
        "moves a file out of memory (fadvise)",
        "os.posix_fadvise(SH.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)",
        ENOSYS,
    ),
    Attack(
        77,
        "moves a file out of memory (madvise)",
        "check(libc.madvise(mapped('/bin/sh'), 4096, 21))",
        "OSError",
        shows=False,  # since Linux 5.4
    ),
    Attack(
        78,
        "talks to the hypervisor",
        "socket.socket(40, socket.SOCK_STREAM)",
        "OSError",
        shows=False,
    ),
    Attack(
        78, "opens a netlink socket", "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)", "OSError"
    ),
    Attack(
        79,
        "makes a user namespace (clone3)",
        "flags = struct.pack('8Q', 1 << 28, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)\n"
        "call((435, 435), flags, len(flags))",
        ENOSYS,
        limits=True,
        shows=False,
    ),
    Attack(
        79,
        "makes a user namespace (clone)",
        "call((56, 220), 1 << 28 | signal.SIGCHLD, 0, 0, 0, 0)",
        EPERM,
        limits=True,
        shows=False,
    ),
    Attack(
        80,
        "counts the open files of the machine",
        "open('/proc/sys/fs/file-nr').read()",
        "FileNotFoundError",
    ),
    Attack(
        81,
        "sets a timer that wakes it up when it is stopped",
        "event = struct.pack('qii48x', 0, signal.SIGCONT, 0)\n"
        "call((222, 107), 1, event, ctypes.create_string_buffer(8))",
        ENOSYS,
        limits=True,
    ),
    Attack(
        82,
        "opens 300 files at a time",
        "opened = [os.open('/dev/null', os.O_RDONLY) for _ in range(300)]",
        "OSError",
        limits=True,
        shows=False,
    ),
    Attack(
        107,
        "pins pages in a pipe (vmsplice)",
        "page = (ctypes.c_char * 4096)()\n"
        "place = (ctypes.c_void_p * 2)(ctypes.addressof(page), 4096)\n"
        "call((278, 75), os.pipe()[1], place, 1, 0)",
        ENOSYS,
        limits=True,
    ),
    Attack(
        107,
        "makes a pipe large",
        "fcntl.fcntl(os.pipe()[1], 1031, 1 << 17)",
        "OSError",
        limits=True,
        shows=False,  # the user may have many pipes already
    ),
    Attack(
        107,
        "pins pages in a socket",
        "socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, 60, 1)",
        EPERM,
        limits=True,
        shows=False,  # since Linux 6.?, for some sockets only
    ),
    Attack(
        108,
        "has a thread with descriptors of its own (close_range)",
        "call((436, 436), 1000, 1000, 2)",
        "OSError",
        limits=True,
    ),
    Attack(
        108,
        "has a thread with descriptors of its own (unshare)",
        "check(libc.unshare(0x400))",
        EPERM,
        limits=True,
    ),
    Attack(
        114,
        "keeps datagrams of senders that are gone",
        "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)",
        "OSError",
        limits=True,
    ),
    Attack(
        115,
        "keeps pages of a file in a pipe (splice)",
        "call((275, 76), SH.fileno(), None, os.pipe()[1], None, 1, 0)",
        ENOSYS,
        limits=True,
    ),
    Attack(
        115,
        "keeps pages of a file in a socket (sendfile)",
        "ends = socket.socketpair()\nos.sendfile(ends[0].fileno(), SH.fileno(), 0, 1)",
        ENOSYS,
        limits=True,
    ),
    Attack(
        109,
        "takes a pseudo-terminal of the machine",
        "os.openpty()",
        "FileNotFoundError",
    ),
]
TRIED_AT = [
    (level, attack)
    for attack in ATTACKS
    for level, tries in (("limits", attack.limits), ("isolated", True))
    if tries
]
SHOWN = [attack for attack in ATTACKS if attack.shows]


def named(value: object) -> str | None:
    """Return the name of a case for the report."""
    return f"{value.number} {value.title}" if isinstance(value, Attack) else None


@pytest.mark.parametrize(("level", "attack"), TRIED_AT, ids=named)
def test_a_sandbox_denies_the_attack(level: str, attack: Attack) -> None:
    assert answer(attack.program, sandbox_settings_of(level)) == attack.error


@pytest.mark.parametrize("attack", SHOWN, ids=named)
def test_the_attack_succeeds_without_a_sandbox(attack: Attack) -> None:
    assert answer(attack.program, SandboxSettings()) == "did it"


# -- what two bots could say to each other -----------------------------------------------------

HOLDS_A_LOCK = """
import fcntl, signal
file = open("/bin/sh", "rb")
try:
    fcntl.flock(file, fcntl.LOCK_EX)
except OSError:
    pass
print("here", flush=True)
signal.pause()
"""
SEES_THE_LOCK = """
import fcntl
try:
    fcntl.flock(open("/bin/sh", "rb"), fcntl.LOCK_SH | fcntl.LOCK_NB)
    print("no other bot")
except BlockingIOError:
    print("another bot")
except OSError:
    print("nothing")
"""


@pytest.mark.parametrize(("level", "seen"), [("none", "another bot"), ("isolated", "nothing")])
def test_a_bot_does_not_see_the_lock_of_another(level: str, seen: str) -> None:
    """Number 75: at `isolated`, a bot that sees a lock knows that a rotation is under way."""
    sandbox = sandbox_settings_of(level)
    with start(HOLDS_A_LOCK, sandbox) as holder:
        assert read(holder) == ["here"]
        assert answer(SEES_THE_LOCK, sandbox) == seen


# -- what is held in many places ---------------------------------------------------------------

LIMITS_OF_FIRST = """
with open("/proc/1/limits") as file:
    first = file.read()
with open("/proc/self/limits") as file:
    mine = file.read()
different = {one.partition("  ")[0] for one in set(first.split("\\n")) ^ set(mine.split("\\n"))}
print(*sorted(different))
"""


def test_the_first_process_inside_has_the_limits_of_the_bot() -> None:
    """All but the number of processes, which counts for the user outside."""
    assert answer(LIMITS_OF_FIRST, sandbox_settings_of("isolated")) == "Max processes"


FILLS_SOCKETS = """
import os, signal, socket
held = []
try:
    while True:
        held += socket.socketpair()
        held[-1].setblocking(False)
        try:
            while True:
                held[-1].send(bytes(65536))
        except BlockingIOError:
            pass
except OSError:
    pass
"""
PLAYS = """
import json
print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
input(), input(), input()
"""


@NEEDS_PROC
def test_memory_in_sockets_of_many_processes_is_a_fault() -> None:
    """Number 83: the sockets of a process are limited, and those of a bot are counted."""
    sandbox = sandbox_settings_of("isolated", Bounds(memory_mib=200))
    text = FILLS_SOCKETS.replace("held = []", "held = []\nfor _ in range(3): os.fork()")
    record = play_one(code("anna", PLAYS + text + "signal.pause()"), first("ben"), sandbox=sandbox)
    (fault,) = record.faults
    assert (fault.kind, fault.seat) == ("crash", 0)
    assert "MiB of memory; 200 MiB are allowed" in fault.text


def test_one_process_holds_little_in_connections() -> None:
    """Each TCP connection could hold 5 MiB; now 250 sockets hold less than 32 MiB."""
    text = """
import socket
server = socket.create_server(("127.0.0.1", 0), backlog=200)
pairs, held = [], 0
try:
    while True:
        pairs.append((socket.create_connection(server.getsockname()), server.accept()[0]))
except OSError:
    pass
for pair in pairs:
    for end in pair:
        end.setblocking(False)
        try:
            while True:
                held += end.send(bytes(1 << 20))
        except BlockingIOError:
            pass
print(len(pairs), held >> 20)
"""
    pairs, held_mib = map(int, answer(text, sandbox_settings_of("isolated")).split())
    assert pairs > 100
    assert held_mib < 32
