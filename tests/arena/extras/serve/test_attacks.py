"""Tests of attacks on all pages: each gets the right status, and nothing changes."""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import quote

import pytest
from limits import RateLimitItemPerSecond

from arena.contest.roster import Student
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import PERSON_RATE, ContestSite
from arena.extras.serve.web.sessions import COOKIE
from tests.arena.extras.serve.attacking import API_DOORS, CHANGES, READ, TEACHERS_DOORS, Door, kept
from tests.arena.extras.serve.visiting import Browser

REFUSALS = {400, 401, 403, 404, 405, 413, 422}
EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
SQL = [
    *("' OR '1'='1", "ann' --", 'ann"; DROP TABLE people; --', "1 UNION SELECT value FROM server"),
    *("%", "_nn", "1e1", "-1", "9223372036854775808", "٣", "ann\x00", "😀", "x" * 5000),
]
PATHS = [
    *("..", "../contest.toml", "..%2fcontest.toml", "..%2f..%2f..%2f..%2fetc%2fpasswd", "~root"),
    *("%2e%2e%2fserver.db", "....//contest.toml", "%2fetc%2fpasswd", "..%5ccontest.toml"),
    *("contest.toml%00", "file:%2f%2f%2fetc%2fpasswd"),
]
ELSEWHERE = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver"},
    *[
        {"Origin": origin}
        for origin in ("null", "", "https://evil.example", "http://testserver:81")
    ],
)
"""Headers of forms that a page of another site sends."""
SECRETS = ("root:x:0:0", "SQLite format 3", 'name = "spring"')
"""Contents of files that an attacker may try to read."""


class Keys(NamedTuple):
    links: Mapping[str, str]
    tokens: Mapping[str, str]


@pytest.fixture
def keys(site: ContestSite, anns: Browser, teachers: Browser, bob: ContestPerson) -> Keys:
    """Everyone's links and tokens. Ann and the teacher are signed in."""
    site.people.add([Student("eve", "Eve")])
    ids = [one.id for one in site.people.all()]
    return Keys(
        {one: site.people.make_key(one, "link") for one in ids},
        {one: site.people.make_key(one, "token") for one in ids},
    )


@pytest.fixture
def unchanged(site: ContestSite, keys: Keys) -> Iterator[None]:
    before = kept(site)
    yield
    assert kept(site) == before


def say(one: Door) -> str:
    return str(one)


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("door", TEACHERS_DOORS, ids=say)
def test_students_cannot_open_teacher_pages(anns: Browser, door: Door) -> None:
    path = door.with_all("bob")
    assert anns.client.request(door.method, path).status_code == 403


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("door", TEACHERS_DOORS, ids=say)
def test_tokens_cannot_open_teacher_pages(visitor: Browser, keys: Keys, door: Door) -> None:
    path = door.with_all("bob")
    for person in ("ann", "teacher"):
        headers = {"Authorization": f"Bearer {keys.tokens[person]}"}
        assert visitor.client.request(door.method, path, headers=headers).status_code == 401


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("door", CHANGES, ids=say)
def test_rejects_forms_from_other_sites(teachers: Browser, anns: Browser, door: Door) -> None:
    """An attacker makes a signed-in browser send a form from another site."""
    path = door.with_all("ann")
    for victim in (teachers, anns):
        for headers in ELSEWHERE:
            assert victim.post(path, headers=headers).status_code in (403, 404), headers
        assert victim.get(path).status_code in (200, *REFUSALS)


@pytest.mark.parametrize("door", API_DOORS, ids=say)
def test_programs_need_a_token(site: ContestSite, anns: Browser, keys: Keys, door: Door) -> None:
    """Browsers send cookies automatically, so cookies don't suffice; nor do sign-in links."""
    path = door.with_all("1")
    site.people.new_link("bob")
    before = kept(site)
    for key in ("", "x", keys.links["ann"], keys.tokens["bob"], "Bearer"):
        headers = {"Authorization": f"Bearer {key}"}
        answer = anns.client.request(door.method, path, headers=headers)
        assert answer.status_code == 401
        assert answer.json().keys() == {"error"}
    assert anns.client.request(door.method, path).status_code == 401
    assert kept(site) == before


@pytest.mark.parametrize("charset", ["undefined", '"unicode_escape"'])
def test_rejects_forms_in_other_encodings(anns: Browser, charset: str) -> None:
    head = {"Content-Type": f"multipart/form-data; boundary=x; charset={charset}"}
    body = b'--x\r\nContent-Disposition: form-data; name="code"\r\n\r\n\\ud800\r\n--x--\r\n'
    assert anns.client.post("/submissions", content=body, headers=head).status_code == 415


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("value", SQL)
def test_ids_with_sql_are_harmless(
    site: ContestSite, teachers: Browser, anns: Browser, value: str
) -> None:
    assert site.people.get(value) is site.people.find_id(value) is None
    assert site.people.find_account(value) is site.people.of_key(value, "link") is None
    for door in [*READ, *CHANGES]:
        if not door.parameters:
            continue
        for browser in (teachers, anns):
            assert ask(browser, door, value) in REFUSALS, f"{door} with {value!r}"


def ask(browser: Browser, door: Door, value: str) -> int:
    """Return the status for a path in which each parameter has this value."""
    path = door.with_all(quote(value, safe=""), quote(value, safe=""))
    return browser.client.request(door.method, path).status_code


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("value", PATHS)
def test_hostile_paths_never_return_secret_files(teachers: Browser, value: str) -> None:
    paths = [f"/static/{value}", f"/static/x/../{value}", f"/{value}"]
    paths += [door.with_all(value, value) for door in READ if door.parameters]
    for path in paths:
        answer = teachers.client.get(path)
        assert answer.status_code in (200, *REFUSALS)
        assert [text for text in SECRETS if text in answer.text] == [], path


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("door", READ, ids=say)
def test_reading_changes_nothing(
    teachers: Browser, anns: Browser, visitor: Browser, door: Door
) -> None:
    for browser in (teachers, anns, visitor):
        assert browser.get(door.with_all("1")).status_code in (200, *REFUSALS)


@pytest.mark.parametrize("forged", ["", "x", "x.y", "." * 50, "é", "0" * 48 + "." + "A" * 43])
def test_rejects_forged_cookie(teachers: Browser, visitor: Browser, forged: str) -> None:
    visitor.client.cookies.clear()
    headers = {"Cookie": f"{COOKIE}={forged}".encode()}
    assert visitor.client.get("/me", headers=headers).status_code == 401
    headers = {"Cookie": f"{COOKIE}={teachers.client.cookies[COOKIE]}{forged or '0'}".encode()}
    assert visitor.client.get("/me", headers=headers).status_code == 401


def test_escapes_names_on_each_page(site: ContestSite, teacher: ContestPerson) -> None:
    evil = site.people.add([Student("eve", EVIL, f"{EVIL}@x.org", EVIL)])[0]
    site.people.make_key("eve", "token")
    teachers = Browser(site).sign_in(teacher)
    evils = Browser(site).sign_in(evil)
    shown = 0
    for door in READ:
        for browser in (teachers, evils, Browser(site)):
            answer = browser.get(door.with_all("eve"))
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            if answer.headers.get("Content-Type", "").startswith(("text/csv", "application/")):
                continue  # no browser runs it
            assert "<script>alert" not in answer.text, str(door)
            assert "<img src=x" not in answer.text, str(door)
            shown += "&lt;script&gt;alert" in answer.text
    assert shown >= 3


def test_scripts_cannot_read_cookies(
    site: ContestSite, ann: ContestPerson, visitor: Browser
) -> None:
    link = f"/sign-in/{site.people.make_key('ann', 'link')}"
    answer = visitor.post(link, follow_redirects=False)
    given = answer.headers["Set-Cookie"].lower()
    assert "httponly" in given
    assert "samesite=lax" in given
    assert "secure" not in given  # over HTTP the browser would not send it back
    https = Browser(site, base_url="https://arena.example.edu")
    answer = https.post(link, follow_redirects=False)
    assert "secure" in answer.headers["Set-Cookie"].lower()


def test_limits_requests_per_address(site: ContestSite) -> None:
    strict = dataclasses.replace(site, address_rate=RateLimitItemPerSecond(3, 30))
    visitor = Browser(strict)
    statuses = [visitor.get(f"/sign-in/{number}").status_code for number in range(4)]
    assert statuses == [404, 404, 404, 429]
    assert visitor.get("/sign-in/x").headers["Retry-After"] in ("30", "31")


def test_limits_requests_per_person(teachers: Browser, anns: Browser, visitor: Browser) -> None:
    """Only the person who floods the server is rate-limited."""
    statuses = [anns.get("/account").status_code for _ in range(PERSON_RATE.amount + 50)]
    assert statuses[0] == 200
    assert statuses[-1] == 429
    assert anns.get("/static/serve.css").status_code == 200
    assert teachers.get("/account").status_code == 200
    assert visitor.get("/").status_code == 200


def test_stores_only_hashes_of_secrets(site: ContestSite, anns: Browser, keys: Keys) -> None:
    """A reader of a copy of the database can't sign in."""
    dump = str(kept(site))
    assert [one for one in [*keys.links.values(), *keys.tokens.values()] if one in dump] == []
    assert anns.client.cookies[COOKIE] not in dump
