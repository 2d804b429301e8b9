"""Tests of the people of a contest: teams, pseudonyms and roster rows."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from arena.base.errors import ServeError, SubmissionError
from arena.contest.roster import Student
from arena.extras.serve.people import (
    ADJECTIVES,
    ANIMALS,
    ContestPerson,
    draw_pseudonym,
    public_names,
    with_team,
)
from arena.extras.serve.web.contest_site import ContestSite


def test_adds_all_people_or_none(site: ContestSite) -> None:
    for wrong in (Student("ann", "Other"), Student("ANN", "Ann"), Student("../x", "X")):
        with pytest.raises((ServeError, SubmissionError)):
            site.people.add([Student("ann", "Ann"), wrong])
    assert site.people.all() == []


def test_team_names_ignore_case(site: ContestSite) -> None:
    first, second, third = site.people.add(
        [Student("a", "Ann", team="Red"), Student("b", "Bob", team="RED"), Student("c", "Cy")]
    )
    assert (first.owner, second.owner, third.owner) == ("a", "a", "c")


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


def change(site: ContestSite, person: str, team: str, *, has_bot: bool = False) -> list[str]:
    """Change a person's team, and return the ids of everyone who changed."""
    changed = site.people.change(person, "new@x.org", team, has_bot=has_bot)
    assert [site.people.get(one.id) for one in changed] == changed
    return [one.id for one in changed]


@pytest.fixture
def nobles(site: ContestSite) -> None:
    """Ann and Bob form a team; Cy has none."""
    site.people.add([Student("ann", "Ann", team="Nobles"), Student("bob", "Bob", team="Nobles")])
    site.people.add([Student("cy", "Cy")])


@pytest.mark.usefixtures("nobles")
def test_person_joins_and_leaves_a_team(site: ContestSite) -> None:
    assert change(site, "cy", "nobles") == ["cy"]
    joined = site.people.require("cy")
    assert (joined.owner, joined.team, joined.email) == ("ann", "nobles", "new@x.org")
    assert change(site, "cy", "", has_bot=True) == ["cy"]
    assert site.people.require("cy").owner == "cy"
    assert change(site, "cy", "Barons", has_bot=True) == ["cy"]
    assert change(site, "bob", "Barons") == ["bob"]
    assert site.people.require("bob").owner == "cy"
    assert site.people.require("ann").email == ""


@pytest.mark.usefixtures("nobles")
def test_rejected_change_is_not_stored(site: ContestSite) -> None:
    before = site.people.all()
    with pytest.raises(ServeError, match="change the team of Bob first"):
        change(site, "ann", "")
    with pytest.raises(ServeError, match="Cy has submitted a bot"):
        change(site, "cy", "Nobles", has_bot=True)
    assert site.people.all() == before


# -- changes of teams ----------------------------------------------------------------------------


ANN = ContestPerson("ann", "Ann", "", "Nobles", "student", "ann", "Amber Fox")
BOB = ContestPerson("bob", "Bob", "", "Nobles", "student", "ann", "Bold Owl")
CY = ContestPerson("cy", "Cy", "", "", "student", "cy", "Calm Seal")


@pytest.mark.parametrize("has_bot", [False, True])
@pytest.mark.parametrize(
    ("person", "others", "team", "owner", "expected"),
    [
        (CY, (), "Barons", None, [replace(CY, team="Barons")]),
        (CY, (), "", None, [CY]),
        (BOB, (), "nobles", "ann", [replace(BOB, team="nobles")]),
        (BOB, (), "", None, [replace(BOB, team="", owner="bob")]),
        (ANN, (), "", None, [replace(ANN, team="")]),
        (ANN, (BOB,), "NOBLES", "ann", [replace(ANN, team="NOBLES")]),
        (
            *(ANN, (BOB,), "Barons", None),
            [replace(ANN, team="Barons"), replace(BOB, team="Barons")],
        ),
    ],
)
def test_person_starts_leaves_or_renames_a_team(
    person: ContestPerson,
    others: Sequence[ContestPerson],
    team: str,
    owner: str | None,
    expected: list[ContestPerson],
    has_bot: bool,
) -> None:
    assert with_team(person, others, team, owner, has_bot=has_bot) == expected


def test_person_without_a_bot_joins_a_team() -> None:
    joined = [replace(CY, team="Nobles", owner="ann")]
    assert with_team(CY, (), "Nobles", "ann", has_bot=False) == joined
    with pytest.raises(ServeError, match="Cy has submitted a bot"):
        with_team(CY, (), "Nobles", "ann", has_bot=True)


@pytest.mark.parametrize(("team", "owner"), [("", None), ("Barons", "dan")])
def test_bot_keeps_its_team(team: str, owner: str | None) -> None:
    with pytest.raises(ServeError, match="Nobles has the id of Ann: change the team of Bob, Cy"):
        with_team(ANN, (BOB, CY), team, owner, has_bot=False)


# -- pseudonyms ----------------------------------------------------------------------------------


def test_pseudonym_has_two_words() -> None:
    drawn = iter([2, 3])
    asked: list[int] = []

    def draw(below: int) -> int:
        asked.append(below)
        return next(drawn)

    assert draw_pseudonym(draw, ()) == f"{ADJECTIVES[2]} {ANIMALS[3]}"
    assert asked == [len(ADJECTIVES), len(ANIMALS)]
    assert len({*ADJECTIVES}) == len({*ANIMALS}) == 48


def test_pseudonym_gets_a_number_if_pairs_are_taken() -> None:
    taken = {f"{ADJECTIVES[0]} {ANIMALS[0]}"}
    assert draw_pseudonym(lambda _: 0, taken) == f"{ADJECTIVES[0]} {ANIMALS[0]} 101"
    late = iter([*[0] * 198, 1, 1])
    assert draw_pseudonym(lambda _: next(late), taken) == f"{ADJECTIVES[1]} {ANIMALS[1]}"
