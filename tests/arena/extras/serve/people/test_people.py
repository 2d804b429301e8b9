"""People in the database: added, changed, in teams, with public names."""

import pytest

from arena.contest.roster import Student
from arena.errors import ServeError, SubmissionError
from arena.extras.serve.people import ContestPerson, public_names
from arena.extras.serve.submissions.submission_store import SubmissionStore
from arena.extras.serve.web.contest_site import ContestSite


def test_all_people_are_added_or_none(site: ContestSite) -> None:
    for wrong in (Student("ann", "Other"), Student("ANN", "Ann"), Student("../x", "X")):
        with pytest.raises((ServeError, SubmissionError)):
            site.people.add([Student("ann", "Ann"), wrong])
    assert site.people.all() == []


def test_teams_are_found_in_any_case(site: ContestSite) -> None:
    first, second, third = site.people.add(
        [Student("a", "Ann", team="Red"), Student("b", "Bob", team="RED"), Student("c", "Cy")]
    )
    assert (first.owner, second.owner, third.owner) == ("a", "a", "c")


def test_pseudonyms_are_those_of_bots(site: ContestSite, teacher: ContestPerson) -> None:
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


def change(site: ContestSite, person: str, team: str, *, has_versions: bool = False) -> list[str]:
    """Give a person another team, and return the ids of all who changed."""
    changed = site.people.change(person, "new@x.org", team, has_versions, lambda _: None)
    assert [site.people.get(one.id) for one in changed] == changed
    return [one.id for one in changed]


@pytest.fixture
def nobles(site: ContestSite) -> None:
    """Ann and Bob are a team; Cy has no team."""
    site.people.add([Student("ann", "Ann", team="Nobles"), Student("bob", "Bob", team="Nobles")])
    site.people.add([Student("cy", "Cy")])


@pytest.mark.usefixtures("nobles")
def test_a_person_joins_and_leaves_a_team(site: ContestSite) -> None:
    assert change(site, "cy", "nobles") == ["cy"]
    joined = site.people.require("cy")
    assert (joined.owner, joined.team, joined.email) == ("ann", "nobles", "new@x.org")
    assert change(site, "cy", "", has_versions=True) == ["cy"]
    assert site.people.require("cy").owner == "cy"
    assert change(site, "cy", "Barons", has_versions=True) == ["cy"]
    assert change(site, "bob", "Barons") == ["bob"]
    assert site.people.require("bob").owner == "cy"
    assert site.people.require("ann").email == ""


@pytest.mark.usefixtures("nobles")
def test_a_team_is_renamed_by_the_person_whose_id_its_bot_has(site: ContestSite) -> None:
    assert change(site, "ann", "Barons", has_versions=True) == ["ann", "bob"]
    ann, bob = site.people.require("ann"), site.people.require("bob")
    assert (ann.team, ann.owner, ann.email) == ("Barons", "ann", "new@x.org")
    assert (bob.team, bob.owner, bob.email) == ("Barons", "ann", "")


@pytest.mark.usefixtures("nobles")
def test_no_bot_loses_its_team_and_no_team_has_two_bots(site: ContestSite) -> None:
    site.people.add([Student("dan", "Dan", team="Barons")])
    before = site.people.all()
    for person, team, has_versions, expected in (
        ("ann", "", False, "change the team of Bob first"),
        ("ann", "Barons", False, "change the team of Bob first"),
        ("cy", "Nobles", True, "Cy has submitted a bot"),
        ("eve", "Nobles", False, "eve"),
    ):
        with pytest.raises(ServeError, match=expected):
            change(site, person, team, has_versions=has_versions)
    SubmissionStore(site.database).add(site.people.require("cy"), 1.0, "bot.py", "0", False)
    with pytest.raises(ServeError, match="Cy has submitted a bot"):
        change(site, "cy", "Nobles")
    assert site.people.all() == before


@pytest.mark.usefixtures("nobles")
def test_a_change_that_is_not_stored_elsewhere_is_not_stored(site: ContestSite) -> None:
    def refuse(changed: list[ContestPerson]) -> None:
        raise OSError

    before = site.people.all()
    with pytest.raises(OSError):  # noqa: PT011
        site.people.change("cy", "cy@x.org", "Nobles", False, refuse)
    assert site.people.all() == before
