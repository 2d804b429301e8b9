"""Signing in by the header of a proxy: off by default, and from this machine only."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from httpx2 import Response
from starlette.testclient import TestClient
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from arena.contest.roster import Student
from arena.extras.serve.app import application
from arena.extras.serve.server import PROXIES
from arena.extras.serve.web.contest_site import ContestSite, open_site
from arena.extras.serve.web.middleware import RealPeer
from tests.arena.extras.serve.visiting import csrf_in

HEADER = "X-Remote-User"


@pytest.fixture
def trusting(contest_file: Path) -> Iterator[ContestSite]:
    """A site that trusts the header."""
    made = open_site(contest_file, trust_header=HEADER)
    made.people.add([Student("ann", "Ann Lee", "Ann@Example.edu"), Student("bob", "Bob")])
    made.people.add([Student("t", "Tess")], "teacher")
    yield made
    made.database.close()


def client_at(site: ContestSite, host: str) -> TestClient:
    """Return a client that connects from an address, to the application as the server wraps it."""
    app = RealPeer(ProxyHeadersMiddleware(application(site), PROXIES))  # type: ignore[arg-type]
    return TestClient(app, client=(host, 50_000), cookies={})


def asked(site: ContestSite, host: str, **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client_at(site, host).get("/account", headers=named)


@pytest.mark.parametrize("account", ["ann", "ANN", "ann@example.edu"])
def test_a_proxy_names_a_person_by_id_or_mail(trusting: ContestSite, account: str) -> None:
    assert "Ann Lee" in asked(trusting, "127.0.0.1", X_Remote_User=account).text
    assert "Ann Lee" in asked(trusting, "::1", X_Remote_User=account).text


def test_the_header_is_not_trusted_by_default(site: ContestSite) -> None:
    site.people.add([Student("ann", "Ann Lee")])
    assert asked(site, "127.0.0.1", X_Remote_User="ann").status_code == 401


def test_the_header_is_not_trusted_from_elsewhere(trusting: ContestSite) -> None:
    assert asked(trusting, "192.0.2.7", X_Remote_User="ann").status_code == 401
    forged = {"X_Remote_User": "ann", "X_Forwarded_For": "127.0.0.1"}
    assert asked(trusting, "192.0.2.7", **forged).status_code == 401


def test_a_proxy_that_says_for_whom_it_asks_is_trusted(trusting: ContestSite) -> None:
    told = {"X_Remote_User": "ann", "X_Forwarded_For": "192.0.2.7"}
    assert asked(trusting, "127.0.0.1", **told).status_code == 200


@pytest.mark.parametrize("account", ["nobody", "", "ann,bob", "' OR 1=1 --", "an%"])
def test_an_account_without_a_person_is_refused(trusting: ContestSite, account: str) -> None:
    assert asked(trusting, "127.0.0.1", X_Remote_User=account).status_code == 401


def test_a_header_that_came_twice_is_ignored(trusting: ContestSite) -> None:
    """A proxy that adds its header to that of the browser does not let it choose."""
    client = client_at(trusting, "127.0.0.1")
    for accounts in (["t", "ann"], ["ann", "t"], ["ann", "ann"]):
        headers = [(HEADER, account) for account in accounts]
        assert client.get("/account", headers=headers).status_code == 401


def test_an_e_mail_of_two_people_is_refused(trusting: ContestSite) -> None:
    trusting.people.add([Student("ann2", "Ann Lee", "ann@example.edu")])
    assert asked(trusting, "127.0.0.1", X_Remote_User="ann@example.edu").status_code == 401
    assert asked(trusting, "127.0.0.1", X_Remote_User="ann2").status_code == 200


def test_changes_need_the_csrf_token_of_the_account(trusting: ContestSite) -> None:
    client = client_at(trusting, "127.0.0.1")

    def post(account: str, token: str) -> int:
        sent = client.post("/account/token", data={"csrf": token}, headers={HEADER: account})
        return sent.status_code

    anns = csrf_in(client.get("/account", headers={HEADER: "ann"}).text)
    assert post("ann", anns) == 200
    assert post("bob", anns) == 403
    assert post("ann", "") == 403
