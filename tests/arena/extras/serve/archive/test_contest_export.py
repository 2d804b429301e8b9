"""A contest in a zip of open formats: all of it, but nothing that is secret."""

import csv
import io
import re
import sqlite3
import stat
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from arena.contest.roster import Student
from arena.extras.serve.contest_export import EXPORTED, KEPT_BACK
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import ContestSite
from tests.arena.command import done, printed, refused
from tests.arena.extras.serve.visiting import Browser
from tests.arena.runs import RUN_OPTIONS

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
    done("backup", site.folder, "--without-secrets", "--to", target)
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
        "backup", tmp_path, "--without-secrets", "--to", tmp_path / "x.zip"
    )
