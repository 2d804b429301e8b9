"""All processes of a bot are frozen, thawed and measured together, whatever they do."""

import os
import select
import subprocess

import pytest

from arena.base.contracts import SandboxSettings
from arena.process import host
from arena.process.bot_process import BotProcess
from tests.arena.levels import (
    HOMES,
    Place,
    no_home,
    processes_of,
    read,
    sandbox_settings_of,
)
from tests.arena.playing import NEEDS_PROC, children, code, wait_for

pytestmark = NEEDS_PROC

QUIET_S = 0.05
"""The time in which a stopped bot writes nothing. One that runs writes thousands of lines."""
WRITES = """
import ctypes, os, signal, sys, threading, time
def write():
    while True:
        os.write(1, b"x\\n")
"""
"""Processes that write all the time, so that it is seen whether any of them runs."""
BOTS = {
    "one process": "write()",
    "threads": "[threading.Thread(target=write).start() for _ in range(4)]",
    "sessions of their own": """
for _ in range(12):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            write()
        os._exit(0)
    os.wait()
signal.pause()
""",
    "a first thread that has ended": """
threading.Thread(target=write).start()
ctypes.CDLL(None).pthread_exit(None)
""",
    "a parent that waits for a child to start": """
if ctypes.CDLL(None).vfork() == 0:
    write()
""",
}


def start(text: str, sandbox: SandboxSettings, home: Place) -> BotProcess:
    """Start a bot that is this text, and wait until its sandbox stands."""
    home()
    bot = BotProcess(code("anna", text), sandbox=sandbox, home=home)
    while not bot.has_begun:
        assert select.select([bot.stdout], [], [], 60)[0]
        assert bot.read_lines() is not None, bot.exit_text() + bot.last_words
    return bot


def drain(bot: BotProcess) -> None:
    """Read what the bot has written."""
    while bot.read_lines():
        pass


def writes(bot: BotProcess) -> bool:
    """Return whether the bot writes something now."""
    drain(bot)
    return bool(select.select([bot.stdout], [], [], QUIET_S)[0])


@pytest.mark.slow
@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("text", BOTS.values(), ids=BOTS)
def test_frozen_bot_does_nothing(text: str, home: Place) -> None:
    with start(WRITES + text, sandbox_settings_of("isolated"), home) as bot:
        for _ in range(3):
            wait_for(lambda: writes(bot), "the bot to write")
            bot.freeze()
            wait_for(lambda: not writes(bot), "the bot to stop")
            assert not writes(bot)
            bot.thaw()
    assert not children()


SELF_CONTINUING = (
    WRITES
    + """
import fcntl
signal.signal(signal.SIGCONT, lambda *_: None)
fcntl.fcntl(1, 10, signal.SIGCONT)  # F_SETSIG
fcntl.fcntl(1, fcntl.F_SETOWN, os.getpid())
fcntl.fcntl(1, fcntl.F_SETFL, os.O_ASYNC | fcntl.fcntl(1, fcntl.F_GETFL))
write()
"""
)
"""Asks the system to continue it whenever its output is read."""


def test_isolated_bot_cannot_resume_itself() -> None:
    with start(SELF_CONTINUING, sandbox_settings_of("isolated"), no_home) as bot:
        assert read(bot) == []
        assert bot.exit_text() == "exited with code 1"


@pytest.mark.parametrize("home", HOMES)
def test_frozen_bot_can_be_killed(home: Place) -> None:
    with start(
        WRITES + BOTS["sessions of their own"], sandbox_settings_of("isolated"), home
    ) as bot:
        wait_for(lambda: writes(bot), "the bot to write")
        bot.freeze()
        bot.kill()
        bot.freeze()
        bot.thaw()
    assert not children()


PING_PONG = """
(ping, to_child), (pong, to_parent) = os.pipe(), os.pipe()
if os.fork() == 0:
    while True:
        os.write(to_parent, os.read(ping, 1))
print(1, flush=True)
input()
os.write(to_child, b"x")
while True:
    os.write(to_child, os.read(pong, 1))
"""


@pytest.mark.parametrize("home", HOMES)
def test_bot_is_not_idle_while_its_processes_take_turns(home: Place) -> None:
    with start("import os\n" + PING_PONG, sandbox_settings_of("isolated"), home) as bot:
        assert read(bot) == ["1"]
        wait_for(lambda: not bot.is_able(), "it to sleep")
        os.write(bot.stdin, b"\n")
        wait_for(bot.is_able, "it to compute")
        assert all(bot.is_able() for _ in range(300))


@pytest.mark.parametrize("home", HOMES)
def test_repeated_naps_are_idle_time(home: Place) -> None:
    nap = "print(1, flush=True)\nimport time\nwhile True: time.sleep(0.001)"
    with start(nap, sandbox_settings_of("isolated"), home) as bot:
        assert read(bot) == ["1"]
        wait_for(lambda: not bot.is_able(), "it to nap")
        assert sum(bot.is_able() for _ in range(300)) < 150


@pytest.mark.parametrize("home", HOMES)
def test_waiting_for_a_core_is_not_idle(home: Place) -> None:
    """Two processes want the same core, so one waits while the other has it."""
    core = min(host.usable())
    text = "print(1, flush=True)\ninput()\nwhile True: pass"
    with start(text, sandbox_settings_of("isolated"), home) as bot:
        assert read(bot) == ["1"]
        wait_for(lambda: not bot.is_able(), "it to sleep")
        with subprocess.Popen(("python3", "-c", "while True: pass")) as other:
            try:
                for pid in (other.pid, *processes_of(bot)):
                    assert host.pin(pid, {core})
                os.write(bot.stdin, b"\n")
                wait_for(bot.is_able, "it to compute")
                assert all(bot.is_able() for _ in range(100))
            finally:
                other.kill()
