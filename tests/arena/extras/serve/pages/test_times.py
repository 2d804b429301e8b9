"""The times of submissions: opening, deadline, and versions a day."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.contest.roster import Student
from arena.extras.serve.submissions.submission_store import SubmissionStore
from arena.extras.serve.web.contest_site import ContestSite, open_site
from tests.arena.extras.serve.sample_submissions import GOOD, check_all
from tests.arena.extras.serve.visiting import START, Browser, Clock, make_contest, make_random_bytes

HOUR = 3600.0


def shown(seconds: float) -> str:
    """Return a time as contest.toml has it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()


class Contest:
    """A contest with times, its clock, and the browser of Ann."""

    def __init__(self, folder: Path, table: str = "", entrants: str = "") -> None:
        self.clock = Clock()
        file = make_contest(folder, table)
        file.write_text(file.read_text().replace("[entrants]\n", f"[entrants]\n{entrants}"))
        self.site: ContestSite = open_site(file, clock=self.clock, random_bytes=make_random_bytes())
        (ann,) = self.site.people.add([Student("ann", "Ann Lee")])
        self.browser = Browser(self.site).sign_in(ann)

    def send(self, more: str = "") -> tuple[int, str]:
        """Hand in a bot, and return the status and the page that answer."""
        content = GOOD + more.encode()
        answer = self.browser.post("/submissions", files={"file": ("my_bot.py", content)})
        return answer.status_code, answer.text


@pytest.fixture
def open_contest(tmp_path: Path) -> Iterator[list[Contest]]:
    """Contests whose databases are closed at the end."""
    made: list[Contest] = []
    yield made
    for one in made:
        one.site.database.close()


def test_a_contest_opens_and_marks_late_submissions(
    tmp_path: Path, open_contest: list[Contest]
) -> None:
    opens, due = shown(START + HOUR), shown(START + 3 * HOUR)
    table = f'[deadline]\nopens = "{opens}"\ndue = "{due}"\ngrace_minutes = 60\n'
    contest = Contest(tmp_path / "late", table)
    open_contest.append(contest)
    assert "Submissions open at" in contest.browser.get("/me").text
    status, page = contest.send()
    assert (status, "submissions open at" in page) == (403, True)
    contest.clock.now = START + 4 * HOUR
    assert ", late" not in contest.send()[1]
    contest.clock.now += 60
    assert "Submissions that come now are marked as late" in contest.browser.get("/me").text
    assert ", late" in contest.send("#")[1]
    check_all(contest.site)
    assert "(late)" in contest.browser.get("/me").text


def test_a_contest_may_refuse_late_submissions(tmp_path: Path, open_contest: list[Contest]) -> None:
    table = f'[deadline]\ndue = "{shown(START)}"\nlate = "refuse"\n'
    contest = Contest(tmp_path / "refuses", table)
    open_contest.append(contest)
    contest.send()
    contest.clock.now += 1
    status, page = contest.send("#")
    assert (status, "after the deadline" in page) == (403, True)
    assert "None are accepted any more" in contest.browser.get("/me").text
    check_all(contest.site)  # what came in time is checked after the deadline
    assert SubmissionStore(contest.site.database).of_bot("ann", 9)[0].state == "accepted"
    assert contest.browser.post("/versions", {"version": "1"}).status_code == 403


def test_versions_a_day_are_limited(tmp_path: Path, open_contest: list[Contest]) -> None:
    contest = Contest(tmp_path / "limited", entrants="versions_a_day = 2\n")
    open_contest.append(contest)
    assert "2 new versions a day are allowed" in contest.browser.get("/me").text
    contest.send()
    contest.send("#")
    status, page = contest.send("##")
    assert (status, "and 2 waiting for the check, and 2 a day are allowed" in page) == (429, True)
    check_all(contest.site)
    assert "got 2 new versions on" in contest.send("##")[1]
    contest.clock.now += 24 * HOUR
    assert contest.send("##")[0] == 200
