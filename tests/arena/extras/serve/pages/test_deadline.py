"""Tests of a contest's opening, deadline and extensions, on all pages, the ladder and the final."""

import io
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from arena.base.errors import SettingsError
from arena.extras.serve.current_contest import change_setting
from arena.extras.serve.ladder.ladder_files import FINAL, FinalFile
from arena.extras.serve.pages.hand_in_pages import acknowledge
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.visits import Visit
from tests.arena.extras.serve.sample_submissions import GOOD, check_all, inbox_of
from tests.arena.extras.serve.visiting import START, Browser, Clock, make_contest

HOUR = 3600.0


def shown(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()


@pytest.fixture
def contest_file(tmp_path: Path) -> Path:
    table = f'[deadline]\ndue = "{shown(START)}"  # Friday\nlate = "refuse"\n'
    return make_contest(tmp_path / "contest", table)


def form_of(teachers: Browser, due: str, **more: str) -> dict[str, str]:
    """Return the completed form of the deadline page."""
    found = re.search(r'name="seen" value="(\w+)"', teachers.get("/teacher/deadline").text)
    assert found
    return {"seen": found[1], "due": due, **more}


def hand_in(browser: Browser) -> int:
    return send(browser)[0]


def test_moved_deadline_applies_everywhere(
    site: ContestSite, teachers: Browser, anns: Browser, contest_file: Path
) -> None:
    site.clock.now = START + HOUR  # type: ignore[attr-defined]
    FINAL.write(site.folder, FinalFile(run="spring-final", asked=START + 1))
    assert hand_in(anns) == 403
    moved = form_of(teachers, shown(START + 2 * HOUR))
    page = teachers.post("/teacher/deadline", moved).text
    assert "Another final is played" in page
    assert "in 1 h 0 min" in page
    assert hand_in(anns) == 403  # it was only shown
    teachers.post("/teacher/deadline", {**moved, "confirmed": "yes"})
    assert hand_in(anns) == 200
    assert "# Friday" in contest_file.read_text()  # comments stay


PLAYED = FinalFile(run="spring-final", asked=START + 1)


@pytest.mark.parametrize(
    ("final", "hours", "says"),
    [
        (PLAYED, 0, "The final spring-final counts."),
        (PLAYED, 1, "Another final is played now"),
        (PLAYED, 3, "Another final is played after 2027-"),
        (
            FinalFile(run="spring-rehearsal", asked=1, is_rehearsal=True),
            0,
            "The final is played now",
        ),
        (None, 3, "The final is played after 2027-"),
    ],
)
def test_preview_shows_which_final_counts(
    site: ContestSite, teachers: Browser, final: FinalFile | None, hours: int, says: str
) -> None:
    site.clock.now = START + 2 * HOUR  # type: ignore[attr-defined]
    if final:
        FINAL.write(site.folder, final)
    page = teachers.post("/teacher/deadline", form_of(teachers, shown(START + hours * HOUR)))
    assert says in page.text


@pytest.mark.parametrize("wrong", ["0001-01-01", "9999-12-31 23:59", "Friday"])
def test_invalid_deadline_changes_nothing(
    teachers: Browser, contest_file: Path, wrong: str
) -> None:
    before = contest_file.read_bytes()
    sent = form_of(teachers, wrong, confirmed="yes")
    answer = teachers.post("/teacher/deadline", sent)
    assert (answer.status_code, f"Got the time &#39;{wrong}" in answer.text) == (400, True)
    assert f'value="{wrong}"' in answer.text
    assert contest_file.read_bytes() == before


def test_removes_deadline_and_keeps_other_settings(
    site: ContestSite, teachers: Browser, contest_file: Path
) -> None:
    before = contest_file.read_text()
    teachers.post("/teacher/deadline", form_of(teachers, "", confirmed="yes"))
    assert site.contest.deadline.due is None
    assert set(before.splitlines()) - set(contest_file.read_text().splitlines()) == {
        line for line in before.splitlines() if line.startswith("due = ")
    }
    teachers.post("/teacher/deadline", form_of(teachers, shown(START), confirmed="yes"))
    assert site.contest.deadline.due == shown(START)


@pytest.mark.parametrize("confirmed", [{}, {"confirmed": "yes"}])
def test_rejects_deadline_if_the_file_has_changed(
    teachers: Browser, contest_file: Path, confirmed: dict[str, str]
) -> None:
    sent = form_of(teachers, shown(START + HOUR), **confirmed)
    text = contest_file.read_text().replace("refuse", "accept")
    contest_file.write_text(text)
    answer = teachers.post("/teacher/deadline", sent)
    assert (answer.status_code, ">contest.toml was changed after" in answer.text) == (409, True)
    assert contest_file.read_text() == text


def test_changes_made_at_the_same_time_are_not_lost(contest_file: Path) -> None:
    before = contest_file.read_bytes()
    with pytest.raises(SettingsError, match="at the same time"):
        change_setting(contest_file, "# as it was read", "serve", "final_rounds", 9)
    assert contest_file.read_bytes() == before


def test_applies_edited_file_and_reports_a_broken_one(
    site: ContestSite, teachers: Browser, anns: Browser, contest_file: Path
) -> None:
    site.clock.now = START + HOUR  # type: ignore[attr-defined]
    assert hand_in(anns) == 403
    text = contest_file.read_text()
    contest_file.write_text(text.replace("refuse", "accept"))
    assert hand_in(anns) == 200
    contest_file.write_text(text.replace("refuse", "accept"))
    assert hand_in(anns) == 200
    contest_file.write_text("due = maybe")
    assert hand_in(anns) == 200
    assert "The contest file has a mistake" in teachers.get("/teacher").text


# -- deadline, and versions a day -------------------------------------------------------


def send(browser: Browser, more: str = "") -> tuple[int, str]:
    """Submit a bot, and return the status and the page."""
    content = GOOD + more.encode()
    answer = browser.post("/submissions", files={"file": ("my_bot.py", content)})
    return answer.status_code, answer.text


def test_contest_opens(anns: Browser, teachers: Browser, clock: Clock, contest_file: Path) -> None:
    opens, text = shown(START - HOUR), contest_file.read_text()
    contest_file.write_text(text.replace("[deadline]\n", f'[deadline]\nopens = "{opens}"\n'))
    local = f"{datetime.fromtimestamp(START - HOUR):%Y-%m-%d %H:%M}"
    clock.now = START - HOUR - 1
    for page in (anns.get("/me").text, teachers.get("/teacher").text):
        assert local in page
    assert "<button>Submit" not in anns.get("/me").text
    status, page = send(anns)
    assert (status, f"submissions open at {local}" in page) == (403, True)
    clock.now += 1
    assert send(anns)[0] == 200
    refused = teachers.post("/teacher/deadline", form_of(teachers, opens))
    assert (refused.status_code, "when submissions open" in refused.text) == (400, True)


def test_contest_marks_late_submissions(anns: Browser, clock: Clock, contest_file: Path) -> None:
    contest_file.write_text(contest_file.read_text().replace("refuse", "accept"))
    assert ", late" not in send(anns)[1]
    clock.now += 60
    assert "New submissions are marked as late" in anns.get("/me").text
    assert "(late)" in send(anns, "#")[1]
    check_all(anns.site)
    assert "(late)" in anns.get("/me").text


def test_contest_can_reject_late_submissions(anns: Browser, clock: Clock) -> None:
    send(anns)
    clock.now += 1
    status, page = send(anns, "#")
    assert (status, "after the deadline" in page) == (403, True)
    assert "No more are accepted" in anns.get("/me").text
    check_all(anns.site)  # what came in time is checked after the deadline
    assert inbox_of(anns.site).of_owner("ann", 9)[0].state == "accepted"


def test_upload_time_is_its_start(site: ContestSite, ann: ContestPerson, clock: Clock) -> None:
    began = Visit(Request({"type": "http"}), site, ann, began=START)
    clock.now += 60  # while its body was read
    assert acknowledge(began, "my_bot.py", io.BytesIO(GOOD)).received == START
    with pytest.raises(HTTPException, match="after the deadline"):
        acknowledge(replace(began, began=START + 1), "my_bot.py", io.BytesIO(GOOD))


def test_limits_versions_per_day(anns: Browser, clock: Clock, contest_file: Path) -> None:
    text = contest_file.read_text().replace("refuse", "accept")
    contest_file.write_text(text.replace("[entrants]\n", "[entrants]\nversions_a_day = 2\n"))
    assert "You can submit 2 new versions per day" in anns.get("/me").text
    send(anns)
    send(anns, "#")
    status, page = send(anns, "##")
    assert (status, "and 2 waiting for the check, and the limit is 2 a day" in page) == (429, True)
    check_all(anns.site)
    assert "Got 2 new versions on" in send(anns, "##")[1]
    clock.now += 24 * HOUR
    assert send(anns, "##")[0] == 200
