"""Tests of the teacher's page about a student, and of extended deadlines."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import ContestSite
from tests.arena.extras.serve.sample_boards import make_boards, play_run
from tests.arena.extras.serve.sample_submissions import BAD, GOOD, check_all, inbox_of
from tests.arena.extras.serve.visiting import START, Browser, Clock, make_contest

HOUR = 3600


@pytest.fixture
def contest_file(tmp_path: Path) -> Path:
    """A contest whose deadline was an hour ago, and which rejects late submissions."""
    due = datetime.fromtimestamp(START - HOUR, UTC).isoformat()
    return make_contest(tmp_path / "due", f'[deadline]\ndue = "{due}"\nlate = "refuse"\n')


def test_extends_deadline_of_one_student(
    site: ContestSite, teachers: Browser, anns: Browser, bobs: Browser, clock: Clock
) -> None:
    assert anns.post("/submissions", {"code": GOOD.decode()}).status_code == 403
    later = datetime.fromtimestamp(START + HOUR).isoformat(timespec="minutes")
    assert "extended to" in teachers.post("/teacher/students/ann/due", {"due": later}).text
    assert anns.post("/submissions", {"code": GOOD.decode()}).status_code == 200
    assert bobs.post("/submissions", {"code": GOOD.decode()}).status_code == 403
    clock.now += 2 * HOUR  # the check outlasts the deadline
    assert check_all(site) == 1
    page = teachers.get("/teacher/students/ann").text
    assert "version 1" in page
    assert "late" not in page
    assert anns.post("/submissions", {"code": GOOD.decode()}).status_code == 403
    assert teachers.post("/teacher/students/ann/due", {"due": "soon"}).status_code == 400


def test_teacher_sees_versions_and_refusals(
    site: ContestSite, teachers: Browser, anns: Browser, ann: ContestPerson
) -> None:
    inbox_of(site).extend(ann.id, START + HOUR)
    for code in (GOOD, BAD):
        anns.post("/submissions", {"code": code.decode()})
        check_all(site)
    page = teachers.get("/teacher/students/ann").text
    assert "version 1" in page
    assert "refused" in page
    assert "&lt;script&gt;" in page
    assert "<script>alert" not in page


def test_links_to_the_bot(
    site: ContestSite, teachers: Browser, ann: ContestPerson, clock: Clock
) -> None:
    play_run(site.folder / "results/spring")
    make_boards(site.contest_file, clock).update()
    assert 'href="/bots/ann"' in teachers.get("/teacher/students/ann").text
