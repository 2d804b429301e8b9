"""Several contests on one server, each below its name."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from arena.contest.roster import Student
from arena.extras.serve.app import hub
from arena.extras.serve.web.contest_site import ContestSite, open_site
from tests.arena.extras.serve.sample_submissions import GOOD
from tests.arena.extras.serve.visiting import Clock, csrf_in, make_contest, make_random_bytes


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
        if "sign-out" not in address and not address.endswith(("submissions", "editor.js")):
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
