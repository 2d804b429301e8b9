"""People in the database, their pseudonyms, and the database itself."""

import sqlite3
import threading
from pathlib import Path

import pytest

from arena.contest.roster import Student
from arena.errors import ServeError, SubmissionError
from arena.serve.database import Database
from arena.serve.people.people import Person
from arena.serve.people.pseudonyms import ADJECTIVES, ANIMALS, draw_pseudonym
from arena.serve.web.site import Site


def test_nobody_is_added_when_one_cannot_be(site: Site) -> None:
    for wrong in (Student("ann", "Other"), Student("ANN", "Ann"), Student("../x", "X")):
        with pytest.raises((ServeError, SubmissionError)):
            site.people.add([Student("ann", "Ann"), wrong])
    assert site.people.all() == []


def test_teams_are_found_in_any_case(site: Site) -> None:
    first, second, third = site.people.add(
        [Student("a", "Ann", team="Red"), Student("b", "Bob", team="RED"), Student("c", "Cy")]
    )
    assert (first.owner, second.owner, third.owner) == ("a", "a", "c")


def test_pseudonyms_are_those_of_bots(site: Site, teacher: Person) -> None:
    site.people.add([Student("a", "Ann", team="Red"), Student("b", "Bob", team="Red")])
    site.people.add([Student("c", "Cy")])
    plain, hidden = site.people.public_names(False), site.people.public_names(True)
    assert {owner: one.name for owner, one in plain.items()} == {"a": "Red", "c": "Cy"}
    assert {owner: one.id for owner, one in plain.items()} == {"a": "a", "c": "c"}
    assert hidden.keys() == plain.keys()
    assert hidden["a"].name == site.people.require("a").pseudonym
    assert len({one.id for one in hidden.values()} | {"a", "b", "c"}) == 5


def test_pseudonyms_do_not_run_out() -> None:
    taken: set[str] = set()
    for number in range(len(ADJECTIVES) * len(ANIMALS)):
        at = iter(divmod(number, len(ANIMALS)))
        taken.add(draw_pseudonym(lambda _, at=at: next(at), taken))
    assert len(taken) == len(ADJECTIVES) * len(ANIMALS)
    more = draw_pseudonym(lambda _: 0, taken)
    assert more not in taken
    assert more.startswith(f"{ADJECTIVES[0]} {ANIMALS[0]} ")


def test_a_transaction_is_taken_back_when_it_fails(site: Site) -> None:
    site.database.keep_value("a", b"1")

    def fail() -> None:
        with site.database.transaction() as connection:
            connection.execute("DELETE FROM server")
            connection.execute("INSERT INTO keys VALUES (x'00', 'nobody', 'link', 0)")

    with pytest.raises(sqlite3.IntegrityError):
        fail()
    assert site.database.value("a") == b"1"


def test_each_thread_has_a_connection_of_its_own(site: Site) -> None:
    found = []
    thread = threading.Thread(target=lambda: found.append(site.database.connect()))
    thread.start()
    thread.join()
    assert found[0] is not site.database.connect()
    assert site.database.connect() is site.database.connect()


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "server.db").write_bytes(b"no database at all, but as long as one" * 99)
    with pytest.raises(ServeError, match=r"server\.db"):
        Database(tmp_path / "server.db")
