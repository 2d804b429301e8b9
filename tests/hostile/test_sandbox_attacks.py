"""Attacks on the sandbox by programs of our own (`attacks.toml`): numbers 70 to 83
107 to 109, 114 and 115.

Each program prints `did it` if its attack succeeds, else the error that it got. All are tried at
`isolated`; those that `limits` denies too are tried there. `none` shows that the attack is one.
"""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from arena.base.contracts import Bounds, SandboxSettings
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


class Attack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


_TABLE = tomllib.loads(Path(__file__).with_name("attacks.toml").read_text("utf-8"))
ATTACKS = msgspec.convert(_TABLE["attack"], list[Attack])
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
