"""The teacher asks for a comparison of submissions, which a process of its own makes."""

import subprocess
import sys
from dataclasses import replace

import pytest

from arena.extras.serve.background import Background
from arena.extras.serve.server import COMPARISON
from arena.extras.serve.similarity_report import ReportStore
from arena.extras.serve.web.contest_site import ContestSite
from tests.arena.extras.serve.similarity.test_comparison import disguised, program_text
from tests.arena.extras.serve.visiting import Browser, Clock

XSS = "<script>alert(1)</script>"


class Woken(Background):
    """Counts how often it was woken."""

    times = 0

    def wake(self) -> None:
        self.times += 1


@pytest.fixture
def woken() -> Woken:
    return Woken()


@pytest.fixture
def site(site: ContestSite, woken: Background) -> ContestSite:
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
    command = [
        sys.executable,
        "-P",
        "-m",
        COMPARISON,
        site.contest_file,
    ]
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
    assert anns.post("/teacher/similarity").status_code == 403
    assert teachers.client.post("/teacher/similarity").status_code == 403, "without the token"
    assert not store.is_asked_for


def test_a_failure_is_told_and_the_former_comparison_stays(
    site: ContestSite, teachers: Browser, clock: Clock
) -> None:
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
