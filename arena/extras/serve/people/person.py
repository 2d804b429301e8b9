"""A person of a contest, and the public name of a bot."""

from typing import Literal, NamedTuple

import msgspec

Role = Literal["student", "teacher"]


class Person(msgspec.Struct, frozen=True):
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
