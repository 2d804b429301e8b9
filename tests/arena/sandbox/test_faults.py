"""Faults of a bot that exceeds its bounds, and errors of a sandbox that cannot be set up."""

import shutil
from pathlib import Path

import pytest

from arena.base.contracts import Bounds
from arena.base.errors import SandboxError
from arena.base.record import Entrant
from tests.arena.levels import LEVELS, fake_tool, play_one, sandbox_settings_of
from tests.arena.playing import BOTS, NEEDS_PROC, PYTHON, children, code, first

pytestmark = pytest.mark.usefixtures("toys")

# -- bounds ------------------------------------------------------------------------------------


# Up to 1,024 processes. Without an end, they could take a busy machine with them.
FORKS = """
import os, signal
print("here", flush=True)
for _ in range(10):
    try:
        os.fork()
    except OSError:
        pass
signal.pause()
"""


@NEEDS_PROC
@pytest.mark.parametrize("level", LEVELS)
def test_fork_bomb_is_a_fault(level: str) -> None:
    sandbox = sandbox_settings_of(level, Bounds(processes=20))
    ready = """
import json
print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
input(), input(), input()
"""
    before = children()
    record = play_one(code("anna", ready + FORKS), first("ben"), sandbox=sandbox)
    (fault,) = record.faults
    assert fault.seat == 0
    assert children() == before


# -- a sandbox that cannot be set up -----------------------------------------------------------


def test_failing_sandbox_is_not_charged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = sandbox_settings_of("isolated")
    fake_tool(tmp_path, "bwrap", "echo 'bwrap: no luck today' >&2; exit 1", monkeypatch)
    text = r"'isolated' of the bot '(anna|ben)' cannot be set up: bwrap: no luck"
    with pytest.raises(SandboxError, match=text):
        play_one(first("anna"), first("ben"), sandbox=sandbox)
    assert not children()


def test_temporary_machine_error_is_not_charged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sandbox could not be set up once; when it is tried again for the same bot, it can."""
    sandbox = sandbox_settings_of("isolated")
    once = tmp_path / "once"
    text = f'mkdir {once} 2> /dev/null && exit 1; exec {shutil.which("bwrap")} "$@"'
    fake_tool(tmp_path, "bwrap", text, monkeypatch)
    with pytest.raises(SandboxError, match=r"cannot be set up: it wrote no error message$"):
        play_one(first("anna"), first("ben"), sandbox=sandbox)
    assert once.is_dir()
    assert not children()


def test_missing_resources_for_the_sandbox_are_not_charged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks as if the bot were the reason, since another program always starts."""
    sandbox = sandbox_settings_of("isolated")
    stderr_text = "bwrap: Creating new namespace failed: No space left on device"
    text = f'case "$*" in *{BOTS}*) echo "{stderr_text}" >&2; exit 1;; esac; '
    text += f'exec {shutil.which("bwrap")} "$@"'
    fake_tool(tmp_path, "bwrap", text, monkeypatch)
    with pytest.raises(SandboxError, match="No space left on device"):
        play_one(Entrant("anna", (*PYTHON, "x.py"), str(BOTS), ""), first("ben"), sandbox=sandbox)
    assert not children()


MANY = Entrant("anna", (*PYTHON, "-c", "", *["x"] * 9_500), str(BOTS), "")
"""Its command has more arguments than bubblewrap takes."""


@pytest.mark.parametrize(
    ("entrant", "text"),
    [
        (MANY, "bwrap: Exceeded maximum number of arguments"),
        (Entrant("anna", PYTHON, "/nowhere/gone", ""), "bwrap: Can't find source path"),
        (Entrant("anna", PYTHON, "/", ""), "cannot show a bot all of /"),
        (Entrant("anna", ("/proc/self/exe",), str(BOTS), ""), "cannot be set up"),
    ],
    ids=["arguments", "folder", "everything", "proc"],
)
def test_bot_that_breaks_its_sandbox_loses_its_game(entrant: Entrant, text: str) -> None:
    """The run goes on, and the fault says why."""
    record = play_one(entrant, first("ben"), sandbox=sandbox_settings_of("isolated"))
    (fault,) = record.faults
    assert (fault.kind, fault.seat) == ("start", 0)
    assert text in fault.text
    assert fault.text.endswith(
        "it works for another program, so this bot's command or files are the reason"
    )
    assert len(fault.text) < 1_000
    assert not children()


def test_bot_cannot_fake_a_sandbox_failure() -> None:
    feigns = "import sys; sys.exit('bwrap: setting up uid map: Permission denied')"
    record = play_one(code("anna", feigns), first("ben"), sandbox=sandbox_settings_of("isolated"))
    assert [(fault.kind, fault.seat) for fault in record.faults] == [("start", 0)]
