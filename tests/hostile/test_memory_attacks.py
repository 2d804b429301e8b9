"""Bots that hold more memory than they may, where it is hard to see: numbers 90 to 96, 112.

Numbers 110 and 111 hold what the kernel grants a user, and so all bots together.

The programs are in `memory.toml`; the honest ones at the end hold less than it seems.
"""

import select
import sys
import time
import tomllib
from pathlib import Path

import pytest

from arena.base.contracts import Bounds, SandboxSettings
from arena.process.bot_process import BotProcess
from tests.arena.levels import (
    HOMES,
    Place,
    play_one,
    sandbox_settings_of,
)
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
_TABLE = tomllib.loads(Path(__file__).with_name("memory.toml").read_text("utf-8"))
HOGS, HONEST = ({row["title"]: row["does"] for row in _TABLE[kind]} for kind in ("hogs", "honest"))
WATCHES = {row["title"]: (row["expected"], row["does"]) for row in _TABLE["watches"]}


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


@pytest.mark.slow
@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("text", HOGS.values(), ids=HOGS)
def test_memory_counts_wherever_it_is_held(text: str, home: Place) -> None:
    with start(text, sandbox_settings_of("isolated", BOUNDS), home) as bot:
        assert "memory" in str(watch(bot, WAIT_S))


@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize(("expected", "text"), WATCHES.values(), ids=WATCHES)
def test_what_the_kernel_grants_a_user_is_counted(text: str, expected: str, home: Place) -> None:
    with start(text, sandbox_settings_of("isolated"), home) as bot:
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


def test_a_bot_that_spends_watches_is_the_only_one_charged() -> None:
    """Number 110: up to 2 million watches, beside a bot that needs some for each decision."""
    bots = code("anna", SPENDS_WATCHES), code("ben", USES_ASYNCIO)
    with plug_in():
        record = play_one(*bots, sandbox=sandbox_settings_of("isolated"))
    (fault,) = record.faults
    assert (fault.kind, fault.seat) == ("crash", 0)
    assert "by epoll" in fault.text
    assert not children()


@pytest.mark.slow
@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("text", HONEST.values(), ids=HONEST)
def test_what_is_shared_or_empty_counts_once_or_not(text: str, home: Place) -> None:
    """Number 96 is an honest bot: its memory seems to be more than it is."""
    with start(text, sandbox_settings_of("isolated", BOUNDS), home) as bot:
        assert watch(bot, after_s=0.5) is None
        used = bot.usage()
        assert used
        assert used.memory_kib < 128 * 1024
