"""Tests of the process that reads untrusted files: results and cleaning up."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from arena.base import lock
from arena.base.errors import ArenaError, BotError, SubmissionError
from arena.base.record import Entrant
from arena.contest.archive import SUBMISSION_LIMITS
from arena.contest.bot_files import COPIED, bot_in, incoming_bot, named_bot
from arena.contest.reader import Reader
from arena.contest.reader_process import INCOMING_PREFIX, Answer, Request, as_json
from arena.contest.settings import INTERPRETERS
from arena.sandbox.process_tree import descendants
from tests.arena.contest.submitted import PLAIN
from tests.arena.playing import NEEDS_PROC, children, descriptors, wait_for


def bot(folder: Path, *command: str, name: str = "mine") -> Path:
    """Write a folder with `bot.toml` and `x.py`, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    words = msgspec.json.encode(command or ("python", "x.py")).decode()
    (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = {words}\n')
    (folder / "x.py").write_text(PLAIN)
    return folder


def named(reader: Reader, path: Path, *interpreters: str) -> Entrant:
    return reader.run(path.name, named_bot, path, None, interpreters or INTERPRETERS).entrant


def stored(reader: Reader, path: Path) -> Entrant:
    return reader.run(path.name, bot_in, path, "ann", INTERPRETERS, None, False).entrant


def incoming(reader: Reader, path: Path) -> Entrant:
    arguments = (path, "ann", INTERPRETERS, reader.scratch)
    return reader.run(path.name, incoming_bot, *arguments).entrant


# -- bots ----------------------------------------------------------------------------------------


@NEEDS_PROC
def test_reader_process_serves_many_jobs(tmp_path: Path) -> None:
    before = descriptors()
    folders = [bot(tmp_path / f"{number}", name=f"bot-{number}") for number in range(3)]
    with Reader() as reader:
        assert not children(), "it starts with its first job"
        found = [named(reader, folder).name for folder in folders]
        assert len(children()) == 1
    assert found == ["bot-0", "bot-1", "bot-2"]
    assert not children()
    assert descriptors() == before


def test_rejected_bot_does_not_affect_the_next(tmp_path: Path) -> None:
    bad, good = bot(tmp_path / "bad", "rm", "-rf"), bot(tmp_path / "good")
    with Reader() as reader:
        with pytest.raises(BotError, match="`command` starts 'rm'"):
            named(reader, bad)
        with pytest.raises(BotError, match="there are several bots"):
            stored(reader, tmp_path)
        assert named(reader, good).folder == str(good)


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
    with Reader() as reader:
        found = named(reader, folder, "cargo")
    assert found.command == (program.replace("FOLDER", str(folder)), *command[1:])


@pytest.mark.parametrize("hidden", [".x", ".bin/x", "__pycache__/x", "x.log"])
def test_rejects_program_outside_the_code(hidden: str, tmp_path: Path) -> None:
    """Such a program would not be part of the fingerprint."""
    folder = bot(tmp_path / "bot", f"./{hidden}")
    (folder / hidden).parent.mkdir(exist_ok=True)
    (folder / hidden).touch()
    with Reader() as reader, pytest.raises(BotError, match="expected an existing file"):
        named(reader, folder)


def test_only_submissions_are_limited(tmp_path: Path) -> None:
    folder = bot(tmp_path / "bot")
    for number in range(SUBMISSION_LIMITS.files):
        (folder / f"{number}.txt").touch()
    with Reader() as reader:
        assert named(reader, folder)
        with pytest.raises(SubmissionError, match="more than 1,000 files"):
            stored(reader, folder)


def test_rejects_file_with_too_many_imports(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import book\n")
    (tmp_path / "book").mkdir()
    for number in range(SUBMISSION_LIMITS.files):
        (tmp_path / "book" / f"m{number}.py").touch()
    with Reader() as reader, pytest.raises(SubmissionError, match="more than 1,000 files"):
        named(reader, tmp_path / "bot.py")


# -- the scratch folder --------------------------------------------------------------------------


def test_deletes_scratch_folder(tmp_path: Path) -> None:
    source = bot(tmp_path / "source")
    place = tmp_path / "place"
    with Reader(place) as reader:
        assert not place.exists(), "it comes with the process"
        found = incoming(reader, source)
        assert reader.scratch
        assert found.folder == str(reader.scratch / COPIED)
        assert {path.name for path in Path(found.folder).iterdir()} == {"bot.toml", "x.py"}
    assert not place.exists()


@NEEDS_PROC
@pytest.mark.parametrize("is_stopped", [False, True], ids=["between two jobs", "during a job"])
def test_process_cleans_up_after_its_owner_is_killed(is_stopped: bool, tmp_path: Path) -> None:
    """The end of its input stops the process."""
    command = [sys.executable, "-P", "-m", "arena.contest.reader_process", str(tmp_path / "x")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin
    assert process.stdout
    scratch = Path(msgspec.json.decode(process.stdout.readline()))
    assert scratch.is_dir()

    def ask(path: Path) -> None:
        assert process.stdin
        arguments = msgspec.Raw(as_json((path, None, ())))
        request = Request("arena.contest.bot_files:named_bot", arguments, "x")
        process.stdin.write(as_json(request) + b"\n")
        process.stdin.flush()

    ask(bot(tmp_path / "source"))
    assert msgspec.json.decode(process.stdout.readline(), type=Answer).refused == ""
    if is_stopped:
        hang = tmp_path / "hang.py"
        hang.write_text("x = f'''" + '{f"{1}"}' * 200_000 + "'''\n")
        ask(hang)
        wait_for(lambda: bool(descendants(process.pid)), "the child that runs the job")
    process.stdin.close()
    assert process.wait() == 0
    assert not scratch.exists()
    process.stdout.close()


def test_deletes_folders_of_killed_processes_only(
    tmp_path: Path,
) -> None:
    source = bot(tmp_path / "source")
    place = tmp_path / "place"
    left, used = place / f"{INCOMING_PREFIX}left", place / f"{INCOMING_PREFIX}used"
    for folder in (left, used):
        (folder / "copied").mkdir(parents=True)
    file = os.open(used, os.O_RDONLY)
    try:
        lock.take(file)
        with Reader(place) as reader:
            incoming(reader, source)
            assert not left.exists()
    finally:
        os.close(file)
    assert list(place.iterdir()) == [used]


@NEEDS_PROC
def test_reports_killed_reader_process(tmp_path: Path) -> None:
    folder = bot(tmp_path / "bot")
    with Reader() as reader:
        named(reader, folder)
        (pid,) = children()
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(ArenaError, match="ended while reading bot: try again"):
            named(reader, folder)


def test_rejects_unwritable_scratch_folder(tmp_path: Path) -> None:
    source = bot(tmp_path / "source")
    (tmp_path / "file").touch()
    with (
        Reader(tmp_path / "file" / "x") as reader,
        pytest.raises(SubmissionError, match="cannot unpack"),
    ):
        incoming(reader, source)
