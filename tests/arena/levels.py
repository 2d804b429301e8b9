"""Sandbox levels that this machine has, and bots that report what they can do."""

import functools
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from arena.base.contracts import Bounds, SandboxSettings
from arena.base.errors import SandboxError
from arena.base.record import Entrant, GameRecord
from arena.check.sandbox_probe import hold
from arena.match.driver import Driver
from arena.match.settings import MatchSettings
from arena.process.bot_process import BotProcess
from arena.sandbox import process_tree
from arena.sandbox.cgroup import Home, our_home
from tests.arena.playing import PATIENT, by_name, code, make_game, wait_to_read

LEVELS = ("none", "isolated")

TRIES = """
try:
    {}
    print("did it")
except Exception as error:
    print(type(error).__name__)
"""
"""Says whether a bot could do something, or the error that it got."""


def sandbox_settings_of(level: str, bounds: Bounds | None = None) -> SandboxSettings:
    """Return the sandbox settings of a level.

    Skip the test where the sandbox does not start. A sandbox with a hole fails the test.
    """
    held = _held(level)
    if isinstance(held, str):
        if "is not safe" in held:
            pytest.fail(held)
        pytest.skip(f"need the sandbox {level!r}: {held}")
    return msgspec.structs.replace(held, bounds=bounds or Bounds())


@functools.cache
def _held(level: str) -> SandboxSettings | str:
    """Return the sandbox settings of a level, or the reason why it does not work here."""
    try:
        return hold(SandboxSettings(level))
    except SandboxError as error:
        return str(error)


def no_home() -> None:
    """Have bots started without a control group."""


def own_home() -> Home:
    """Have bots started with a control group. Skip the test where there are none."""
    home = our_home()
    if home is None:
        pytest.skip("need a control group (version 2) that is delegated to this user")
    return home


HOMES = [no_home, own_home]
"""Homes of a test with and without a control group."""
Place = Callable[[], Home | None]
"""Returns where a bot gets its control group."""


def start(text: str, sandbox: SandboxSettings, entrant: Entrant | None = None) -> BotProcess:
    """Start a bot that is this text."""
    return BotProcess(entrant or code("anna", text), sandbox=sandbox)


def answer(
    text: str, sandbox: SandboxSettings, entrant: Entrant | None = None, lines: int = 1
) -> str:
    """Return the `lines` first lines that a bot prints, or why it did not."""
    with start(text, sandbox, entrant) as bot:
        message = read(bot, lines)
        return "\n".join(message[:lines]) if message else f"{bot.exit_text()}: {bot.last_words}"


def read(bot: BotProcess, lines: int = 1) -> list[str]:
    """Return `lines` lines of a bot, or none if its output ends before."""
    found: list[bytes] = []
    while len(found) < lines:
        wait_to_read(bot.stdout)
        came = bot.read_lines()
        if came is None:
            return []
        found += came
    return [line.decode() for line in found]


def play_one(*bots: Entrant, sandbox: SandboxSettings) -> GameRecord:
    """Return the record of a game of these bots."""
    game = make_game(f"high-card/{len(bots)}", 1, [bot.name for bot in bots])
    settings = MatchSettings(PATIENT, sandbox, always_charge=True)
    with Driver(by_name(*bots), settings) as driver:
        ((record, _),) = driver.play_all([game])
    return record


def processes_of(bot: BotProcess) -> list[int]:
    """Return the processes of a bot and of its sandbox."""
    return process_tree.descendants(bot.pid)


def fake_tool(folder: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a shell script before the real program of this name."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
