"""Tests that no submission harms anyone but its author: files, names, links, archives, builds."""

import io
import os
import re
import subprocess
import tarfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import Mock

import pytest

from arena.base.contracts import SandboxSettings
from arena.base.errors import HostError
from arena.contest.admission import GAVE_UP, MAX_TRIES, Judge, SubmissionRules
from arena.contest.inbox import Inbox, Sent
from arena.contest.roster import Student
from tests.arena.contest.submitted import PLAIN, receive, write

TOML = 'name = "eve"\ncommand = ["python", "bot.py"]\n'
FORGES = """build = 'for f in /proc/$PPID/fd/1?; do cat forged > $f || :; done'\n"""
"""A build that writes a result of its own to the pipes of the shell that started it."""
MIB = 1024 * 1024
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
PROGRAM = "from arena.bot import Bot, run\n" + PLAIN + "run(MyBot)\n"


def archive(*members: tuple[str, bytes], **pax: str) -> bytes:
    """Return a tar archive of files with the same `pax` headers."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as made:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size, info.pax_headers = len(content), dict(pax)
            made.addfile(info, io.BytesIO(content))
    return data.getvalue()


def sparse(folder: Path) -> bytes:
    """Return a small tar archive of a file with 1.6 GiB of zeros."""
    with (folder / "zeros").open("wb") as file:
        file.truncate(1600 * MIB)
    command = ["tar", "-cSf", "-", "zeros"]
    made = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=True)
    (folder / "zeros").unlink()
    return made.stdout


def forged(result: bytes | Callable[[Path], bytes]) -> Callable[[Path], object]:
    """Return a function that writes a bot whose build returns `result`."""

    def make(eve: Path) -> None:
        write(eve / "bot.py", PROGRAM)
        write(eve / "bot.toml", TOML + FORGES)
        (eve / "forged").write_bytes(result if isinstance(result, bytes) else result(eve))

    return make


def link(target: str) -> Callable[[Path], object]:
    return lambda eve: eve.symlink_to(target)


def deep(eve: Path) -> None:
    """Create 1,500 nested folders."""
    eve.mkdir()
    here = os.open(eve, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


BOT = ("bot.toml", TOML.encode()), ("bot.py", PROGRAM.encode())
KINDS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a build of 1.6 GiB in a sparse file": (forged(sparse), "is too large"),
    "a build of 100,000 files": (
        forged(archive(*[(f"f{number}", b"") for number in range(100_000)])),
        "more than 1,000 files|processor time",
    ),
    "a build with a NUL in a path": (forged(archive(("x", b""), path="a\0b")), "no bot|NUL"),
    "a build with a size below zero": (
        forged(archive(("x", b""), size="-1024")),
        "there is no bot",
    ),
    "a build with no number as size": (forged(archive(("x", b""), size="x")), "no bot"),
    "a build that leads up": (forged(archive(("../x", b""))), "no bot"),
    "a build with a name that is no UTF-8": (forged(archive(("\udcff", b""))), "no bot"),
    "a build of noise": (forged(b"noise" * 999), "the build of eve cannot be read: ReadError"),
    "a build that is cut off": (forged(archive(*BOT)[:1500]), "does not exist"),
    "a build of nothing": (forged(b"\0" * 10240), "no bot"),
    "a build that deletes itself": (
        lambda eve: write(eve / "bot.toml", TOML + 'build = "rm -rf .. ../code"\n'),
        "failed: it exited",
    ),
    "a folder that is a link to everything": (link("/"), "is a link"),
    "a folder that is a link to what nobody may read": (link("/proc/1/root/x"), "cannot be|link"),
    "a folder that is a link to another student": (link("ann.py"), "is a link"),
    "1,500 folders": (deep, "more than 16 folders deep"),
}


def test_check_is_repeated_after_errors_that_are_not_the_bots(folder: Path) -> None:
    """Errors of the arena count, so that they end at some time. Those of the machine do not."""
    errors = [*[HostError("the disk is full")] * (MAX_TRIES + 1), *[RuntimeError()] * MAX_TRIES]
    rules = SubmissionRules(Inbox(folder))
    number = receive(folder, "ann").id
    with rules.inbox as inbox:
        for error in errors:
            waiting = inbox.next_waiting()
            assert waiting
            with pytest.raises(type(error)):
                Judge(rules, SandboxSettings, Mock(side_effect=error)).judge(waiting)
        waiting = inbox.next_waiting()
        assert waiting
        refused = Judge(rules, SandboxSettings, None).judge(waiting)
    assert (refused.id, refused.state, refused.reason) == (number, "refused", GAVE_UP)


def test_student_may_be_removed_during_a_check(folder: Path, tmp_path: Path) -> None:
    receive(folder, "ann")
    inbox = Inbox(folder)

    def check(_: object) -> None:
        inbox.set_removed(["ann"], is_removed=True)

    with inbox:
        judge = Judge(SubmissionRules(inbox), SandboxSettings, check)
        left = judge.hand_in(write(tmp_path / "a.py", "# 2\n"), Sent(Student("ann", "Ann"), NOON))
    assert (left.state, [one.version for one in inbox.versions()]) == ("waiting", [1])


@pytest.mark.slow
def test_rejects_submissions_that_break_the_reader(folder: Path, tmp_path: Path) -> None:
    write(tmp_path / "ann.py", PLAIN)
    rules = SubmissionRules(Inbox(folder))
    with rules.inbox:
        judge = Judge(rules, SandboxSettings, None)
        try:
            for number, (kind, (make, reason)) in enumerate(KINDS.items()):
                place = tmp_path / f"eve-{number}"
                make(place)
                refused = judge.hand_in(place, Sent(Student("eve", "Eve"), NOON))
                assert refused.state == "refused", kind
                assert re.search(reason, refused.reason), kind
        finally:
            # `rm` takes any depth.
            subprocess.run(["rm", "-rf", *tmp_path.glob("eve-*")], check=True)
    assert not rules.inbox.lineup()
