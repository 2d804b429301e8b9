"""Tests of reading untrusted files in a child process."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from arena.base import lock
from arena.base.errors import BotError, HostError, SubmissionError
from arena.base.record import Entrant
from arena.contest import reader
from arena.contest.archive import MAX_FILES
from arena.contest.bot_files import incoming_bot, named_bot
from arena.contest.reader import INCOMING_PREFIX, read_untrusted, unpacking_folder
from arena.contest.settings import INTERPRETERS
from tests.arena.contest.submitted import PLAIN


def bot(folder: Path, *command: str) -> Path:
    """Write a folder with `bot.toml` and `x.py`, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    words = msgspec.json.encode(command or ("python", "x.py")).decode()
    (folder / "bot.toml").write_text(f'name = "mine"\ncommand = {words}\n')
    (folder / "x.py").write_text(PLAIN)
    return folder


def named(path: Path, *interpreters: str) -> Entrant:
    return read_untrusted(path.name, named_bot, path, interpreters or INTERPRETERS).entrant


@pytest.mark.parametrize(
    ("command", "program"),
    [
        (("python", *["x"] * 100), sys.executable),
        (("cargo", "run"), "cargo"),
        (("x.py",), "FOLDER/x.py"),
        (("./x.py",), "FOLDER/x.py"),
    ],
)
def test_command_may_use_own_files_and_allowed_programs(
    command: tuple[str, ...], program: str, tmp_path: Path
) -> None:
    folder = bot(tmp_path / "bot", *command)
    found = named(folder, "cargo")
    assert found.command == (program.replace("FOLDER", str(folder)), *command[1:])


@pytest.mark.parametrize("hidden", [".x", ".bin/x", "__pycache__/x", "x.log"])
def test_rejects_program_outside_the_code(hidden: str, tmp_path: Path) -> None:
    """Such a program would not be part of the fingerprint."""
    folder = bot(tmp_path / "bot", f"./{hidden}")
    (folder / hidden).parent.mkdir(exist_ok=True)
    (folder / hidden).touch()
    with pytest.raises(BotError, match="expected an existing file"):
        named(folder)


def test_only_submissions_are_limited(tmp_path: Path) -> None:
    folder = bot(tmp_path / "bot")
    for number in range(MAX_FILES):
        (folder / f"{number}.txt").touch()
    assert named(folder)
    with unpacking_folder() as scratch, pytest.raises(SubmissionError, match="more than 1,000 fi"):
        read_untrusted("bot", incoming_bot, folder, "ann", INTERPRETERS, scratch)


def test_rejects_file_with_too_many_imports(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import book\n")
    (tmp_path / "book").mkdir()
    for number in range(MAX_FILES):
        (tmp_path / "book" / f"m{number}.py").touch()
    with pytest.raises(SubmissionError, match="more than 1,000 files"):
        named(tmp_path / "bot.py")


def test_deletes_folders_of_killed_processes_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader.tempfile, "tempdir", str(tmp_path))
    left, used = tmp_path / f"{INCOMING_PREFIX}left", tmp_path / f"{INCOMING_PREFIX}used"
    for folder in (left, used):
        (folder / "copied").mkdir(parents=True)
    file = os.open(used, os.O_RDONLY)
    try:
        lock.take(file)
        with unpacking_folder():
            assert not left.exists()
    finally:
        os.close(file)
    assert list(tmp_path.iterdir()) == [used]


def ends_itself() -> int:
    os.abort()


def fills_the_disk() -> int:
    raise OSError(28, "No space left on device")


def asks_for_memory() -> int:
    return len(bytearray(1 << 30))


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (ends_itself, SubmissionError, "x cannot be read: the process that read it was killed"),
        (asks_for_memory, SubmissionError, "x needs more than 512 MiB of memory to be read"),
        (fills_the_disk, HostError, "x cannot be read: No space left on device"),
    ],
)
def test_failures_of_the_child_are_errors(
    function: Callable[[], int], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        read_untrusted("x", function)
