"""Backups and exports of a contest."""

import itertools
import os
import stat
import tarfile
import threading
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.errors import SettingsError, StoreError
from arena.contest.inbox import Inbox
from arena.extras.serve.backup import back_up
from arena.extras.serve.server_database import DATABASE, ServerDatabase
from tests.archives import unpack_tar
from tests.arena.command import contest_text, done, records_in, refused
from tests.arena.contest.submitted import receive

OWNER_ONLY = 0o600


def contest_in(folder: Path) -> Path:
    folder.mkdir(parents=True)
    file = folder / "contest.toml"
    file.write_text(contest_text("greedy", "random", "timid"))
    return file


def unpacked(backup: Path, parent: Path) -> Path:
    unpack_tar(backup, parent)
    return parent / "spring"


class Writer:
    """Submits and checks one bot after the other, as a server and its checker do."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stopped = threading.Event()
        self._has_written = threading.Semaphore(0)
        self._thread = threading.Thread(target=self._write)

    def __enter__(self) -> "Writer":
        self._thread.start()
        self.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def wait(self) -> None:
        """Wait until something new has been written."""
        self._has_written.acquire()

    def _write(self) -> None:
        numbers = itertools.count(1)
        with closing(ServerDatabase(self._folder / DATABASE)), Inbox(self._folder) as inbox:
            while not self._stopped.is_set():
                receive(self._folder, "ann", {"bot.py": f"# {next(numbers)}\n"})
                if (begun := inbox.next_waiting()) and begun.id % 2:
                    inbox.judge(begun.id)
                self._has_written.release()


def test_backup_contains_files_of_each_submission(tmp_path: Path) -> None:
    file = contest_in(tmp_path / "spring")
    with Writer(file.parent) as writer:
        for number in range(4):
            writer.wait()
            assert back_up(file, tmp_path / f"{number}.tar.gz") == []
    before = 0
    for number in range(4):
        inbox = Inbox(unpacked(tmp_path / f"{number}.tar.gz", tmp_path / str(number)))
        rows = inbox.all()
        assert len(rows) >= max(before, 1)
        before = len(rows)
        for one in rows:
            folder = Path(inbox.bot_of(one).entrant.folder)
            assert (folder / "bot.py").read_text() == f"# {one.id}\n"
        assert {path.name for path in inbox.bots.iterdir()} >= {one.fingerprint for one in rows}


def test_run_continues_from_a_backup(tmp_path: Path) -> None:
    file = contest_in(tmp_path / "spring")
    done("run", file, "--rounds", "1")
    backup = tmp_path / "backups" / "spring.tar.gz"
    done("backup", file.parent, "--to", backup)
    assert stat.S_IMODE(backup.stat().st_mode) == OWNER_ONLY
    with tarfile.open(backup) as archive:
        modes = {about.name: about.mode for about in archive}
    assert not [name for name, mode in modes.items() if mode & 0o077]
    assert modes["spring/results/spring"] == 0o700
    folder = unpacked(backup, tmp_path / "elsewhere")
    run = folder / "results" / "spring"
    assert stat.S_IMODE((run / "arena.db").stat().st_mode) == OWNER_ONLY
    stored = records_in(run)
    assert stored == records_in(file.parent / "results" / "spring")
    done("run", folder)
    done("run", file)
    assert records_in(run)[: len(stored)] == stored
    assert records_in(run) == records_in(file.parent / "results" / "spring")
    assert "match their records" in done("verify", run).stdout


def test_backup_skips_temporary_files(tmp_path: Path) -> None:
    file = contest_in(tmp_path / "spring")
    folder = file.parent
    for name in (
        *("bots/.incoming-1/bot.py", "bots/.checking-1/bot.py", "results/.bots-1/a"),
        *("server.lock", "a.new"),
        *("bots/v2/bot.py", "logs/empty/x/y.log"),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    (folder / "logs" / "empty" / "x" / "y.log").unlink()
    (folder / "program").write_text("#!/bin/sh\n")
    (folder / "program").chmod(0o755)
    os.symlink("program", folder / "link")
    back_up(file, tmp_path / "b.tar.gz")
    copy = unpacked(tmp_path / "b.tar.gz", tmp_path / "copy")
    found = {str(one.relative_to(copy)) for one in copy.rglob("*") if not one.is_dir()}
    assert found == {
        "contest.toml",
        "program",
        "link",
        "bots/v2/bot.py",
    }
    assert (copy / "logs" / "empty" / "x").is_dir()
    assert os.access(copy / "program", os.X_OK)
    assert os.readlink(copy / "link") == "program"


def test_rejects_backup_inside_contest_or_of_damaged_database(tmp_path: Path) -> None:
    file = contest_in(tmp_path / "spring")
    assert "contest.toml" in refused("backup", tmp_path, "--to", tmp_path / "x.tar.gz")
    text = file.read_text()
    file.write_text(f'results = "../results"\n{text}')
    assert "results" in done("backup", file, "--to", tmp_path / "b.tar.gz").stderr
    file.write_text(text)
    with pytest.raises(SettingsError, match="outside"):
        back_up(file, file.parent / "b.tar.gz")
    former = tmp_path / "b.tar.gz"
    former.write_text("former")
    (file.parent / "server.db").write_bytes(b"SQLite format 3\0" + 5000 * b"x")
    with pytest.raises(StoreError, match=r"server\.db"):
        back_up(file, former)
    assert former.read_text() == "former"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["b.tar.gz", "spring"]
