"""Tests of signing in with a personal link, and signing out."""

from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.sessions import COOKIE, SESSION_S
from tests.arena.extras.serve.visiting import Browser, Clock


def test_link_asks_for_confirmation(
    site: ContestSite, ann: ContestPerson, visitor: Browser
) -> None:
    path = f"/sign-in/{site.people.make_key('ann', 'link')}"
    asked = visitor.get(path)
    assert "Ann Lee" in asked.text
    assert visitor.get("/me").status_code == 401
    answer = visitor.post(path, follow_redirects=False)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/me")
    assert "Ann Lee" in visitor.get("/me").text


def test_signing_in_ends_the_former_session(
    site: ContestSite, ann: ContestPerson, anns: Browser
) -> None:
    before = anns.client.cookies[COOKIE]
    anns.sign_in(ann)
    assert anns.client.cookies[COOKIE] != before
    thief = Browser(site)
    thief.client.cookies.set(COOKIE, before)
    assert thief.get("/me").status_code == 401


def test_signing_out_ends_the_session_everywhere(anns: Browser) -> None:
    thief = Browser(anns.site)
    thief.client.cookies.set(COOKIE, anns.client.cookies[COOKIE])
    assert thief.get("/me").status_code == 200
    anns.post("/sign-out")
    assert anns.get("/me").status_code == 401
    assert thief.get("/me").status_code == 401


def test_session_expires(anns: Browser, clock: Clock) -> None:
    clock.now += SESSION_S
    assert anns.get("/me").status_code == 200
    clock.now += 1
    assert anns.get("/me").status_code == 401
