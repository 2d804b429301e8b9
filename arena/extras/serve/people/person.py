"""Pseudonyms of students: an adjective and an animal."""

from collections.abc import Callable, Container, Sequence
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from arena.errors import ServeError

ADJECTIVES = (
    "Amber Azure Bold Brave Bright Bronze Calm Clever Cobalt Coral Crimson Daring Eager Emerald "
    "Fleet Gentle Golden Grand Hazel Indigo Ivory Jade Jolly Keen Lively Lucky Maroon Merry Misty "
    "Noble Olive Pearl Placid Plucky Proud Quick Quiet Ruby Rustic Sage Scarlet Silver Steady "
    "Sunny Swift Teal Violet Wise"
).split()
ANIMALS = (
    "Badger Beaver Bison Buzzard Camel Cheetah Condor Crane Dolphin Eagle Falcon Ferret Finch Fox "
    "Gazelle Gecko Hare Hawk Heron Ibex Jackal Jaguar Kestrel Kiwi Lark Lemur Leopard Lynx Magpie "
    "Marten Mole Moose Newt Ocelot Orca Osprey Otter Owl Panda Penguin Puffin Raven Robin Salmon "
    "Seal Stork Tapir Wren"
).split()


def draw_pseudonym(draw: Callable[[int], int], taken: Container[str]) -> str:
    """Return a pseudonym that is not `taken`. `draw(n)` returns a random number below `n`.

    When the pairs of words run out, a number follows them.
    """
    number = 0
    while True:
        words = f"{ADJECTIVES[draw(len(ADJECTIVES))]} {ANIMALS[draw(len(ANIMALS))]}"
        number += 1
        name = words if number <= 100 else f"{words} {number}"
        if name not in taken:
            return name


# -- A person of a contest, and the public name of a bot ---------------------------------------


Role = Literal["student", "teacher"]


class ContestPerson(msgspec.Struct, frozen=True):
    """A student or a teacher."""

    id: str
    name: str
    email: str
    team: str
    role: Role
    owner: str
    """The id of the bot that this person submits: the person's id, or that of the team's first."""
    pseudonym: str

    @property
    def is_teacher(self) -> bool:
        return self.role == "teacher"

    @property
    def bot_name(self) -> str:
        """The display name of the person's bot: that of the team, if there is one."""
        return self.team or self.name


class PublicName(NamedTuple):
    """The public name of a bot: an id for links, and a display name."""

    id: str
    name: str


# -- changes of teams: no bot loses its team, and no team gets two bots. Pure ------------------


def with_team(
    person: ContestPerson,
    others: Sequence[ContestPerson],
    team: str,
    owner: str | None,
    *,
    has_bot: bool,
) -> list[ContestPerson]:
    """Return the people who change when a person gets another team, as they are then.

    If others share the bot with the id of the person, a new team renames their team. Otherwise the
    person joins the team, or leaves the former one and has an own bot again.

    Args:
        person: the person.
        others: those who share the bot with the id of this person.
        team: the team, empty for none.
        owner: the id of the bot of this team; None without a team or members.
        has_bot: whether there is a bot with the id of the person.

    Raises:
        ServeError: the person has a bot and joins a team with another one, or leaves others who
            share the bot with the id of this person.
    """
    if team.lower() == person.team.lower():
        return [replace(person, team=team)]
    if owner is not None and has_bot:
        raise ServeError(
            f"{person.name} has submitted a bot, which would play beside that of the team {team}: "
            f"let its members join a team of {person.name} instead"
        )
    if others and (owner is not None or not team):
        names = ", ".join([one.name for one in others])
        raise ServeError(
            f"the bot of the team {person.team} has the id of {person.name}: change the team of "
            f"{names} first"
        )
    moved = replace(person, team=team, owner=owner or person.id)
    return [moved, *[replace(one, team=team) for one in others]]
