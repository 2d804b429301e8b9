"""Tests of `build` commands in bot.toml, which run in the sandbox when bots are submitted."""

import time
from pathlib import Path

import pytest
from click.testing import Result

from arena.base.contracts import Bounds
from arena.contest import build as builds
from arena.contest.inbox import Inbox
from tests.arena.command import arena
from tests.arena.contest.submitted import write
from tests.arena.levels import LEVELS, sandbox_settings_of

SCRIPT = """#!/bin/sh
while read -r line; do
  case "$line" in
    '{"type":"hello"'*) echo '{"type":"ready","protocol":1}' ;;
    '{"type":"bye"'*) exit 0 ;;
  esac
done
"""


def source(folder: Path, build: str, command: str = '["./bot"]') -> Path:
    """Write a bot whose program is created by `build`."""
    folder.mkdir()
    (folder / "bot.toml").write_text(f'name = "made"\ncommand = {command}\nbuild = {build!r}\n')
    (folder / "bot.txt").write_text(SCRIPT)
    return folder


def submit(folder: Path, tmp_path: Path, level: str = "none", *more: str) -> Result:
    write(tmp_path / "contest" / "contest.toml", '[entrants]\ninbox = "."\n')
    options = ["--to", tmp_path / "contest", "--no-check", "--sandbox", level, *more]
    return arena("submit", folder, *options)


@pytest.mark.parametrize("level", LEVELS)
def test_builds_the_program_of_a_submission(tmp_path: Path, level: str) -> None:
    sandbox_settings_of(level)
    folder = source(
        tmp_path / "made", "mkdir -p out && cp bot.txt out/x && cp bot.txt bot && chmod +x bot"
    )
    submitted = submit(folder, tmp_path, level)
    assert submitted.exit_code == 0, submitted.stderr
    assert not (folder / "bot").exists()  # the student's folder is as it was
    inbox = Inbox(tmp_path / "contest")
    (made,) = inbox.lineup()
    found = inbox.bot_of(made).entrant
    assert found.command == (f"{found.folder}/bot",)
    assert Path(found.folder, "bot").read_text() == SCRIPT
    assert Path(found.folder, "out", "x").is_file()
    assert [path.name for path in inbox.bots.iterdir()] == [made.fingerprint]
    again = submit(folder, tmp_path, level, "--as", "made")
    assert "made: unchanged, the same as version 1" in again.stdout


@pytest.mark.parametrize(
    ("build", "message"),
    [
        ("echo no rule >&2; exit 3", "failed: it exited with code 3:\n  no rule"),
        ("true", "has no './bot': run its build command 'true'"),
    ],
)
def test_rejects_failing_build(tmp_path: Path, build: str, message: str) -> None:
    refused = submit(source(tmp_path / "made", build), tmp_path)
    assert refused.exit_code == 1
    assert message in refused.stderr
    assert not Inbox(tmp_path / "contest").lineup()


@pytest.mark.parametrize("level", LEVELS)
def test_limits_memory_and_daemons_of_a_build(
    tmp_path: Path, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No process exceeds the limit alone, but together they do."""
    sandbox_settings_of(level)
    monkeypatch.setattr(builds, "BUILD_BOUNDS", Bounds(memory_mib=64))
    folder = tmp_path / "made"
    folder.mkdir()
    (folder / "eat.py").write_text("import time\nx = bytearray(40 << 20)\ntime.sleep(60)\n")
    build = f"{'python3 eat.py & ' * 4} sleep 60"
    (folder / "bot.toml").write_text(f'name = "made"\ncommand = ["./bot"]\nbuild = "{build}"\n')
    began = time.monotonic()
    refused = submit(folder, tmp_path, level)
    assert time.monotonic() - began < 30
    assert "was stopped because it used" in refused.stderr
