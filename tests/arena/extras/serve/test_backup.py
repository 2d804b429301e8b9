"""Backups and exports of a contest."""

import io
import itertools
import os
import stat
import tarfile
import threading
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.errors import SettingsError, StoreError
from arena.contest.roster import Student
from arena.extras.serve.backup import back_up
from arena.extras.serve.people import People
from arena.extras.serve.server_database import DATABASE, ServerDatabase
from arena.extras.serve.submissions.submission_store import SubmissionStore
from arena.extras.serve.submissions.uploaded_files import UploadedFiles
from tests.archives import unpack_tar
from tests.arena.command import contest_text, done, records_in, refused

OWNER_ONLY = 0o600


def contest_in(folder: Path) -> Path:
    """Make the folder of a contest with two bundled bots, and return its file."""
    (folder / "submissions").mkdir(parents=True)
    file = folder / "contest.toml"
    file.write_text(contest_text("greedy", "random", "timid"))
    return file


def unpacked(backup: Path, parent: Path) -> Path:
    """Unpack a backup of the contest `spring`, and return its folder."""
    unpack_tar(backup, parent)
    return parent / "spring"


class Writer:
    """Hands in and checks one submission after the other, as a server and its checker do."""

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
        """Wait until something more has been written."""
        self._has_written.acquire()

    def _write(self) -> None:
        numbers = itertools.count(1)
        stored = UploadedFiles(
            self._folder / "submissions", lambda size: next(numbers).to_bytes(size)
        )
        with closing(ServerDatabase(self._folder / DATABASE)) as database:
            ann = People(database).add([Student("ann", "Ann")])[0]
            submissions = SubmissionStore(database)
            while not self._stopped.is_set():
                key = stored.keep(io.BytesIO(b"bot"), "bot.py")
                submissions.add(ann, 0.0, "bot.py", key, False)
                if (begun := submissions.begin_next()) and begun.id % 2:
                    begun = submissions.begin_next()  # every second check goes on
                if begun:
                    version = self._folder / "submissions" / "ann" / str(begun.id)
                    version.mkdir(parents=True)
                    (version / "bot.py").write_bytes(stored.path(begun.key).read_bytes())
                    submissions.accept(begun.id, begun.id, is_new=True)
                    stored.delete(submissions.forget_files("ann"))
                self._has_written.release()


def test_each_submission_of_a_backup_has_its_file(tmp_path: Path) -> None:
    file = contest_in(tmp_path / "spring")
    with Writer(file.parent) as writer:
        for number in range(4):
            writer.wait()
            assert back_up(file, tmp_path / f"{number}.tar.gz") == []
    before = 0
    for number in range(4):
        folder = unpacked(tmp_path / f"{number}.tar.gz", tmp_path / str(number))
        stored = UploadedFiles(folder / "submissions", bytes)
        with closing(ServerDatabase(folder / DATABASE)) as database:
            assert database.connect().execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            rows = SubmissionStore(database).of_bot("ann", 10_000)
        assert len(rows) >= max(before, 1)
        before = len(rows)
        for one in rows:
            version = folder / "submissions" / "ann" / str(one.id) / "bot.py"
            assert (version if one.is_done else stored.path(one.key)).read_bytes() == b"bot"


def test_a_run_goes_on_from_a_backup_in_another_place(tmp_path: Path) -> None:
    file = contest_in(tmp_path / "spring")
    done("run", file, "--rounds", "1")
    backup = tmp_path / "backups" / "spring.tar.gz"
    done("backup", file.parent, "--to", backup)
    assert stat.S_IMODE(backup.stat().st_mode) == OWNER_ONLY
    with tarfile.open(backup) as archive:
        modes = {about.name: about.mode for about in archive}
    assert not [name for name, mode in modes.items() if mode & 0o077]
    assert modes["spring/submissions"] == modes["spring/results/spring"] == 0o700
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


def test_what_is_temporary_or_can_be_made_again_is_left_out(tmp_path: Path) -> None:
    file = contest_in(tmp_path / "spring")
    folder = file.parent
    for name in (
        *("submissions/.incoming-1/bot.py", "submissions/.unpacked-1/bot.py", "results/.bots-1/a"),
        *("server.lock", "a.new"),
        *("submissions/ann/1/bot.py", "submissions/ann/.name", "logs/empty/x/y.log"),
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
        *(
            "contest.toml",
            "program",
            "link",
            "submissions/ann/1/bot.py",
        ),
        *("submissions/ann/.name", ".submissions/log.db"),
    }
    assert (copy / "logs" / "empty" / "x").is_dir()
    assert os.access(copy / "program", os.X_OK)
    assert os.readlink(copy / "link") == "program"


def test_a_backup_is_refused_in_the_contest_and_of_a_damaged_database(tmp_path: Path) -> None:
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
