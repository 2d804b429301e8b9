"""How a game is told: its words, its cards, its points. A plugin brings this for its game."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from pkgutil import resolve_name
from typing import Any, ClassVar, TypeVar

import msgspec

from arena.plugins import presentation_of
from engine import State

TableT = TypeVar("TableT")
Measures = tuple[tuple[str, int], ...]
"""The measures that compare sides, in this order: names and values, the greater the better."""


class ActionWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words for actions of one form."""

    form: str
    words: str
    event: str = ""
    """The kind of the event that tells all seats of the action; empty if there is none."""
    told: str = ""
    """The words for the other seats, if they are told less than `words`."""
    menu: str = ""
    """The words for a person who may choose it, if they are not `words` in the imperative."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a game, such as a trick, that is told again when it is over."""

    begins: str
    """The kind of the event that begins it."""
    ends: str
    told: tuple[str, ...]
    """The kinds of events that are told again."""


class GameWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words for a game."""

    actions: tuple[ActionWords, ...] = ()
    names: dict[str, str] = {}
    events: dict[str, str] = {}
    """By kind, or by `kind.field` for events in which that field is true or not empty."""
    parts: tuple[Part, ...] = ()


class Item(msgspec.Struct, frozen=True):
    """A part of the points of a side."""

    points: int
    text: str


class SidePoints(msgspec.Struct, frozen=True):
    """The points of a side, and how they came about."""

    seats: tuple[int, ...]
    points: int
    items: tuple[Item, ...]
    """Their points add up to `points`."""
    note: str = ""
    """The reason that may decide between sides with equal points."""


def section_id(section: str) -> str:
    """Return the id of a section, such as 7.2, on the page of the rules."""
    return f"s{section.replace('.', '-')}"


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the table that a replay draws, and what it means."""

    term: str
    text: str
    section: str
    """The section of the rules."""

    @property
    def place(self) -> str:
        """The id of the section on the page of the rules."""
        return section_id(self.section)


class Telling:
    """Tells a game of which nothing is known. A plugin overrides what its game has."""

    words: ClassVar[GameWords] = GameWords()
    cards: ClassVar[tuple[str, ...]] = ()
    """The cards or tiles of which `about` says something."""
    legend: ClassVar[tuple[Term, ...]] = ()
    """What strips and numbers in its replays mean."""
    can_fail: ClassVar[bool] = False
    """Whether declared actions may fail, for `reasons`."""
    shortcoming: ClassVar[str] = ""
    """What puts a side behind others with fewer points, such as `not married`."""

    def name(self, word: str) -> str:
        """Return the name of a card, tile or place."""
        return self.words.names.get(word) or word.replace("-", " ").capitalize()

    def about(self, slug: str) -> str:
        """Return what a card or tile does, in one line; empty if there is none."""
        return ""

    def about_action(self, action: str) -> str:
        """Return what the cards or tiles of an action do, in one line; empty if it has none."""
        _, _, rest = action.partition(" ")
        return next(filter(None, [self.about(word) for word in rest.split()]), "")

    def card_tables(self) -> Mapping[str, Any]:
        """Return tables of what is printed on cards, for the script that draws the table."""
        return {}

    def worth(self, view: Any, action: str) -> str:
        """Return what winning the card of an action brings to the seat of `view`, if it counts.

        It is empty for what is worth the same to each seat.
        """
        return ""

    def facts(self, view: Any) -> Mapping[str, str]:
        """Return what menus say of the position of `view`, for the braces of `menu` words."""
        return {}

    def points_now(self, view: Any) -> Sequence[int] | None:
        """Return the points by side as if the game ended now; None if the game does not tell."""
        return None

    def points(self, state: State) -> list[SidePoints]:
        """Return how the points of a finished game came about, by side; nothing if not known."""
        return []

    def measures(self, state: State) -> list[Measures]:
        """Return by side what a finished game compares sides by."""
        points = state.outcome().points
        return [(("points", points[side[0]]),) for side in state.variant.sides]

    def is_announced(self, action: str, view: Any) -> bool:
        """Return whether an action only announces the next one.

        `view` is that of the seat to act after it.
        """
        return False

    def settled(self, text: str) -> str:
        """Return the words of an action with which a move ends; `text` may announce another one."""
        return text

    def chapter(self, view: Mapping[str, Any]) -> str | None:
        """Return the title of the part of the game of a view; None if the last part goes on."""
        if view.get("phase") == "over":
            return "The end"
        if "round" not in view:
            return "The game"
        return f"Round {view['round']}" if view["round"] else "Set-up"

    def reasons(self, before: Any, after: Any, events: Sequence[msgspec.Struct]) -> Iterator[str]:
        """Yield why each action failed that `events`, those of one move, tell to have failed.

        Args:
            before: the view of a spectator before the move.
            after: the view of a spectator after it.
            events: what all were told of it.
        """
        return iter(())


@cache
def _made(place: str) -> Telling:
    telling: Telling = resolve_name(place)() if place else Telling()
    return telling


def telling_of(game: str) -> Telling:
    """Return how a game is told, as its plugin says."""
    return _made(presentation_of(game).telling)


def read_table(name: str, kind: type[TableT], package: str) -> TableT:
    """Return a table of a package, such as its `words.toml`, as data of a type."""
    text = resources.files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), kind)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, as `1 gem` and `2 gems`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def kind_of(event: msgspec.Struct) -> str:
    """Return the kind of an event, as in `words.toml`."""
    return str(event.__struct_config__.tag)
