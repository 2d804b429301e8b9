"""Fixtures of the server's tests: a contest, its people and their browsers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.contest.roster import Student
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import ContestSite, open_site
from tests.arena.extras.serve.visiting import (
    Browser,
    Clock,
    Woken,
    make_contest,
    make_random_bytes,
)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def contest_file(tmp_path: Path) -> Path:
    return make_contest(tmp_path / "contest")


@pytest.fixture
def site(contest_file: Path, clock: Clock) -> Iterator[ContestSite]:
    made = open_site(contest_file, clock=clock, random_bytes=make_random_bytes())
    yield made
    made.tables.stop()
    made.database.close()


@pytest.fixture
def woken() -> Woken:
    return Woken()


@pytest.fixture
def teacher(site: ContestSite) -> ContestPerson:
    return site.people.add_teacher()


@pytest.fixture
def ann(site: ContestSite) -> ContestPerson:
    return site.people.add([Student("ann", "Ann Lee", "ann@example.edu")])[0]


@pytest.fixture
def bob(site: ContestSite) -> ContestPerson:
    return site.people.add([Student("bob", "Bob <b>Ray</b>")])[0]


@pytest.fixture
def visitor(site: ContestSite) -> Browser:
    return Browser(site)


@pytest.fixture
def anns(site: ContestSite, ann: ContestPerson) -> Browser:
    return Browser(site).sign_in(ann)


@pytest.fixture
def bobs(site: ContestSite, bob: ContestPerson) -> Browser:
    return Browser(site).sign_in(bob)


@pytest.fixture
def teachers(site: ContestSite, teacher: ContestPerson) -> Browser:
    return Browser(site).sign_in(teacher)
