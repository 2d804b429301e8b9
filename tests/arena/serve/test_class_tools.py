"""The teacher's pages for the class: grades as pages and files, an export of everything."""

import csv
import io
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import openpyxl
import pytest
from httpx2 import Response

from arena.contest.attempts import Attempt, note_attempt
from arena.contest.grades import COLUMNS
from arena.contest.roster import Student
from arena.serve.site import Site
from tests.arena.command import done
from tests.arena.runs import DICE_BOT, RUN_OPTIONS
from tests.arena.serve.visiting import Browser

FORMULA = "=1+1"
PATHS = ("grades", "grades.csv", "grades.xlsx", "export.zip", "similarity", "similarity/1", "")


def rows_of(answer: Response) -> list[dict[str, str]]:
    """Return the rows of a CSV file, which begins with a byte order mark for Excel."""
    assert answer.content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


@pytest.fixture
def graded(site: Site, teachers: Browser, tmp_path: Path) -> Browser:
    """The teacher's browser of a contest with a run of three students, one without a bot."""
    site.people.add([
        Student("ann", "Ann <b>Lee</b>", "ann@example.edu"), Student("ben", FORMULA, team="red"),
        Student("cem", "Cem", team="red"), Student("dora", "Dora"),
    ])  # fmt: skip
    for name in ("ann", "ben"):
        folder = site.folder / "submissions" / name / "1"
        folder.mkdir(parents=True)
        (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = ["python", "-P", "bot.py"]\n')
        (folder / "bot.py").write_text(DICE_BOT)
    done("run", site.contest_file, *RUN_OPTIONS, "--rounds", "1")
    attempt = Attempt(datetime(2026, 12, 1, tzinfo=UTC), "ben", "bot", "accepted", "?", 2, True)
    note_attempt(site.folder / "submissions", attempt)
    return teachers


def test_grades_are_a_page_a_csv_file_and_a_file_for_excel(graded: Browser) -> None:
    page = graded.get("/teacher/grades").text
    assert "Ann &lt;b&gt;Lee&lt;/b&gt;" in page
    assert "<b>Lee" not in page
    answer = graded.get("/teacher/grades.csv")
    assert answer.headers["Content-Type"].startswith("text/csv")
    assert "grades-spring.csv" in answer.headers["Content-Disposition"]
    rows = {row["id"]: row for row in rows_of(answer)}
    assert rows.keys() == {"ann", "ben", "cem", "dora"}
    assert rows["ben"]["name"] == f"'{FORMULA}"
    assert [rows[one]["late"] for one in ("ann", "ben", "cem", "dora")] == [
        "no",
        "yes",
        "yes",
        "no",
    ]
    assert [rows[one]["versions"] for one in ("ann", "ben", "dora")] == ["1", "2", "0"]
    assert rows["cem"]["bot"] == "ben"
    assert rows["ann"]["rank"]
    assert rows["ann"]["baselines"] == "1", "the teacher's bot, and no student"
    assert rows["dora"]["rank"] == ""
    file = graded.get("/teacher/grades.xlsx?run=spring").content
    header, *cells = openpyxl.load_workbook(io.BytesIO(file)).active.values
    assert header == COLUMNS
    assert {row[0]: row[1] for row in cells}["ben"] == FORMULA


def test_without_a_run_all_on_the_roster_have_a_row(teachers: Browser, anns: Browser) -> None:
    assert [row["id"] for row in rows_of(teachers.get("/teacher/grades.csv"))] == ["ann"]
    assert "Ann Lee" in teachers.get("/teacher/grades").text


@pytest.mark.parametrize("run", ["summer", "../spring", "/etc", "%00", "spring/../spring"])
def test_a_run_that_is_none_of_the_contest_is_not_found(teachers: Browser, run: str) -> None:
    assert teachers.get(f"/teacher/grades?run={run}").status_code == 404


def test_everything_is_exported(graded: Browser) -> None:
    answer = graded.get("/teacher/export.zip")
    assert answer.headers["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        names = archive.namelist()
    assert "contest/runs/spring/grades.csv" in names
    assert "contest/submissions/ann/1/bot.py" in names


@pytest.mark.parametrize("path", PATHS)
def test_only_the_teacher_sees_them(anns: Browser, visitor: Browser, path: str) -> None:
    page = f"/teacher/{path}".rstrip("/")
    assert anns.get(page).status_code == 403
    assert visitor.get(page).status_code == 401
