"""Dates of a contest: one truth for pages, gate, ladder and final, in a browser or the file."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.extras.serve.class_overview import Overview
from arena.extras.serve.ladder.ladder_files import FINAL, FinalFile
from arena.extras.serve.server_database import changes_of
from arena.extras.serve.web.contest_site import ContestSite
from tests.arena.extras.serve.sample_submissions import GOOD
from tests.arena.extras.serve.visiting import START, Browser, make_contest

HOUR = 3600.0


def shown(seconds: float) -> str:
    """Return a time as contest.toml has it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()


@pytest.fixture
def contest_file(tmp_path: Path) -> Path:
    table = f'[deadline]\ndue = "{shown(START)}"  # Friday\nlate = "refuse"\n'
    return make_contest(tmp_path / "contest", table)


def form(**changed: str) -> dict[str, str]:
    dates = {"title": "", "opens": "", "due": shown(START), "grace_minutes": "0"}
    return {**dates, "late": "refuse", "freeze_minutes": "0", **changed}


def hand_in(browser: Browser) -> int:
    return browser.post("/submissions", files={"file": ("my_bot.py", GOOD)}).status_code


def test_a_deadline_that_a_teacher_moves_holds_for_everything(
    site: ContestSite, teachers: Browser, anns: Browser, contest_file: Path
) -> None:
    site.clock.now = START + HOUR  # type: ignore[attr-defined]
    site.people.extend("ann", None)
    FINAL.write(site.folder, FinalFile(run="spring-final", asked=START + 1))
    assert hand_in(anns) == 403
    moved = form(due=shown(START + 2 * HOUR), title="Spring", freeze_minutes="30")
    page = teachers.post("/teacher/dates", moved).text
    assert "Another final is played" in page
    assert "in 1 h 0 min" in page
    assert hand_in(anns) == 403  # it was only shown
    teachers.post("/teacher/dates", {**moved, "confirmed": "yes"})
    assert hand_in(anns) == 200
    assert "# Friday" in contest_file.read_text()  # comments stay
    assert 'title = "Spring"' in contest_file.read_text()
    assert Overview(site).times.freezes is not None
    (change,) = changes_of(site.database, 9)
    assert (change.person, "due: " in change.text) == ("Teacher", True)
    assert "due: " in teachers.get("/teacher").text


@pytest.mark.parametrize(
    "wrong",
    [
        {"due": "0001-01-01"},
        {"due": "9999-12-31 23:59"},
        {"due": "Friday"},
        {"opens": shown(START + HOUR)},
        {"grace_minutes": "-1"},
        {"grace_minutes": "9999999"},
        {"late": "maybe"},
    ],
)
def test_wrong_dates_change_nothing(
    teachers: Browser, contest_file: Path, wrong: dict[str, str]
) -> None:
    before = contest_file.read_bytes()
    answer = teachers.post("/teacher/dates", {**form(**wrong), "confirmed": "yes"})
    assert answer.status_code == 400
    assert contest_file.read_bytes() == before
    assert [path.name for path in contest_file.parent.glob(".dates*")] == []


def test_a_file_that_is_edited_holds_at_once_and_a_broken_one_is_told(
    site: ContestSite, teachers: Browser, anns: Browser, contest_file: Path
) -> None:
    site.clock.now = START + HOUR  # type: ignore[attr-defined]
    assert hand_in(anns) == 403
    text = contest_file.read_text()
    contest_file.write_text(text.replace("refuse", "accept"))
    assert hand_in(anns) == 200
    contest_file.write_text("due = maybe")
    assert hand_in(anns) == 200
    assert "The contest file has a mistake" in teachers.get("/teacher").text
