"""Bots that hold more memory than they may, where it is hard to see: numbers 90 to 96, 112, 113.

Numbers 110 and 111 hold what the kernel grants a user, and so all bots together.

Each holds about 700 MiB, or what the sandbox lets it hold, where 128 MiB are allowed. The honest
ones at the end hold less than it seems.
"""

import select
import sys
import time

import pytest

from arena.contracts import Bounds, SandboxSettings
from arena.process.bot_process import BotProcess
from tests.arena.levels import HOMES, WALLED, Place, play_one, sandbox_settings_of
from tests.arena.playing import NEEDS_PROC, WAIT_S, children, code, plug_in

pytestmark = [
    NEEDS_PROC,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="need Linux"),
]

BOUNDS = Bounds(memory_mib=128, processes=64)
LOOK_S = 0.02
LIBRARY = """
import ctypes, mmap, os, signal, socket, sys, time
MIB = 1 << 20
def done():
    print("holds it", flush=True)
    signal.pause()
def fill(write):
    try:
        while True:
            write(bytes(65536))
    except BlockingIOError:
        pass
"""
HOGS = {
    "90 a child of a child has it": """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        held = [bytearray(b"x") * (10 * MIB) for _ in range(20)]
        done()
    os._exit(0)
signal.pause()
""",
    "91 each of many processes has a little": """
for number in range(30):
    if os.fork() == 0:
        held = bytearray(b"x") * (24 * MIB)
        signal.pause()
done()
""",
    "92 a child has filled shared memory and ended": """
shared = mmap.mmap(-1, 700 * MIB)
for start in range(0, 700 * MIB, 100 * MIB):
    if os.fork() == 0:
        for page in range(start, start + 100 * MIB, 4096):
            shared[page] = 1
        os._exit(0)
    os.wait()
done()
""",
    "93 page tables of memory that was only read": """
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
size = 100 << 30
start = libc.mmap(None, ctypes.c_size_t(size), 1, 0x4022, -1, 0)
for place in range(0, size, 2 * MIB):
    ctypes.c_char.from_address(start + place).value
done()
""",
    "94 the buffers of sockets": """
for _ in range(10):
    if os.fork() == 0:
        held = []
        try:
            while True:
                held += socket.socketpair()
                for end in held[-2:]:
                    end.setblocking(False)
                    fill(end.send)
        except OSError:
            pass
        signal.pause()
done()
""",
    "112 the kernel's records of many mappings": """
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
start = libc.mmap(None, ctypes.c_size_t(1 << 30), 0, 0x4022, -1, 0)
for place in range(0, 64_000 * 4096, 8192):
    libc.mprotect(start + place, 4096, 1)
for _ in range(25):
    if os.fork() == 0:
        signal.pause()
done()
""",
    "95 sockets that wait to be accepted": """
server = socket.socket(socket.AF_UNIX)
server.bind("\\0waiting")
server.listen(4096)
held = 0
try:
    while held < 700 * MIB:
        with socket.socket(socket.AF_UNIX) as client:
            client.setblocking(False)
            client.connect("\\0waiting")
            while True:
                try:
                    held += client.send(bytes(65536))
                except BlockingIOError:
                    break
except OSError:
    pass
done()
""",
}
SHARED = {
    "113 files of shared memory that are gone": """
held = []
for number in range(40):
    name = f"/dev/shm/arena-test-{os.getpid()}-{number}"
    held.append(os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    os.unlink(name)
    os.write(held[-1], bytes(15 * MIB))
done()
""",
    "113 they are mapped, and closed": """
held = []
for number in range(40):
    name = f"/dev/shm/arena-test-{os.getpid()}-{number}"
    file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    os.unlink(name)
    os.write(file, bytes(15 * MIB))
    held.append(ctypes.CDLL(None).mmap(None, 15 * MIB, 1, 1, file, 0))
    os.close(file)
done()
""",
}
"""At `isolated`, /dev/shm is small."""
WATCHES = {
    "110 the watches of the user": (
        "files by epoll; 4096 are allowed",
        """
import select
watched, epolls = os.pipe()[0], [select.epoll() for _ in range(60)]
for number in range(100, 250):
    os.dup2(watched, number)
    for epoll in epolls:
        epoll.register(number)
done()
""",
    ),
    "111 descriptors that nobody sees": (
        "had 20 open files on the way in a socket; 16 are allowed",
        """
ours, theirs = socket.socketpair()
socket.send_fds(ours, [b"x"], [0] * 20)
done()
""",
    ),
}


def start(text: str, sandbox: SandboxSettings, home: Place) -> BotProcess:
    home()
    return BotProcess(code("anna", LIBRARY + text), sandbox=sandbox, home=home)


def watch(bot: BotProcess, after_s: float) -> str | None:
    """Return the excess of a bot, or None if it has none until `after_s` after it holds all."""
    deadline, lines = time.monotonic() + WAIT_S, 0
    while time.monotonic() < deadline:
        if excess := bot.excess():
            return excess
        if select.select([bot.stdout], [], [], LOOK_S)[0]:
            came = bot.read_lines()
            if came is None:  # the system has ended it
                return bot.exit_text()
            lines += len(came)
            if lines:
                deadline = min(deadline, time.monotonic() + after_s)
    return None


@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("level", WALLED)
@pytest.mark.parametrize("text", HOGS.values(), ids=HOGS)
def test_memory_counts_wherever_it_is_held(text: str, level: str, home: Place) -> None:
    with start(text, sandbox_settings_of(level, BOUNDS), home) as bot:
        assert "memory" in str(watch(bot, WAIT_S))


@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("text", SHARED.values(), ids=SHARED)
def test_shared_memory_of_the_machine_counts_while_a_bot_has_it(text: str, home: Place) -> None:
    with start(text, sandbox_settings_of("limits", BOUNDS), home) as bot:
        assert "memory" in str(watch(bot, WAIT_S))


@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("level", WALLED)
@pytest.mark.parametrize(("expected", "text"), WATCHES.values(), ids=WATCHES)
def test_what_the_kernel_grants_a_user_is_counted(
    text: str, expected: str, level: str, home: Place
) -> None:
    with start(text, sandbox_settings_of(level), home) as bot:
        assert expected in str(watch(bot, WAIT_S))


SPENDS_WATCHES = """
import json, os, select, signal, sys
print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
for line in sys.stdin:
    if json.loads(line)["type"] != "turn":
        continue
    for _ in range(12):
        if os.fork() == 0:
            watched = [os.pipe()[0] for _ in range(40)]
            epolls = [select.epoll() for _ in range(40)]
            for number in range(130, 250):
                for pipe in watched:
                    os.dup2(pipe, number)
                    for epoll in epolls:
                        epoll.register(number)
            signal.pause()
"""
USES_ASYNCIO = """
import asyncio, json, os, sys
print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "turn":
        asyncio.run(asyncio.sleep(0))
        answer = {"type": "act", "table": message["table"], "turn": message["turn"]}
        print(json.dumps(answer | {"action": message["legal"][0]}), flush=True)
"""


@pytest.mark.parametrize("level", WALLED)
def test_a_bot_that_spends_watches_is_the_only_one_charged(level: str) -> None:
    """Number 110: up to 2 million watches, beside a bot that needs some for each decision."""
    bots = code("anna", SPENDS_WATCHES), code("ben", USES_ASYNCIO)
    with plug_in():
        record = play_one(*bots, sandbox=sandbox_settings_of(level))
    (fault,) = record.faults
    assert (fault.kind, fault.seat) == ("crash", 0)
    assert "by epoll" in fault.text
    assert not children()


HONEST = {
    "many processes share what they do not change": """
much = bytearray(b"x") * (60 * MIB)
for _ in range(20):
    if os.fork() == 0:
        signal.pause()
done()
""",
    "a file is mapped by many processes": """
file = open(sys.executable, "rb")
held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
for _ in range(20):
    if os.fork() == 0:
        held[:]
        signal.pause()
done()
""",
    "some sockets, pipes, files and threads": """
import threading
held = [socket.socketpair() for _ in range(20)], [os.pipe() for _ in range(20)]
opened = [open(sys.executable) for _ in range(50)]
for _ in range(20):
    threading.Thread(target=signal.pause, daemon=True).start()
done()
""",
    "addresses without memory": """
libc = ctypes.CDLL(None)
libc.mmap(None, ctypes.c_size_t(1 << 40), 0, 0x22, -1, 0)
done()
""",
}


@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("level", WALLED)
@pytest.mark.parametrize("text", HONEST.values(), ids=HONEST)
def test_what_is_shared_or_empty_counts_once_or_not(text: str, level: str, home: Place) -> None:
    """Number 96 is an honest bot: its memory seems to be more than it is."""
    with start(text, sandbox_settings_of(level, BOUNDS), home) as bot:
        assert watch(bot, after_s=0.5) is None
        used = bot.usage()
        assert used
        assert used.memory_kib < 128 * 1024
