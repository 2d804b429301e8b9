"""Bots that take more memory than they may, or seem to: numbers 90, 91 and 96."""

import select
import sys
import time
from itertools import product

import pytest

from arena.base.contracts import Bounds, SandboxSettings
from arena.process.bot_process import BotProcess
from tests.arena.levels import HOMES, Place, no_home, sandbox_settings_of
from tests.arena.playing import NEEDS_PROC, WAIT_S, code

pytestmark = [
    NEEDS_PROC,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="need Linux"),
]

BOUNDS = Bounds(memory_mib=128, processes=64)
LOOK_S = 0.02
LIBRARY = """
import ctypes, mmap, os, signal, sys
MIB = 1 << 20
def done():
    print("holds it", flush=True)
    signal.pause()
"""
MANY = "91 each of many processes has a little"
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
    MANY: """
for number in range(30):
    if os.fork() == 0:
        held = bytearray(b"x") * (24 * MIB)
        signal.pause()
done()
""",
}
HONEST = {
    "96 many processes share what they do not change": """
much = bytearray(b"x") * (60 * MIB)
for _ in range(20):
    if os.fork() == 0:
        signal.pause()
done()
""",
    "96 a file is mapped by many processes": """
file = open(sys.executable, "rb")
held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
for _ in range(20):
    if os.fork() == 0:
        held[:]
        signal.pause()
done()
""",
    "96 addresses without memory": """
libc = ctypes.CDLL(None)
libc.mmap(None, ctypes.c_size_t(1 << 40), 0, 0x22, -1, 0)
done()
""",
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
@pytest.mark.parametrize(("level", "title"), [("none", MANY), *product(["isolated"], HOGS)])
def test_counts_memory_of_all_processes(level: str, title: str, home: Place) -> None:
    with start(HOGS[title], sandbox_settings_of(level, BOUNDS), home) as bot:
        assert "memory; the limit is 128 MiB" in str(watch(bot, WAIT_S))


@pytest.mark.slow
@pytest.mark.parametrize("text", HONEST.values(), ids=HONEST)
def test_counts_shared_memory_once(text: str) -> None:
    with start(text, sandbox_settings_of("isolated", BOUNDS), no_home) as bot:
        assert watch(bot, after_s=0.5) is None
        assert bot.memory_kib() < 128 * 1024
