"""Browsers of people for tests: a test client that is signed in and sends forms as pages do."""

import itertools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from httpx2 import Response
from starlette.testclient import TestClient

from arena.contest.settings import RISK
from arena.extras.serve.app import application
from arena.extras.serve.background import Background
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import ContestSite

START = 1_800_000_000.0


class Clock:
    """A clock that stands until it is told to go on."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now


class Woken(Background):
    """A process beside the pages that counts how often it is told to look for work."""

    times = 0

    def wake(self) -> None:
        self.times += 1


def make_random_bytes() -> Callable[[int], bytes]:
    """Return a source of bytes that are different each time and the same in each test."""
    numbers = itertools.count(1)

    def draw(size: int) -> bytes:
        return next(numbers).to_bytes(size)

    return draw


def make_contest(folder: Path, more: str = "") -> Path:
    """Write the file of a contest with an inbox, and return it.

    `more` are further tables. Bots have no sandbox, a risk that the contest accepts.
    """
    risk = f'[serve]\naccepted_risk = "{RISK}"\n'
    more = more.replace("[serve]\n", risk) if "[serve]\n" in more else f"{more}{risk}"
    folder.mkdir(parents=True)
    file = folder / "contest.toml"
    file.write_text(
        'name = "spring"\nvariants = ["pot-de-vin/3"]\nrounds = 3\nseed = 5\n'
        '[entrants]\ninbox = "."\nbots = ["random"]\nfill = true\n'
        f'[sandbox]\nlevel = "none"\n[machine]\nworkers = 1\n{more}'
    )
    return file


class Browser:
    """A browser that follows redirects."""

    def __init__(self, site: ContestSite, **more: Any) -> None:
        """Open a browser in which no person is signed in. `more` is for the test client."""
        self.site = site
        self.client = TestClient(application(site), **more)

    def get(self, path: str, **more: Any) -> Response:
        return self.client.get(path, **more)

    def post(self, path: str, data: Mapping[str, Any] = {}, **more: Any) -> Response:
        return self.client.post(path, data=data, **more)

    def sign_in(self, person: ContestPerson) -> "Browser":
        answer = self.post(f"/sign-in/{self.site.people.make_key(person.id, 'link')}")
        assert answer.status_code == 200, answer.text
        return self
