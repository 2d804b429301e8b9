"""The teacher's page of the roster, and the account of a student."""

import re
from pathlib import Path

import pytest

from arena.contest.contest_file import read_contest
from arena.contest.roster import read_roster_file
from arena.extras.serve.enrolment import adopt_roster_file
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import ContestSite, open_site
from tests.arena.extras.serve.visiting import Browser

CSV = "name;e-mail;team\nZoë Müller;zoe@x.org;Nobles\nLi Wei;;Nobles\n"


def links_in(page: str) -> list[str]:
    """Return the paths of the sign-in links that a page shows."""
    return re.findall(r'class="secret">\S+?(/sign-in/\w+)<', page)


def test_a_student_is_typed_in_and_signs_in(teachers: Browser, visitor: Browser) -> None:
    page = teachers.post("/teacher/roster/add", {"name": "Ann <i>Lee</i>", "email": "a@x.org"})
    assert "Ann &lt;i&gt;Lee&lt;/i&gt;" in page.text
    (link,) = links_in(page.text)
    assert "Ann &lt;i&gt;Lee" in visitor.get(link).text
    visitor.post_to(link)
    assert visitor.get("/account").status_code == 200


def test_a_class_is_added_from_a_file_or_text(teachers: Browser, site: ContestSite) -> None:
    page = teachers.post("/teacher/roster/csv", {"text": CSV})
    assert len(links_in(page.text)) == 2
    zoe = site.people.require("Zoe-Muller")
    assert (zoe.name, zoe.email, zoe.team) == ("Zoë Müller", "zoe@x.org", "Nobles")
    more = (CSV + "Kim;;\n").encode("utf-8-sig")
    page = teachers.post("/teacher/roster/csv", files={"file": ("class.csv", more)})
    assert len(links_in(page.text)) == 1
    assert len(site.people.all()) == 4


@pytest.mark.parametrize(
    "data", [{"text": "first,last\nA,B\n"}, {"text": ""}, {"text": "name\n\x07\n"}]
)
def test_what_is_no_roster_is_refused(
    teachers: Browser, site: ContestSite, data: dict[str, str]
) -> None:
    assert teachers.post("/teacher/roster/csv", data).status_code == 400
    assert len(site.people.all()) == 1


def test_members_of_a_team_share_a_bot(teachers: Browser, site: ContestSite) -> None:
    teachers.post("/teacher/roster/csv", {"text": CSV})
    first, second = site.people.require("Zoe-Muller"), site.people.require("Li-Wei")
    assert first.owner == second.owner == first.id
    assert first.bot_name == second.bot_name == "Nobles"
    assert site.people.members(first.id) == [first, second]
    assert "Zoë Müller, Li Wei" in Browser(site).sign_in(second).get("/account").text


def test_a_link_that_is_made_again_replaces_the_former(
    teachers: Browser, ann: ContestPerson, visitor: Browser, site: ContestSite
) -> None:
    former = site.people.make_key("ann", "link")
    (link,) = links_in(teachers.post("/teacher/roster/ann/link").text)
    assert visitor.get(f"/sign-in/{former}").status_code == 404
    assert visitor.get(link).status_code == 200


def test_who_is_revoked_is_out_at_once(teachers: Browser, anns: Browser, site: ContestSite) -> None:
    token = site.people.make_key("ann", "token")
    link = site.people.make_key("ann", "link")
    teachers.post("/teacher/roster/ann/revoke")
    assert anns.get("/me").status_code == 401
    assert Browser(site).get(f"/sign-in/{link}").status_code == 404
    assert site.people.of_key(token, "token") is None


def test_the_teacher_is_not_locked_out(teachers: Browser) -> None:
    assert teachers.post("/teacher/roster/teacher/revoke").status_code == 400
    assert teachers.get("/teacher/roster").status_code == 200


def test_an_unknown_id_is_not_found(teachers: Browser) -> None:
    assert teachers.post("/teacher/roster/nobody/link").status_code == 404


def test_a_student_makes_a_token(anns: Browser, site: ContestSite) -> None:
    page = anns.post("/account/token").text
    (token,) = re.findall(r'class="secret">(\w+)<', page)
    person = site.people.of_key(token, "token")
    assert person is not None
    assert person.id == "ann"
    assert site.people.of_key(token, "link") is None


def test_students_are_added_to_the_roster_file_too(contest_file: Path, tmp_path: Path) -> None:
    file = contest_file.parent / "class.csv"
    file.write_text("id,name,e-mail\nann,Ann Lee,\n")
    text = contest_file.read_text().replace("[entrants]", '[entrants]\nroster = "class.csv"')
    contest_file.write_text(text)
    site = open_site(contest_file)
    teachers = Browser(site).sign_in(site.people.add_teacher())
    assert teachers.post("/teacher/roster/add", {"name": "Bob, Ray"}).status_code == 200
    assert read_roster_file(file).students.keys() == {"ann", "Bob-Ray"}
    assert site.people.require("ann").name == "Ann Lee"
    refused = teachers.post("/teacher/roster/add", {"name": "Cy", "team": "Nobles"})
    assert refused.status_code == 400
    assert site.people.get("Cy") is None
    assert read_contest(contest_file).entrants.roster is not None
    site.database.close()


def test_the_teacher_changes_an_e_mail_and_a_team(
    teachers: Browser, anns: Browser, site: ContestSite
) -> None:
    form = teachers.get("/teacher/roster/ann/edit").text
    assert 'value="ann@example.edu"' in form
    changed = {"email": " a@x.org ", "team": "<b>Nobles</b>"}
    assert anns.post("/teacher/roster/ann/edit", changed).status_code == 403
    assert teachers.client.post("/teacher/roster/ann/edit", data=changed).status_code == 403
    page = teachers.post("/teacher/roster/ann/edit", changed)
    assert page.url.path == "/teacher/roster"
    assert "<td>a@x.org</td><td>&lt;b&gt;Nobles&lt;/b&gt;</td>" in page.text
    assert "&lt;b&gt;Nobles" in anns.get("/me").text
    assert site.people.require("ann").email == "a@x.org"
    assert teachers.get("/teacher/roster/nobody/edit").status_code == 404
    assert teachers.post("/teacher/roster/nobody/edit", changed).status_code == 404


def test_a_student_with_a_bot_does_not_join_a_team(
    teachers: Browser, anns: Browser, site: ContestSite
) -> None:
    teachers.post("/teacher/roster/csv", {"text": CSV})
    folder = site.folder / "submissions" / "ann" / "1"
    folder.mkdir(parents=True)
    refused = teachers.post("/teacher/roster/ann/edit", {"team": "Nobles"})
    assert refused.status_code == 400
    assert "Ann Lee has submitted a bot" in refused.text
    assert site.people.require("ann").team == ""


def test_a_change_reaches_the_roster_file(contest_file: Path) -> None:
    file = contest_file.parent / "class.csv"
    file.write_text("id,name,team,room\nann,Ann,red,7\nbob,Bob,red,8\n")
    file.chmod(0o640)
    text = contest_file.read_text().replace("[entrants]", '[entrants]\nroster = "class.csv"')
    contest_file.write_text(text)
    site = open_site(contest_file)
    adopt_roster_file(site.people, site.contest)
    teachers = Browser(site).sign_in(site.people.add_teacher())
    assert teachers.post("/teacher/roster/ann/edit", {"team": "blue"}).status_code == 200
    assert file.read_text() == "id,name,team,room\nann,Ann,blue,7\nbob,Bob,blue,8\n"
    assert file.stat().st_mode & 0o777 == 0o640
    refused = teachers.post("/teacher/roster/bob/edit", {"team": "", "email": "b@x.org"})
    assert refused.status_code == 400
    assert site.people.require("bob").team == "blue", "the file has no column for an e-mail"
    site.database.close()
