"""A backup that is made while the contest goes on can be played on."""

import os
import sqlite3
import stat
import tarfile
import threading
from contextlib import closing
from pathlib import Path

import pytest

from arena.errors import SettingsError, StoreError
from arena.serve.backup import back_up
from tests.arena.command import arena, contest_text, done, records_in

OWNER_ONLY = 0o600
ROWS = "CREATE TABLE handed_in (name TEXT NOT NULL, other INTEGER NOT NULL)"


def contest_in(folder: Path) -> Path:
    """Make the folder of a contest with two bundled bots, and return its file."""
    (folder / "submissions").mkdir(parents=True)
    file = folder / "contest.toml"
    file.write_text(contest_text("greedy", "random", "timid"))
    return file


def unpacked(backup: Path, parent: Path) -> Path:
    """Unpack a backup of the contest `spring`, and return its folder."""
    with tarfile.open(backup) as archive:
        archive.extractall(parent, filter="data")
    return parent / "spring"


class Writer:
    """A server of its own kind: it writes a file, then the row that names it, again and again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stopped = threading.Event()
        self._has_written = threading.Semaphore(0)
        self._thread = threading.Thread(target=self._write)
        path = folder / "server.db"
        path.touch(OWNER_ONLY)
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute(ROWS)

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
        number = 0
        with closing(sqlite3.connect(self._folder / "server.db", timeout=60)) as database:
            while not self._stopped.is_set():
                number += 1
                name = f"ann-{number}.py"
                new = self._folder / "submissions" / f".incoming-{number}"
                new.write_text(name)
                new.rename(new.with_name(name))
                with database:
                    database.execute("INSERT INTO handed_in VALUES (?, ?)", [name, number])
                    database.execute("INSERT INTO handed_in VALUES (?, ?)", [name, number])
                self._has_written.release()


def test_each_row_of_a_backup_is_whole_and_has_its_file(tmp_path: Path) -> None:
    file = contest_in(tmp_path / "spring")
    with Writer(file.parent) as writer:
        for number in range(4):
            writer.wait()
            made = back_up(file, tmp_path / f"{number}.tar.gz")
            assert made.databases == 1
    before = 0
    for number in range(4):
        folder = unpacked(tmp_path / f"{number}.tar.gz", tmp_path / str(number))
        with closing(sqlite3.connect(folder / "server.db")) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            rows = database.execute("SELECT name, count(*) FROM handed_in GROUP BY name").fetchall()
        assert len(rows) > before
        assert {many for _, many in rows} == {2}, "a transaction is whole"
        for name, _ in rows:
            assert (folder / "submissions" / name).read_text() == name
        before = len(rows)
        names = {one.name for one in (folder / "submissions").iterdir()}
        assert not any(name.startswith(".incoming") for name in names)


def test_a_run_goes_on_from_a_backup_in_another_place(tmp_path: Path) -> None:
    file = contest_in(tmp_path / "spring")
    done("run", file, "--rounds", "1")
    backup = tmp_path / "backups" / "spring.tar.gz"
    done("backup", file.parent, "--to", backup)
    assert stat.S_IMODE(backup.stat().st_mode) == OWNER_ONLY
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
        *("submissions/.incoming-1/bot.py", "submissions/.unpacked/1/bot.py", "results/.bots-1/a"),
        *("packages/wheels/a.whl", "packages/environments/3f/a.py", "server.lock", "a.new"),
        *("submissions/ann/1/bot.py", "submissions/ann/.name", "logs/empty/x/y.log"),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    (folder / "submissions" / ".attempts.jsonl").write_bytes(b'{"a":1}\n{"a"')
    (folder / "logs" / "empty" / "x" / "y.log").unlink()
    (folder / "program").write_text("#!/bin/sh\n")
    (folder / "program").chmod(0o755)
    os.symlink("program", folder / "link")
    back_up(file, tmp_path / "b.tar.gz")
    copy = unpacked(tmp_path / "b.tar.gz", tmp_path / "copy")
    found = {str(one.relative_to(copy)) for one in copy.rglob("*") if not one.is_dir()}
    assert found == {
        *("contest.toml", "program", "link", "packages/wheels/a.whl", "submissions/ann/1/bot.py"),
        *("submissions/ann/.name", "submissions/.attempts.jsonl"),
    }
    assert (copy / "submissions" / ".attempts.jsonl").read_bytes() == b'{"a":1}\n'
    assert (copy / "packages" / "environments").is_dir()
    assert (copy / "logs" / "empty" / "x").is_dir()
    assert os.access(copy / "program", os.X_OK)
    assert os.readlink(copy / "link") == "program"


def test_a_backup_is_refused_in_the_contest_and_of_a_damaged_database(tmp_path: Path) -> None:
    file = contest_in(tmp_path / "spring")
    with pytest.raises(SettingsError, match="outside"):
        back_up(file, file.parent / "b.tar.gz")
    former = tmp_path / "b.tar.gz"
    former.write_text("former")
    (file.parent / "server.db").write_bytes(b"SQLite format 3\0" + 5000 * b"x")
    with pytest.raises(StoreError, match=r"server\.db"):
        back_up(file, former)
    assert former.read_text() == "former"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["b.tar.gz", "spring"]


def test_what_is_outside_of_the_contest_is_named(tmp_path: Path) -> None:
    file = contest_in(tmp_path / "spring")
    file.write_text(f'results = "../results"\n{file.read_text()}')
    answer = arena("backup", file, "--to", tmp_path / "b.tar.gz")
    assert answer.exit_code == 0
    assert "results" in answer.stderr
