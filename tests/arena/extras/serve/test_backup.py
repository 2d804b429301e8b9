"""Backups and exports of a contest."""

import csv
import io
import itertools
import os
import re
import sqlite3
import stat
import tarfile
import threading
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.errors import SettingsError, StoreError
from arena.contest.roster import Student
from arena.extras.serve.backup import back_up
from arena.extras.serve.contest_export import EXPORTED, KEPT_BACK
from arena.extras.serve.people import ContestPerson, People
from arena.extras.serve.server_database import DATABASE, ServerDatabase
from arena.extras.serve.submissions.submission_store import SubmissionStore
from arena.extras.serve.submissions.uploaded_files import UploadedFiles
from arena.extras.serve.web.contest_site import ContestSite
from tests.arena.command import arena, contest_text, done, printed, records_in, refused
from tests.arena.extras.serve.visiting import Browser
from tests.arena.runs import RUN_OPTIONS

OWNER_ONLY = 0o600


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
            made = back_up(file, tmp_path / f"{number}.tar.gz")
            assert made.databases == 2
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
    done("admin", "backup", file.parent, "--to", backup)
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
        *("submissions/.incoming-1/bot.py", "submissions/.unpacked/1/bot.py", "results/.bots-1/a"),
        *("packages/wheels/a.whl", "packages/environments/3f/a.py", "server.lock", "a.new"),
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
        *("contest.toml", "program", "link", "packages/wheels/a.whl", "submissions/ann/1/bot.py"),
        *("submissions/ann/.name", ".submissions/log.db"),
    }
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
    answer = arena("admin", "backup", file, "--to", tmp_path / "b.tar.gz")
    assert answer.exit_code == 0
    assert "results" in answer.stderr


# -- exports in open formats ---------------------------------------------------------------------


FORMULA = "=HYPERLINK(1)"
NO_CONTEST = 2


def contents(archive: Path) -> dict[str, bytes]:
    """Return the files of a zip by their names, without the folder that has them all."""
    with zipfile.ZipFile(archive) as opened:
        files = {one: opened.read(one) for one in opened.namelist()}
    roots = {name.partition("/")[0] for name in files}
    assert len(roots) == 1
    return {name.partition("/")[2]: content for name, content in files.items()}


@pytest.fixture
def export(site: ContestSite, anns: Browser, tmp_path: Path) -> dict[str, bytes]:
    """An export of a contest with two submissions, one of them late, and a run."""
    site.people.add([Student("cem", FORMULA)])
    bots = tmp_path / "bots"
    bots.mkdir()
    for name in ("ann", "ben"):
        bot = bots / f"{name}.py"
        bot.write_text("from arena.bot import Bot, run\nclass B(Bot):\n  pass\nrun(B)\n")
        done("submit", bot, "--to", site.folder, "--name", name, "--no-check")
    submissions = site.folder / "submissions"
    (submissions / "link").symlink_to("/etc/hostname")
    (submissions / ".incoming-1").mkdir()
    (submissions / ".incoming-1" / "bot.py").write_text("half")
    done("run", site.contest_file, *RUN_OPTIONS, "--rounds", "1")
    target = tmp_path / "out" / "spring.zip"
    done("admin", "backup", site.folder, "--without-secrets", "--to", target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    return contents(target)


def test_an_export_has_everything_but_secrets(
    export: dict[str, bytes], site: ContestSite, tmp_path: Path, ann: ContestPerson
) -> None:
    assert export.keys() == {
        *("README.txt", "contest.toml", "submissions.jsonl"),
        *[f"server/{table}.csv" for table in EXPORTED],
        *("submissions/ann/1/ann.py", "submissions/ben/1/ben.py"),
        *[
            f"runs/spring/{name}"
            for name in ("leaderboard.csv", "leaderboard.json", "grades.csv", "grades.json",
                         "records.jsonl", "roster.json")
        ],
    }  # fmt: skip
    rows = [*csv.DictReader(io.StringIO(export["server/people.csv"].decode()))]
    assert {row["id"]: row["name"] for row in rows} == {"ann": ann.name, "cem": f"'{FORMULA}"}
    records = tmp_path / "records.jsonl"
    records.write_bytes(export["runs/spring/records.jsonl"])
    assert "match their records" in printed("verify", records)
    whole = b"".join(export.values())
    for row in site.database.connect().execute(
        "SELECT hash FROM keys UNION SELECT hash FROM sessions"
    ):
        assert row["hash"] not in whole
        assert row["hash"].hex().encode() not in whole
    for secret in site.folder.rglob("secret.txt"):
        assert secret.read_bytes().strip() not in whole


def test_of_each_table_is_decided_whether_it_is_exported(site: ContestSite) -> None:
    with closing(sqlite3.connect(site.database.path)) as database:
        tables = {
            name
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
    assert {one for one in tables if not one.startswith("sqlite_")} == {*EXPORTED, *KEPT_BACK}
    schema = "\n".join([
        sql for (sql,) in site.database.connect().execute(
            f"SELECT sql FROM sqlite_master WHERE name IN ({', '.join('?' * len(EXPORTED))})",
            EXPORTED,
        )
    ])  # fmt: skip
    assert not re.search(r"hash|secret|token|password", schema)


def test_what_is_no_contest_is_refused(tmp_path: Path) -> None:
    assert "contest.toml" in refused(
        "admin", "backup", tmp_path, "--without-secrets", "--to", tmp_path / "x.zip"
    )
