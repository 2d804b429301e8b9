"""Signing in by the header of a proxy: off by default, and ignored from anybody else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from arena.contest.roster import Student
from arena.extras.serve.app import application
from arena.extras.serve.web.contest_site import ContestSite, open_site
from arena.extras.serve.web.middleware import RealPeer
from arena.extras.serve.web.sessions import LOOPBACK, TrustedHeader

HEADER = "X-Remote-User"


@pytest.fixture
def proxies() -> tuple[str, ...]:
    return LOOPBACK


@pytest.fixture
def trusting(contest_file: Path, proxies: tuple[str, ...]) -> Iterator[ContestSite]:
    made = open_site(contest_file, trusted=TrustedHeader(HEADER, proxies))
    made.people.add([Student("ann", "Ann Lee", "Ann@Example.edu"), Student("bob", "Bob")])
    made.people.add([Student("t", "Tess")], "teacher")
    yield made
    made.database.close()


def client_at(site: ContestSite, host: str) -> TestClient:
    """Return a client that connects from an address, to the application as the server wraps it."""
    app = RealPeer(ProxyHeadersMiddleware(application(site), list(LOOPBACK)))  # type: ignore[arg-type]
    return TestClient(app, client=(host, 50_000), cookies={})


def status(site: ContestSite, host: str, account: str, message: str = "") -> int:
    """Return the status of a page to a person, for a client that says that it asks for another."""
    headers = {HEADER: account} | ({"X-Forwarded-For": message} if message else {})
    return client_at(site, host).get("/account", headers=headers).status_code


@pytest.mark.parametrize("account", ["ann", "ANN", "ann@example.edu"])
def test_proxy_identifies_person_by_id_or_email(trusting: ContestSite, account: str) -> None:
    for host in ("127.0.0.1", "::1"):
        page = client_at(trusting, host).get("/account", headers={HEADER: account}).text
        assert "Ann Lee" in page


def test_header_is_off_by_default_and_trusted_from_this_machine_only(
    site: ContestSite, trusting: ContestSite, capfd: pytest.CaptureFixture[str]
) -> None:
    assert status(site, "127.0.0.1", "ann") == 401
    assert status(trusting, "127.0.0.1", "ann", "192.0.2.7") == 200
    assert status(trusting, "192.0.2.7", "ann") == 401
    assert status(trusting, "192.0.2.7", "ann", "127.0.0.1") == 401
    assert capfd.readouterr().err.count("--trusted-proxy 192.0.2.7") == 1


@pytest.mark.parametrize("proxies", [("10.88.0.1", "2001:db8::/32")])
def test_only_given_proxies_may_set_the_header(trusting: ContestSite) -> None:
    for host in ("10.88.0.1", "2001:db8::7"):
        assert status(trusting, host, "t") == 200
        assert client_at(trusting, host).get("/teacher", headers={HEADER: "t"}).status_code == 200
        assert client_at(trusting, host).get("/teacher", headers={HEADER: "ann"}).status_code == 403
    for host in ("127.0.0.1", "10.88.0.2", "2001:db9::7", "testclient", ""):
        assert status(trusting, host, "t") == 401


@pytest.mark.parametrize("account", ["nobody", "", "ann,bob", "' OR 1=1 --", "an%"])
def test_rejects_unknown_account(trusting: ContestSite, account: str) -> None:
    assert status(trusting, "127.0.0.1", account) == 401


def test_ignores_repeated_header(trusting: ContestSite) -> None:
    """A proxy that adds its header to that of the browser does not let it choose."""
    client = client_at(trusting, "127.0.0.1")
    for accounts in (["t", "ann"], ["ann", "t"], ["ann", "ann"]):
        headers = [(HEADER, account) for account in accounts]
        assert client.get("/account", headers=headers).status_code == 401


def test_rejects_email_of_two_people(trusting: ContestSite) -> None:
    trusting.people.add([Student("ann2", "Ann Lee", "ann@example.edu")])
    assert status(trusting, "127.0.0.1", "ann@example.edu") == 401
    assert status(trusting, "127.0.0.1", "ann2") == 200
