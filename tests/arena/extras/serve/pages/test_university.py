"""Signing in by a university, against an identity provider and a platform that run here."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from httpx2 import Client, Response
from joserfc.jwk import RSAKey

from arena.extras.serve.people import ContestPerson
from arena.extras.serve.server_database import changes_of, keep_address
from arena.extras.serve.web.contest_site import ContestSite
from tests.arena.extras.serve.sample_boards import play_run
from tests.arena.extras.serve.university import ROLE, University, open_university
from tests.arena.extras.serve.visiting import Browser, make_contest

HERE = "http://testserver"
TABLES = """\
[serve]
openid = {{ issuer = "{url}", client = "arena", secret = "openid.txt" }}
[serve.lti]
issuer = "{url}"
client = "arena"
deployment = "1"
login_url = "{url}/lti-login"
token_url = "{url}/token"
keys_url = "{url}/keys"
{course}
"""
OTHER_ACCOUNT = {"sub": "78", "email": "ann@example.edu", "name": "Ann Lee"}


@pytest.fixture(scope="module")
def running() -> Iterator[University]:
    with open_university() as university:
        yield university


@pytest.fixture
def university(running: University) -> University:
    """A university whose answers are right."""
    fresh = University()
    fresh.url = running.url
    for name, value in vars(fresh).items():
        if name not in ("key", "signing_key", "url"):
            setattr(running, name, value)
    running.signing_key = running.key
    return running


@pytest.fixture
def course() -> str:
    """How the settings name the course of the contest."""
    return 'course = "course-1"'


@pytest.fixture
def contest_file(tmp_path: Path, university: University, course: str) -> Path:
    tables = TABLES.format(url=university.url, course=course)
    file = make_contest(tmp_path / "contest", tables)
    (file.parent / "openid.txt").write_text("secret of the client\n")
    return file


def sign_in(visitor: Browser) -> Response:
    """Sign in by the identity provider, as a browser is led there and back."""
    keep_address(visitor.site.database, HERE)
    begun = visitor.client.get("/university", follow_redirects=False)
    assert begun.status_code == 302, begun.text
    with Client() as elsewhere:
        back = elsewhere.get(begun.headers["Location"])
    return visitor.client.get(back.headers["Location"].removeprefix(HERE))


def test_a_person_signs_in_by_a_verified_e_mail_and_later_by_the_account(
    site: ContestSite, visitor: Browser, ann: ContestPerson, university: University
) -> None:
    assert "Sign in with your university" in visitor.get("/").text
    assert sign_in(visitor).url.path == "/me"
    university.person = {"sub": "77", "name": "Ann"}
    other = Browser(site)
    assert sign_in(other).url.path == "/me"
    assert "Ann Lee" in other.get("/account").text


@pytest.mark.parametrize(
    "wrong",
    [
        {"email_verified": False},
        {"email_verified": "false"},
        {"email": "eve@example.edu", "sub": "78"},
        {"nonce": "old"},
        {"aud": "other"},
        {"iss": "https://other.example"},
        {"exp": 1},
    ],
)
def test_a_wrong_answer_signs_nobody_in(
    visitor: Browser, ann: ContestPerson, university: University, wrong: dict[str, object]
) -> None:
    university.claims = wrong
    assert sign_in(visitor).status_code == 403
    assert visitor.get("/me").status_code == 401


def test_a_second_account_with_an_e_mail_is_a_question_to_the_teacher(
    site: ContestSite, visitor: Browser, ann: ContestPerson, university: University
) -> None:
    assert sign_in(visitor).url.path == "/me"
    university.person = OTHER_ACCOUNT
    assert sign_in(Browser(site)).status_code == 403
    assert "Ann Lee" in changes_of(site.database, 1)[0].text
    site.people.revoke("ann")
    assert sign_in(Browser(site)).url.path == "/me"


def test_a_token_of_another_key_or_another_browser_signs_nobody_in(
    site: ContestSite, visitor: Browser, ann: ContestPerson, university: University
) -> None:
    assert visitor.get("/university/back?code=1&state=2").status_code == 403
    university.signing_key = RSAKey.generate_key(2048, {"kid": "own"}, private=True)
    assert sign_in(visitor).status_code == 403
    assert visitor.get("/me").status_code == 401


# -- the learning platform ---------------------------------------------------------------------


def launch(visitor: Browser, university: University, deployment: str = "1") -> Response:
    """Open the contest from the platform."""
    return visitor.client.post("/lti/launch", data=launch_form(visitor, university, deployment))


def launch_form(visitor: Browser, university: University, deployment: str = "1") -> dict[str, str]:
    """Return the form by which the platform opens the contest."""
    keep_address(visitor.site.database, HERE)
    asked = {"iss": university.url, "login_hint": "1", "target_link_uri": f"{HERE}/lti/launch"}
    begun = visitor.client.post("/lti/login", data=asked, follow_redirects=False)
    assert begun.status_code == 303, begun.text
    login = dict(parse_qsl(urlsplit(begun.headers["Location"]).query))
    assert login["redirect_uri"] == f"{HERE}/lti/launch"
    return university.launch_form(login, deployment)


def test_a_learner_is_signed_in_and_added(
    site: ContestSite, visitor: Browser, university: University
) -> None:
    assert launch(visitor, university).url.path == "/me"
    assert site.people.require("ann").email == "ann@example.edu"
    assert launch(Browser(site), university).url.path == "/me"
    assert len(site.people.all()) == 1


def test_a_wrong_launch_signs_nobody_in(
    site: ContestSite, visitor: Browser, university: University
) -> None:
    assert launch(visitor, university, deployment="2").status_code == 403
    for wrong in ({"aud": "other"}, {"nonce": "old"}, {"exp": 1}):
        university.claims = wrong
        assert launch(visitor, university).status_code == 403
    university.claims = {}
    university.signing_key = RSAKey.generate_key(2048, {"kid": "own"}, private=True)
    assert launch(visitor, university).status_code == 403
    university.signing_key = university.key
    university.course = "course-2"
    assert launch(visitor, university).status_code == 403
    university.course = ""
    assert launch(visitor, university).status_code == 403
    university.claims = {"iss": "https://other.example"}
    assert launch(visitor, university).status_code == 400
    form = {"id_token": "a.b.c", "state": "x"}
    assert visitor.client.post("/lti/launch", data=form).status_code == 403
    assert site.people.all() == []


def test_a_launch_serves_once(site: ContestSite, visitor: Browser, university: University) -> None:
    form = launch_form(visitor, university)
    cookies = dict(visitor.client.cookies)
    assert visitor.client.post("/lti/launch", data=form).url.path == "/me"
    other = Browser(site)
    other.client.cookies.update(cookies)
    assert other.client.post("/lti/launch", data=form).status_code == 403


@pytest.mark.parametrize("course", ['teachers = ["prof@example.edu"]'])
def test_the_first_launch_of_a_named_teacher_binds_the_course(
    site: ContestSite, visitor: Browser, university: University
) -> None:
    university.roles = [f"{ROLE}Instructor"]
    university.person = {"sub": "9", "email": "eve@example.edu", "name": "Eve"}
    assert launch(visitor, university).status_code == 403  # a teacher of any course
    university.person = {"sub": "1", "email": "Prof@example.edu", "name": "Prof"}
    assert launch(visitor, university).url.path.startswith("/teacher")
    university.person, university.course = {"sub": "9", "name": "Eve"}, "course-2"
    assert launch(Browser(site), university).status_code == 403
    assert [person.name for person in site.people.all()] == ["Prof"]


def test_roster_and_scores_go_between_platform_and_contest(
    site: ContestSite, visitor: Browser, ann: ContestPerson, university: University
) -> None:
    university.person = {"sub": "1", "email": "prof@example.edu", "name": "Prof"}
    university.roles = [f"{ROLE}Instructor"]
    assert launch(visitor, university).url.path == "/teacher"
    university.members = [
        {"user_id": "77", "email": "ann@example.edu", "name": "Ann Lee", "roles": ["Learner"]},
        {"user_id": "80", "email": "zoe@example.edu", "name": "Zoe", "roles": ["Learner"]},
        {"user_id": "1", "email": "prof@example.edu", "name": "Prof", "roles": ["Instructor"]},
        {"user_id": "81", "email": "zoe@example.edu", "name": "Zoe", "roles": ["Learner"]},
    ]
    page = visitor.post("/teacher/platform/roster")
    assert "1 student added" in page.text
    assert "Of 1 account" in page.text
    assert {person.id for person in site.people.students()} == {"ann", "zoe"}
    play_run(site.folder / "results" / "spring")
    assert "1 scores were passed" in visitor.post("/teacher/platform/grades").text
    (score,) = university.scores
    assert (score["userId"], score["scoreMaximum"]) == ("77", 100)
    assert 0 < score["scoreGiven"] < 100
    assert university.items[0]["label"] == "spring"


def test_without_a_platform_there_are_no_such_pages(
    tmp_path: Path, teachers: Browser, university: University
) -> None:
    assert "Open this contest on the platform" in teachers.get("/teacher/roster").text
    assert teachers.post("/teacher/platform/grades").status_code == 400
    assert teachers.get("/lti/keys").json()["keys"][0]["kty"] == "RSA"
