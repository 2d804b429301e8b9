"""What strips and numbers in the replays of a game mean, from `legends.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

import msgspec


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the drawn table, what it means, and the section of the rules."""

    term: str
    text: str
    section: str

    @property
    def place(self) -> str:
        """The id of the section on the page of the rules."""
        return f"s{self.section.replace('.', '-')}"


@cache
def _table() -> Mapping[str, Sequence[Term]]:
    text = resources.files(__package__).joinpath("legends.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, list[Term]])


def legend_of(game: str) -> Sequence[Term]:
    """Return the terms of a built-in game; none for other games."""
    return _table().get(game, ())
