"""Tests of the application: paths below its address, and error pages."""

import errno
import re
import sqlite3
from types import ModuleType

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from arena.base.errors import SubmissionError
from arena.extras.serve.app import application
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.middleware import POLICY
from tests.arena.extras.serve.sample_submissions import GOOD
from tests.arena.extras.serve.visiting import (
    Browser,
)


def test_links_are_below_the_path_of_the_address(site: ContestSite, ann: ContestPerson) -> None:
    visitor = TestClient(application(site), root_path="/arena/spring")
    link = f"/arena/spring/sign-in/{site.people.make_key(ann.id, 'link')}"
    answer = visitor.post(link)
    assert answer.url.path == "/arena/spring/me"
    assert {cookie.path for cookie in visitor.cookies.jar} == {"/arena/spring"}
    for address in set(re.findall(r'(?:href|src|action)="(/[^"]*)"', answer.text)):
        assert address.startswith("/arena/spring/"), address
        if "sign-out" not in address and not address.endswith("submissions"):
            assert visitor.get(address).status_code == 200, address
    page = visitor.post("/arena/spring/submissions", data={"code": GOOD.decode()})
    assert page.url.path == "/arena/spring/submissions/1"


# -- pages of errors -----------------------------------------------------------------------------


def database_error(text: str, code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error


ERRORS: dict[str, tuple[Exception, int, str]] = {
    "full-disk": (OSError(errno.ENOSPC, "No space left on device"), 503, "disk"),
    "full-database": (database_error("database or disk is full", sqlite3.SQLITE_FULL), 503, "disk"),
    "quota": (OSError(errno.EDQUOT, "Quota exceeded"), 503, "disk"),
    "mistake": (SubmissionError("got <b>no</b> bot.toml"), 400, "got &lt;b&gt;no"),
    "other-os-error": (OSError(errno.EIO, "/secret/path"), 500, "The server failed"),
    "locked": (database_error("database is locked", sqlite3.SQLITE_BUSY), 503, "again"),
    "wrong-query": (
        database_error("no such table", sqlite3.SQLITE_ERROR),
        500,
        "The server failed",
    ),
    "bug": (ZeroDivisionError("inside"), 500, "The server failed"),
}
"""For each path, the handler's exception, the status and part of the page."""


async def fail(request: Request) -> Response:
    raise ERRORS[request.path_params["name"]][0]


@pytest.fixture
def failing(site: ContestSite) -> TestClient:
    page = ModuleType("failing")
    page.routes = [Route("/fail/{name}", fail), Route("/api/fail/{name}", fail)]  # type: ignore[attr-defined]
    return TestClient(application(site, [page]), raise_server_exceptions=False)


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_pages_or_json(failing: TestClient, name: str) -> None:
    error, status, text = ERRORS[name]
    response = failing.get(f"/api/fail/{name}")
    assert (response.status_code, response.json().keys()) == (status, {"error"})
    answer = failing.get(f"/fail/{name}")
    assert (answer.status_code, answer.headers["Content-Security-Policy"]) == (status, POLICY)
    assert text in answer.text
    assert "spring" in answer.text
    if status == 500:
        assert "Traceback" not in answer.text
        assert str(error) not in answer.text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nix", 404), ("POST", "/account", 405), ("GET", "/account", 401), ("GET", "//", 404)],
)
def test_missing_page_is_explained(visitor: Browser, method: str, path: str, status: int) -> None:
    answer = visitor.client.request(method, f"http://testserver{path}")
    assert answer.status_code == status
    assert answer.text.count("<h1>") == 1
    assert "spring" in answer.text
