"""Changes of teams: no bot loses its team, and no team gets two bots. Pure."""

from collections.abc import Sequence

from msgspec.structs import replace

from arena.errors import ServeError
from arena.extras.serve.people.person import Person


def with_team(
    person: Person, others: Sequence[Person], team: str, owner: str | None, *, has_bot: bool
) -> list[Person]:
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
