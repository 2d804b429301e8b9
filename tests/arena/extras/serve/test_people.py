"""Tests of the people of a contest: teams, pseudonyms and roster rows."""

import threading
import time

import pytest

from arena.base.errors import ServeError, SubmissionError
from arena.contest.roster import Student
from arena.extras.serve.enrolment import place_bots, remove_people
from arena.extras.serve.people import (
    ADJECTIVES,
    ANIMALS,
    ContestPerson,
    People,
    draw_pseudonym,
    public_names,
)
from arena.extras.serve.web.contest_site import ContestSite
from tests.arena.extras.serve.sample_submissions import inbox_of


def test_adds_all_people_or_none(site: ContestSite) -> None:
    for wrong in (Student("ann", "Other"), Student("ANN", "Ann"), Student("../x", "X")):
        with pytest.raises((ServeError, SubmissionError)):
            site.people.add([Student("ann", "Ann"), wrong])
    assert site.people.all() == []


def test_team_names_ignore_case(site: ContestSite) -> None:
    first, second, third = site.people.add(
        [Student("a", "Ann", team="ärger"), Student("b", "Bob", team=" ÄRGER"), Student("c", "Cy")]
    )
    assert (first.owner, second.owner, third.owner) == ("a", "a", "c")
    assert (first.team, second.team) == ("ärger", "ärger")


def test_owner_of_a_team_is_restored_first(site: ContestSite) -> None:
    people = site.people
    people.add([Student("a", "Ann", team="Red"), Student("b", "Bob", team="Red")])
    ann, bob = people.remove(people.students())
    with pytest.raises(ServeError, match="restore Ann first"):
        people.add([bob.as_student])
    assert [one.owner for one in people.add([ann.as_student, bob.as_student])] == ["a", "a"]


def test_removal_survives_an_older_change_of_the_roster(site: ContestSite) -> None:
    listed = threading.Event()

    class SlowPeople(People):
        def students(self) -> list[ContestPerson]:
            found = super().students()
            listed.set()
            time.sleep(0.3)
            return found

    site.people.add([Student("ann", "Ann")])
    older = threading.Thread(target=place_bots, args=(SlowPeople(site.database), site.contest))
    older.start()
    listed.wait(10)
    remove_people(site.people, site.contest, site.people.students())
    older.join()
    assert inbox_of(site).removed() == {"ann"}


def test_restored_people_keep_their_id(site: ContestSite) -> None:
    people = site.people
    people.add([Student("Ann", "Ann")])
    site.database.write("INSERT INTO browser_games VALUES ('x', 'Ann', '', 0, 0, NULL, NULL)")
    people.remove([people.require("Ann")])
    assert people.add([Student("ann", "Ann")])[0].id == "Ann"


def test_pseudonyms_belong_to_bots(site: ContestSite, teacher: ContestPerson) -> None:
    site.people.add([Student("a", "Ann", team="Red"), Student("b", "Bob", team="Red")])
    site.people.add([Student("c", "Cy")])
    students = site.people.students()
    plain = public_names(students, has_pseudonyms=False)
    hidden = public_names(students, has_pseudonyms=True)
    assert {owner: one.name for owner, one in plain.items()} == {"a": "Red", "c": "Cy"}
    assert {owner: one.id for owner, one in plain.items()} == {"a": "a", "c": "c"}
    assert hidden.keys() == plain.keys()
    assert hidden["a"].name == site.people.require("a").pseudonym
    assert len({one.id for one in hidden.values()} | {"a", "b", "c"}) == 5


# -- pseudonyms ----------------------------------------------------------------------------------


def test_pseudonym_gets_a_number_if_pairs_are_taken() -> None:
    taken = {f"{ADJECTIVES[0]} {ANIMALS[0]}"}
    assert draw_pseudonym(lambda _: 0, taken) == f"{ADJECTIVES[0]} {ANIMALS[0]} 101"
    late = iter([*[0] * 198, 1, 1])
    assert draw_pseudonym(lambda _: next(late), taken) == f"{ADJECTIVES[1]} {ANIMALS[1]}"
