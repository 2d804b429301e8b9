"""Changes of teams: no bot loses its team, and no team gets two bots."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from arena.errors import ServeError
from arena.extras.serve.people import ContestPerson, with_team

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
def test_a_team_is_begun_left_or_renamed(
    person: ContestPerson,
    others: Sequence[ContestPerson],
    team: str,
    owner: str | None,
    expected: list[ContestPerson],
    has_bot: bool,
) -> None:
    assert with_team(person, others, team, owner, has_bot=has_bot) == expected


def test_a_person_without_a_bot_joins_a_team() -> None:
    joined = [replace(CY, team="Nobles", owner="ann")]
    assert with_team(CY, (), "Nobles", "ann", has_bot=False) == joined
    with pytest.raises(ServeError, match="Cy has submitted a bot"):
        with_team(CY, (), "Nobles", "ann", has_bot=True)


@pytest.mark.parametrize(("team", "owner"), [("", None), ("Barons", "dan")])
def test_a_bot_does_not_lose_its_team(team: str, owner: str | None) -> None:
    with pytest.raises(ServeError, match="Nobles has the id of Ann: change the team of Bob, Cy"):
        with_team(ANN, (BOB, CY), team, owner, has_bot=False)
