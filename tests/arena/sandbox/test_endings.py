"""Nothing that a bot has started outlives it, its referee or its worker."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.base.errors import ArenaError
from arena.process.bot_process import BotProcess, dismiss
from arena.process.sandboxed_processes import MARK
from arena.sandbox import process_tree
from arena.tournament.run import open_or_create, play_missing
from tests.arena.levels import (
    LEVELS,
    no_home,
    processes_of,
    read,
    sandbox_settings_of,
    start,
)
from tests.arena.playing import NEEDS_PROC, children, code, is_running, wait_for
from tests.arena.runs import ignore, in_processes, make_bot, make_bots, settings_of, silent

WAITS = "import signal; signal.pause()"
FAMILY = f"""
import os, signal, sys
for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
for child in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.pause()
        os._exit(0)
    os.wait()
print("here", flush=True)
{WAITS}
"""
"""Leaves three orphan daemons."""


@NEEDS_PROC
@pytest.mark.parametrize("level", LEVELS)
def test_kills_daemons_of_several_bots(level: str) -> None:
    """One search finds those of all, also where a bot is frozen or has ended before."""
    before = set(map(int, filter(str.isdecimal, os.listdir("/proc"))))
    last_words = ("sys.stdin.read()", "sys.stdin.read()", "os._exit(0)", WAITS)
    bots = [start(FAMILY.replace(WAITS, then), sandbox_settings_of(level)) for then in last_words]
    theirs: set[int] = set()
    for bot in bots:
        assert read(bot) == ["here"]
        theirs |= {
            *process_tree.marked([f"{MARK}={bot.mark}".encode()]),
            *processes_of(bot),
        } - before
    bots[1].freeze()
    bots[3].end()
    assert dismiss(bots, 30.0) == []
    wait_for(lambda: not any(map(is_running, theirs)), "the daemons to end")
    assert not children()


@NEEDS_PROC
def test_kills_daemons_without_a_control_group() -> None:
    with BotProcess(code("anna", FAMILY), home=no_home) as bot:
        assert read(bot) == ["here"]
        theirs = [*process_tree.marked([f"{MARK}={bot.mark}".encode()])]
        assert len(theirs) == 4
    wait_for(lambda: not any(map(is_running, theirs)), "the daemons to end")


@NEEDS_PROC
def test_bot_ends_with_a_killed_referee() -> None:
    sandbox_settings_of("isolated")
    referee = f"""
import time
from arena.base.contracts import SandboxSettings
from tests.arena.levels import read, start
bot = start({FAMILY!r}, SandboxSettings("isolated"))
print(*read(bot), bot.pid, flush=True)
time.sleep(600)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", referee],
        cwd=Path(__file__).parents[3],
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout
        here, pid = process.stdout.readline().split()
        assert here == "here"
        theirs = process_tree.descendants(int(pid))
        process.send_signal(signal.SIGKILL)
    wait_for(lambda: not any(map(is_running, theirs)), "the bot to end")


@NEEDS_PROC
def test_bots_end_with_a_killed_worker(tmp_path: Path) -> None:
    """Also without a sandbox, and with the processes that they have started."""
    pid_file = tmp_path / "pid"
    killer = f"""
import os, signal
read_end, write_end = os.pipe()
child = os.fork()
if child == 0:
    os.setsid()
    os.write(write_end, b"x")
    signal.pause()
os.read(read_end, 1)
open({f"{pid_file}.new"!r}, "w").write(str(child))
os.replace({f"{pid_file}.new"!r}, {str(pid_file)!r})
os.kill(os.getppid(), 9)
signal.pause()
"""
    run = settings_of(
        [make_bot(tmp_path, "killer", killer), *make_bots(tmp_path, 2)], "pot-de-vin/3"
    )
    with open_or_create(tmp_path / "spring", run, silent) as store, pytest.raises(ArenaError):
        play_missing(store, run, in_processes(1), ignore)
    wait_for(
        lambda: not is_running(int(pid_file.read_text())), "the end of what the bot had started"
    )
    assert not children()
