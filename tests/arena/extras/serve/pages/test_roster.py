"""Tests of the teacher's roster page and the students' account page."""

import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path

import pytest

from arena.base.errors import SettingsError
from arena.contest.roster import Student
from arena.extras.serve.enrolment import adopt_roster_file
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.roster_import import read_class_list
from arena.extras.serve.web.contest_site import ContestSite, open_site
from tests.arena.contest.submitted import accept
from tests.arena.extras.serve.sample_submissions import inbox_of
from tests.arena.extras.serve.visiting import Browser, Clock

YES = {"confirmed": "yes"}
CSV = "name;e-mail;team\nZoë Müller;zoe@x.org;Nobles\nLi Wei;;Nobles\n"


def links_in(page: str) -> list[str]:
    return re.findall(r'class="secret">\S+?(/sign-in/\w+)<', page)


def once_in(page: str) -> str:
    return re.findall(r'name="once" value="(\w+)"', page)[0]


def test_added_student_signs_in(teachers: Browser, visitor: Browser) -> None:
    page = teachers.post("/teacher/roster/add", {"name": "Ann <i>Lee</i>", "email": "a@x.org"})
    assert "Ann &lt;i&gt;Lee&lt;/i&gt;" in page.text
    (link,) = links_in(page.text)
    assert "Ann &lt;i&gt;Lee" in visitor.get(link).text
    visitor.post(link)
    assert visitor.get("/account").status_code == 200


def test_adds_class_from_file_or_text(teachers: Browser, site: ContestSite) -> None:
    page = teachers.post("/teacher/roster/csv", {"text": CSV, "confirmed": "yes"})
    assert len(links_in(page.text)) == 2
    zoe = site.people.require("Zoe-Muller")
    assert (zoe.name, zoe.email, zoe.team) == ("Zoë Müller", "zoe@x.org", "Nobles")
    li = site.people.require("Li-Wei")
    assert (zoe.owner, zoe.bot_name) == (li.owner, li.bot_name) == (zoe.id, "Nobles")
    assert "Zoë Müller, Li Wei" in Browser(site).sign_in(li).get("/account").text
    more = (CSV + "Kim;;\n").encode("utf-8-sig")
    page = teachers.post(
        "/teacher/roster/csv", {"confirmed": "yes"}, files={"file": ("class.csv", more)}
    )
    assert len(links_in(page.text)) == 1
    assert len(site.people.all()) == 4
    wrong = {"text": "a,b,c\nA,B,C\n"}
    assert teachers.post("/teacher/roster/csv", wrong).status_code == 400
    assert teachers.post("/teacher/roster/teacher/link").status_code == 400
    assert teachers.post("/teacher/roster/nobody/link").status_code == 404


def test_double_click_adds_a_class_once(teachers: Browser, site: ContestSite, clock: Clock) -> None:
    preview = teachers.post("/teacher/roster/csv", {"text": CSV}).text
    sent = {"text": CSV, **YES, "once": once_in(preview)}
    with ThreadPoolExecutor() as pool:
        both = [pool.submit(teachers.post, "/teacher/roster/csv", sent) for _ in "ab"]
        first, second = [links_in(answer.result().text) for answer in both]
    assert len(first) == 2
    assert first == second
    assert Browser(site).post(first[0]).url.path == "/me"
    clock.now += 601
    assert not links_in(teachers.post("/teacher/roster/csv", sent).text)


@pytest.mark.parametrize("path", ["roster/add", "roster/ann/link", "roster/links", "token"])
def test_forms_that_create_secrets_can_be_sent_twice(
    teachers: Browser, anns: Browser, path: str
) -> None:
    browser, page, path = (
        (anns, "/account", "/account/token")
        if path == "token"
        else (teachers, "/teacher/roster", f"/teacher/{path}")
    )
    text = browser.get(page).text
    if path.endswith("links"):
        text = browser.post(path).text
    form = {"name": "Kim", **YES, "once": once_in(text)}
    secrets = [re.findall(r'class="secret">(\S+)<', browser.post(path, form).text) for _ in "ab"]
    assert secrets[0]
    assert secrets[0] == secrets[1]


def test_token_of_a_form_is_of_its_sender_and_fields(
    site: ContestSite, teachers: Browser, anns: Browser
) -> None:
    kim = {"name": "Kim", "id": "kim", "once": "a"}
    (link,) = links_in(teachers.post("/teacher/roster/add", kim).text)
    assert anns.post("/teacher/roster/add", kim).status_code == 403
    assert links_in(teachers.post("/teacher/roster/add", {**kim, "id": "lou"}).text) != [link]
    taken = {"name": "Kai", "id": "kim", "once": "b"}
    assert teachers.post("/teacher/roster/add", taken).status_code == 400
    site.people.remove([site.people.require("kim")])
    assert links_in(teachers.post("/teacher/roster/add", taken).text), "it was not added before"


def test_creates_new_links_for_everyone(
    teachers: Browser, anns: Browser, bob: ContestPerson
) -> None:
    assert "stop working" in teachers.post("/teacher/roster/links").text
    links = links_in(teachers.post("/teacher/roster/links", YES).text)
    assert len(set(links)) == 2
    assert anns.get("/me").status_code == 401


def test_new_link_replaces_link_and_token_and_signs_out(
    teachers: Browser, anns: Browser, visitor: Browser, site: ContestSite
) -> None:
    former, token = [site.people.make_key("ann", kind) for kind in ("link", "token")]
    (link,) = links_in(teachers.post("/teacher/roster/ann/link").text)
    assert anns.get("/me").status_code == 401
    assert visitor.get(f"/sign-in/{former}").status_code == 404
    assert visitor.get(link).status_code == 200
    assert site.people.of_key(token, "token") is None


def test_student_creates_a_token(anns: Browser, site: ContestSite) -> None:
    page = anns.post("/account/token").text
    (token,) = re.findall(r'class="secret">(\w+)<', page)
    person = site.people.of_key(token, "token")
    assert person is not None
    assert person.id == "ann"
    assert site.people.of_key(token, "link") is None


def test_adopts_roster_file_once(contest_file: Path) -> None:
    file = contest_file.with_name("class.csv")
    file.write_text("id,name\nann,Ann Lee\nbob,Bob\n")
    text = contest_file.read_text().replace("[entrants]", '[entrants]\nroster = "class.csv"')
    contest_file.write_text(text)
    site = open_site(contest_file)
    adopt_roster_file(site.people, site.contest_file)
    teachers = Browser(site).sign_in(site.people.add_teacher())
    teachers.post("/teacher/roster/bob/remove", YES)
    teachers.post("/teacher/roster/add", {"name": "Cy"})
    adopt_roster_file(site.people, site.contest_file)
    assert [student.id for student in site.people.students()] == ["ann", "Cy"]
    assert site.contest.entrants.roster is None, "the bots of all of them play"
    assert "Cy" not in file.read_text()
    site.database.close()


def test_changes_team_by_removing_and_adding(
    teachers: Browser, ann: ContestPerson, site: ContestSite
) -> None:
    accept(site.folder, "ann")
    again = {"name": "Ann Lee", "id": "ann", "team": "<b>Nobles</b>"}
    assert teachers.post("/teacher/roster/add", again).status_code == 400
    teachers.post("/teacher/roster/ann/remove", YES)
    page = teachers.post("/teacher/roster/add", again).text
    assert "&lt;b&gt;Nobles&lt;/b&gt;" in page
    assert "<b>Nobles" not in page
    assert [one.owner for one in inbox_of(site).lineup()] == ["ann"]
    assert site.people.require("ann").pseudonym == ann.pseudonym


def test_previews_import_and_sends_the_same_students(
    site: ContestSite, teachers: Browser, ann: ContestPerson
) -> None:
    text = (
        "id;name;team;note\r\nann;Ann Maria Lee;\r\n;Xenia <b>;Red\r\ny;Yuri;Red\r\n"
        "y;Zoë;\r\na b;Ada;\r\n"
    )
    page = teachers.post("/teacher/roster/csv", files={"file": ("class.csv", text.encode())}).text
    assert "not changed: 1<" in page
    assert "Ann Lee (ann)" in page
    assert ">2 rows can" in page
    assert "Line 5: Zoë has the id &#39;y&#39; of line 4." in page
    assert "Line 6: got &#39;a b&#39; as an id" in page
    assert "ignored: note." in page
    assert "Add 2 students" in page
    found = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", page, re.DOTALL)
    assert found
    assert len(site.people.students()) == 1
    teachers.post("/teacher/roster/csv", {"text": unescape(found[1]), "confirmed": "yes"})
    assert [(one.name, one.team) for one in site.people.students()] == [
        ("Ann Lee", ""),
        ("Xenia <b>", "Red"),
        ("Yuri", "Red"),
    ]


def test_restores_removed_student(site: ContestSite, teachers: Browser, anns: Browser) -> None:
    accept(site.folder, "ann")
    assert "Remove Ann Lee?" in teachers.post("/teacher/roster/ann/remove").text
    assert anns.get("/me").status_code == 200
    teachers.post("/teacher/roster/ann/remove", YES)
    assert anns.get("/me").status_code == 401
    assert site.people.get("ann") is None
    assert not inbox_of(site).lineup()
    page = teachers.post("/teacher/roster/ann/restore").text
    assert "/sign-in/" in page
    assert [one.owner for one in inbox_of(site).lineup()] == ["ann"]
    assert site.people.require("ann").email == "ann@example.edu"


def test_student_must_leave_team_before_removal(site: ContestSite, teachers: Browser) -> None:
    site.people.add([Student("a", "A", team="Nobles"), Student("b", "B", team="Nobles")])
    assert teachers.post("/teacher/roster/a/remove", YES).status_code == 400
    assert teachers.post("/teacher/roster/b/remove", YES).status_code == 200
    assert teachers.post("/teacher/roster/a/remove", YES).status_code == 200


def test_teachers_share_the_rights(site: ContestSite, teachers: Browser, anns: Browser) -> None:
    teachers.post("/teacher/roster/add", {"name": "Tom", "role": "teacher"})
    toms = Browser(site).sign_in(site.people.require("Tom"))
    pages = ("/teacher", "/teacher/roster", "/teacher/grades", "/teacher/students/ann")
    for browser, status in ((toms, 200), (anns, 403)):
        assert [browser.get(path).status_code for path in pages] == [status] * len(pages)


ANN, LI = Student("ann", "Ann Lee", "ann@x.org"), Student("Li-Wei", "Li Wei")


@pytest.mark.parametrize(
    ("content", "students"),
    [
        (
            b"Ann Lee\nLi Wei\nLi Wei\n",
            [Student("Ann-Lee", "Ann Lee"), LI, Student("Li-Wei-2", "Li Wei")],
        ),
        (
            b'"First name",Surname,"ID number","Email address",Groups\nAnn,Lee,ann,ann@x.org,\n',
            [ANN],
        ),
        (
            b"Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"
            b'"Lee, Ann",17,900,ann,A\n"Student, Test",,,,A\n',
            [Student("ann", "Ann Lee")],
        ),
        (b"name;note\nLi Wei;late\n", [LI]),
    ],
    ids=["names", "moodle", "canvas", "unknown column"],
)
def test_reads_files_of_teachers(content: bytes, students: list[Student]) -> None:
    assert read_class_list(content, lambda _: None).students == students


@pytest.mark.parametrize(
    "content",
    [b"nom,prenom,classe\nLee,Ann,A\n", b"\xff\xff", b"PK\x03\x04"],
)
def test_other_files_are_refused(content: bytes) -> None:
    with pytest.raises(SettingsError):
        read_class_list(content, lambda _: None)
