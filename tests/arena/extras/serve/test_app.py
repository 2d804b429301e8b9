"""The application: several contests, and the pages of errors."""

import errno
import re
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from arena.base.errors import SubmissionError
from arena.contest.roster import Student
from arena.extras.serve.app import application, hub
from arena.extras.serve.web.contest_site import ContestSite, open_site
from arena.extras.serve.web.middleware import POLICY
from tests.arena.extras.serve.sample_submissions import GOOD
from tests.arena.extras.serve.visiting import (
    Browser,
    Clock,
    csrf_in,
    make_contest,
    make_random_bytes,
)


@pytest.fixture
def sites(tmp_path: Path, clock: Clock) -> Iterator[dict[str, ContestSite]]:
    """Two contests, of which the second is over."""
    made = {}
    with ExitStack() as stack:
        for name, more in (("spring", ""), ("autumn", "[serve]\narchived = true\n")):
            file = make_contest(tmp_path / name, more)
            made[name] = open_site(file, clock=clock, random_bytes=make_random_bytes())
            made[name].people.add([Student("ann", "Ann")])
            stack.callback(made[name].database.close)
            stack.callback(made[name].tables.stop)
        yield made


def sign_in(client: TestClient, site: ContestSite, root: str) -> None:
    link = f"{root}sign-in/{site.people.make_key('ann', 'link')}"
    answer = client.post(link, data={"csrf": csrf_in(client.get(link).text)})
    assert answer.status_code == 200, answer.text
    assert answer.url.path == f"{root}me"


@pytest.mark.parametrize("prefix", ["", "/arena"])
def test_each_contest_has_its_own_path_people_and_sessions(
    sites: dict[str, ContestSite], prefix: str
) -> None:
    client = TestClient(hub(sites, prefix))
    index = client.get(f"{prefix}/").text
    assert f'href="{prefix}/spring/"' in index
    assert index.index("Past terms") < index.index(f'href="{prefix}/autumn/"')
    root = f"{prefix}/spring/"
    sign_in(client, sites["spring"], root)
    assert client.get(f"{prefix}/autumn/me").status_code == 401
    page = client.get(f"{root}me").text
    for address in set(re.findall(r'(?:href|src|action)="(/[^"]*)"', page)):
        assert address.startswith(root), address
        if "sign-out" not in address and not address.endswith("submissions"):
            assert client.get(address).status_code == 200, address
    csrf = csrf_in(page)
    answer = client.post(f"{root}submissions", data={"csrf": csrf, "code": GOOD.decode()})
    assert answer.url.path == f"{root}submissions/1"


def test_a_contest_that_is_over_takes_nothing(sites: dict[str, ContestSite]) -> None:
    client = TestClient(hub(sites))
    sign_in(client, sites["autumn"], "/autumn/")
    csrf = csrf_in(client.get("/autumn/me").text)
    answer = client.post("/autumn/submissions", data={"csrf": csrf, "code": GOOD.decode()})
    assert (answer.status_code, "is over" in answer.text) == (403, True)
    assert client.get("/autumn/submissions/1").status_code == 404


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
    "other-os-error": (OSError(errno.EIO, "/secret/path"), 500, "mistake"),
    "locked": (database_error("database is locked", sqlite3.SQLITE_BUSY), 503, "again"),
    "wrong-query": (database_error("no such table", sqlite3.SQLITE_ERROR), 500, "mistake"),
    "bug": (ZeroDivisionError("inside"), 500, "mistake"),
}
"""By path: what a handler raises, the status, and what the page says."""


async def fail(request: Request) -> Response:
    raise ERRORS[request.path_params["name"]][0]


@pytest.fixture
def failing(site: ContestSite) -> TestClient:
    """A client of a site whose pages fail."""
    page = ModuleType("failing")
    page.routes = [Route("/fail/{name}", fail), Route("/api/fail/{name}", fail)]  # type: ignore[attr-defined]
    return TestClient(application(site, [page]), raise_server_exceptions=False)


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_has_a_page_and_is_json_for_programs(failing: TestClient, name: str) -> None:
    error, status, text = ERRORS[name]
    told = failing.get(f"/api/fail/{name}")
    assert (told.status_code, told.json().keys()) == (status, {"error"})
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
def test_what_is_not_there_is_told(visitor: Browser, method: str, path: str, status: int) -> None:
    answer = visitor.client.request(method, f"http://testserver{path}")
    assert answer.status_code == status
    assert answer.text.count("<h1>") == 1
    assert "spring" in answer.text
