"""Tests of the teacher's class pages: grades as pages and files."""

import csv
import io
import re
from datetime import UTC, datetime
from html import escape
from pathlib import Path

import pytest
from httpx2 import Response

from arena.contest.roster import Student
from arena.extras.serve.app import DISK_FULL
from arena.extras.serve.class_overview import Overview
from arena.extras.serve.ladder.ladder_files import FINAL, STATE, FinalFile, LadderState, is_over
from arena.extras.serve.ladder.ladder_player import Interrupts, Ladder
from arena.extras.serve.web.contest_site import ContestSite, open_site
from arena.tournament.store import Store
from tests.arena.command import done
from tests.arena.contest.submitted import accept, receive
from tests.arena.extras.serve.sample_boards import play_run
from tests.arena.extras.serve.sample_submissions import inbox_of
from tests.arena.extras.serve.visiting import Browser, Clock, make_contest
from tests.arena.runs import DICE_BOT, RUN_OPTIONS

FORMULA = "=1+1"


def rows_of(answer: Response) -> list[dict[str, str]]:
    """Return the rows of a CSV file, which begins with a byte order mark for Excel."""
    assert answer.content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


@pytest.fixture
def graded(site: ContestSite, teachers: Browser, tmp_path: Path) -> Browser:
    """The teacher's browser in a contest with three students, one of them without a bot."""
    site.people.add([
        Student("ann", "Ann <b>Lee</b>", "ann@example.edu"), Student("ben", FORMULA, team="red"),
        Student("cem", "Cem", team="red"), Student("dora", "Dora"),
    ])  # fmt: skip
    for name in ("ann", "ben"):
        accept(site.folder, name, DICE_BOT)
    done("run", site.contest_file, *RUN_OPTIONS, "--rounds", "1")
    accept(site.folder, "ben", f"{DICE_BOT}# late\n", at=datetime(2099, 12, 1, tzinfo=UTC))
    return teachers


def test_shows_grades_as_a_page_and_csv(graded: Browser) -> None:
    page = graded.get("/teacher/grades").text
    assert "Ann &lt;b&gt;Lee&lt;/b&gt;" in page
    assert "<b>Lee" not in page
    answer = graded.get("/teacher/grades.csv")
    assert answer.headers["Content-Type"].startswith("text/csv")
    assert "grades-spring.csv" in answer.headers["Content-Disposition"]
    rows = {row["id"]: row for row in rows_of(answer)}
    assert rows.keys() == {"ann", "ben", "cem", "dora"}
    assert rows["ben"]["name"] == f"'{FORMULA}"
    assert {rows[one]["late"] for one in rows} == {"no"}, "the late version did not play"
    assert [rows[one]["versions"] for one in ("ann", "ben", "dora")] == ["1", "1", "0"]
    assert rows["cem"]["bot"] == "ben"
    assert rows["ann"]["rank"]
    assert rows["ann"]["baselines"] == "1", "the teacher's bot, and no student"
    assert rows["dora"]["rank"] == ""
    canvas = graded.get("/teacher/grades.csv?run=spring&for=canvas")
    assert "grades-spring-canvas.csv" in canvas.headers["Content-Disposition"]
    assert canvas.text.startswith("Student,ID,SIS User ID,SIS Login ID,Section,spring")
    assert graded.get("/teacher/grades.csv?for=other").status_code == 404


def test_grades_without_a_run_list_everyone(teachers: Browser, anns: Browser) -> None:
    assert [row["id"] for row in rows_of(teachers.get("/teacher/grades.csv"))] == ["ann"]
    assert "Ann Lee" in teachers.get("/teacher/grades").text


@pytest.mark.parametrize("run", ["summer", "../spring", "/etc", "%00", "spring/../spring"])
def test_rejects_runs_of_other_contests(teachers: Browser, run: str) -> None:
    assert teachers.get(f"/teacher/grades?run={run}").status_code == 404


def test_overview_shows_current_state(site: ContestSite, graded: Browser, clock: Clock) -> None:
    ann = site.people.require("ann")
    for number in range(3):
        receive(site.folder, ann.id, f"# {number}\n")
    inbox = inbox_of(site)
    assert inbox.next_waiting()
    FINAL.write(site.folder, FinalFile(run="spring-final", asked=clock()))
    left_out = ("cem: <b>bold</b> does not start",)
    state = LadderState(activity="playing", run="spring", since=clock(), left_out=left_out)
    STATE.write(site.folder, state)
    now = Overview(site)
    assert (now.students, len(now.lines), now.fit) == (4, 3, 2)
    assert [line.owner.id for line in now.lines if not line.is_fit] == ["dora"]
    assert now.waiting == 3
    assert now.final
    assert (now.final.run, now.has_final_begun, now.is_final_over) == ("spring-final", False, False)
    page = graded.get("/teacher").text
    assert "<b>bold</b>" not in page
    for link in re.findall(r'href="(/[^"]*)"', page):
        assert graded.get(link).status_code == 200, link


def test_overview_shows_who_submitted_without_being_on_the_roster(
    site: ContestSite, teachers: Browser
) -> None:
    site.people.add([Student("dora", "Dora", team="Red"), Student("ed", "Ed", team="Red")])
    for name in ("ann", "ed", "gone"):
        accept(site.folder, name, DICE_BOT)
    receive(site.folder, "bob", "# bob\n")
    inbox_of(site).set_removed(["gone"], is_removed=True)
    now = Overview(site)
    lines = [(line.log.id, bool(line.owner), bool(line.member)) for line in now.lines]
    assert lines == [
        ("dora", True, False), ("bob", False, False), ("ann", False, False), ("ed", False, True)
    ]  # fmt: skip
    assert now.unlisted == 2
    page = teachers.get("/teacher").text
    assert "2 on the roster, 2 not on the roster<" in page
    assert "Ed is a member of the team Red" in page
    adds = re.search(
        r'name="id" value="(bob)">\s*<input type="hidden" name="name" value="(.*)"', page
    )
    assert adds
    teachers.post("/teacher/roster/add", {"id": adds[1], "name": adds[2]})
    teachers.post("/teacher/roster/ed/remove", {"confirmed": "yes"})
    teachers.post("/teacher/roster/ed/restore")
    assert (Overview(site).unlisted, Overview(site).apart) == (1, [])
    assert site.people.require("ed").owner == "dora"


def test_teacher_raises_the_rounds_of_an_automatic_final(tmp_path: Path, clock: Clock) -> None:
    due = datetime.fromtimestamp(clock() + 60, UTC).isoformat()
    file = make_contest(tmp_path / "spring", f'[deadline]\ndue = "{due}"  # Friday\n')
    site = open_site(file, clock=clock)
    teachers = Browser(site).sign_in(site.people.add_teacher())
    accept(site.folder, "ann", DICE_BOT)
    done("run", file, *RUN_OPTIONS, "--rounds", "1")
    plan = "<dt>Next final</dt><dd>{} rounds: [0-9]+ games, about [0-9]+ s<"
    assert re.search(plan.format(3), teachers.get("/teacher").text)
    assert teachers.post("/teacher/rounds", {"rounds": "many"}).status_code == 400
    page = teachers.post("/teacher/rounds", {"rounds": "6"}).text
    assert re.search(plan.format(6), page)
    assert "# Friday" in file.read_text()
    clock.now += 61
    ladder = Ladder(file, 1, Interrupts(), clock)
    ladder.play_or_wait()
    assert is_over(site.folder / "results/spring-final")
    with Store.open(site.folder / "results/spring-final") as store:
        assert store.settings().rounds == 6
    site.database.close()


REFUSED = [
    ("deadline", {"due": "Friday"}, 409),
    ("rounds", {"rounds": "many"}, 400),
    ("students/ann/due", {"due": "0001-01-01T18:00"}, 400),
    ("roster/add", {"id": "ann", "name": "Ann", "email": "a@x.org", "team": "Red"}, 400),
    ("roster/csv", {"text": "a,b,c\nA,</textarea>,C\n"}, 400),
]


@pytest.mark.parametrize(("path", "typed", "status"), REFUSED)
def test_refused_form_is_shown_again_with_the_typed_text(
    teachers: Browser, anns: Browser, path: str, typed: dict[str, str], status: int
) -> None:
    answer = teachers.post(f"/teacher/{path}", typed)
    assert answer.status_code == status
    assert 'role="alert"' in answer.text
    for name, text in typed.items():
        values = rf'name="{name}"[^>]*(value="|>\n){re.escape(escape(text))}["<]'
        assert re.search(values, answer.text), name
    assert "<h1>Forbidden" in anns.client.post(f"/teacher/{path}", data=typed).text


def test_rounds_of_a_final_under_way_stay(
    site: ContestSite, teachers: Browser, clock: Clock
) -> None:
    FINAL.write(site.folder, FinalFile(run="spring-final", asked=clock()))
    play_run(site.folder / "results/spring-final", is_over=False)
    assert "Next final" not in teachers.get("/teacher").text
    assert teachers.post("/teacher/rounds", {"rounds": "6"}).status_code == 409


def test_distinguishes_students_with_the_same_name(site: ContestSite, teachers: Browser) -> None:
    site.people.add([Student("ann1", "Ann Lee"), Student("ann2", "Ann Lee")])
    page = teachers.get("/teacher").text
    assert "Ann Lee (ann1)" in page
    assert "Ann Lee (ann2)" in page


def test_messages_for_teachers_do_not_refer_to_the_teacher(
    site: ContestSite, teachers: Browser, clock: Clock
) -> None:
    STATE.write(site.folder, LadderState(activity="waiting", run="spring", since=clock(), text="x"))
    former = site.people.make_key("teacher", "link")
    pages = [teachers.get(path).text for path in ("/", f"/sign-in/{former}", "/nowhere")]
    site.people.new_link("teacher")
    pages.append(Browser(site).get(f"/sign-in/{former}").text)
    for page in (*pages, DISK_FULL):
        assert not re.search(r"(ask|tell) (the|your) teacher|the teacher can see", page, re.I)


def test_overview_shows_error_in_the_file(site: ContestSite, teachers: Browser) -> None:
    site.contest_file.write_text("rounds = 'many'\n")
    answer = teachers.get("/teacher")
    assert answer.status_code == 200
    assert "rounds" in answer.text
