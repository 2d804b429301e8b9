"""The teacher asks for a comparison of submissions, which a process of its own makes."""

import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.contest.roster import Student
from arena.extras.serve.people import People
from arena.extras.serve.server import COMPARISON
from arena.extras.serve.server_database import DATABASE, ServerDatabase
from arena.extras.serve.similarity_report import ReportStore, make_report
from arena.extras.serve.web.contest_site import ContestSite
from tests.arena.command import contest_text
from tests.arena.extras.serve.visiting import Browser, Clock, Woken
from tests.arena.extras.shared.test_like_programs import disguised, program_text

XSS = "<script>alert(1)</script>"


@pytest.fixture
def site(site: ContestSite, woken: Woken) -> ContestSite:
    """The site, with two programs that are alike."""
    for name, text in {
        "ann": f"x = '{XSS}'\n{program_text(1)}",
        "bob": disguised(program_text(1)),
        "cem": program_text(2),
    }.items():
        folder = site.folder / "submissions" / name / "1"
        folder.mkdir(parents=True)
        (folder / "bot.py").write_text(text)
    return replace(site, similarity=woken)


def compare(site: ContestSite) -> None:
    """Answer as the process of a server does."""
    command = [sys.executable, "-P", "-m", COMPARISON, site.contest_file]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.wait(120) == 0, "its input is open until here"


def test_the_teacher_asks_and_looks_at_a_pair(
    site: ContestSite, teachers: Browser, anns: Browser, bobs: Browser, woken: Woken, clock: Clock
) -> None:
    store = ReportStore(site.database)
    assert "Compare the newest" in teachers.get("/teacher/similarity").text
    assert teachers.get("/teacher/similarity/1").status_code == 404
    assert "being compared" in teachers.post("/teacher/similarity").text
    assert (woken.times, store.is_asked_for) == (1, True)
    compare(site)
    assert not store.is_asked_for
    page = teachers.get("/teacher/similarity").text
    assert "Ann Lee and Bob &lt;b&gt;Ray&lt;/b&gt;" in page
    assert "cem" not in page
    pair = teachers.get("/teacher/similarity/1").text
    assert "<mark>" in pair
    assert XSS not in pair
    assert "&lt;script&gt;" in pair
    assert teachers.get("/teacher/similarity/2").status_code == 404


def test_a_failure_keeps_the_former(site: ContestSite, teachers: Browser, clock: Clock) -> None:
    store = ReportStore(site.database)
    store.ask(clock())
    compare(site)
    clock.now += 1
    store.ask(clock())
    store.fail("It took too long.", clock())
    page = teachers.get("/teacher/similarity").text
    assert "It took too long." in page
    assert "ann and bob" in page
    assert "Compare again" in page


def test_the_process_ends_at_once_when_nothing_is_asked_for(site: ContestSite) -> None:
    compare(site)
    assert ReportStore(site.database).read().made is None


def test_a_report_is_of_the_newest_submissions_and_not_within_a_team(tmp_path: Path) -> None:
    file = tmp_path / "contest.toml"
    file.write_text(contest_text())
    for name, text in {
        "ann/1/bot.py": program_text(3),
        "ann/2/bot.py": program_text(1),
        "ben/1/bot.py": disguised(program_text(1)),
        "cem.py": program_text(2),
        "dora/1/bot.py": "x = 1\n",
        "eve/1/bot.py": "#" * 300_000,
        "fay/1/notes.txt": "no bot",
    }.items():
        path = tmp_path / "submissions" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with closing(ServerDatabase(tmp_path / DATABASE)) as database:
        people = People(database)
        report = make_report(file, people)
        people.add([Student(bot, bot, team="red") for bot in ("ann", "ben")])
        assert make_report(file, people).pairs == ()
    (pair,) = report.pairs
    assert [(side.bot, side.version) for side in pair.sides] == [("ann", 2), ("ben", 1)]
    assert "".join([piece for piece, _ in pair.sides[0].pieces]) == program_text(1)
    assert report.compared == ("ann", "ben", "cem")
    assert [name for name, _ in report.left_out] == ["dora", "eve", "fay"]
