"""Base class for plugins that describe a game's actions, cards and points in words."""

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
"""Named values that determine the ranking, such as points and tiebreakers, most important first.
Higher values are better."""


class ActionWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to describe the actions that match a pattern such as `play {card}`."""

    form: str
    words: str
    event: str = ""
    """The kind of event that shows the action to all seats, or an empty string if the action is
    secret."""
    told: str = ""
    """The phrase that the other seats see. Default: the value of `words`."""
    menu: str = ""
    """The text of the action in a menu. Default: `words` as an imperative, such as "play {card}"
    for "plays {card}"."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a game, such as a trick."""

    begins: str
    ends: str
    told: tuple[str, ...]
    """Kinds of events to describe again at the end of a trick or another part of the game."""


class GameWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    actions: tuple[ActionWords, ...] = ()
    names: dict[str, str] = {}
    events: dict[str, str] = {}
    """Maps each kind of event to a phrase. A key such as "took.card" is for "took" events whose
    `card` field has a value."""
    parts: tuple[Part, ...] = ()


class Item(msgspec.Struct, frozen=True):
    points: int
    text: str


class SidePoints(msgspec.Struct, frozen=True):
    seats: tuple[int, ...]
    points: int
    items: tuple[Item, ...]
    note: str = ""
    """A note about how a tie in points was broken."""


def section_id(section: str) -> str:
    """Return the HTML id of a section of the rules, such as `s7-2` for section 7.2."""
    return f"s{section.replace('.', '-')}"


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    term: str
    text: str
    section: str
    """The number of a section in the rules, such as "7.2"."""

    @property
    def place(self) -> str:
        return section_id(self.section)


class Telling:
    """Describes a game in words. A plugin can override every method."""

    words: ClassVar[GameWords] = GameWords()
    cards: ClassVar[tuple[str, ...]] = ()
    """All cards and tiles that have a description."""
    legend: ClassVar[tuple[Term, ...]] = ()
    can_fail: ClassVar[bool] = False
    """Set to True if legal actions can fail, for example because of hidden information."""
    shortcoming: ClassVar[str] = ""
    """A phrase such as "not married" that explains why a side ranks below a side with fewer
    points."""

    def name(self, word: str) -> str:
        """Return the display name of a card, tile or place."""
        return self.words.names.get(word) or word.replace("-", " ").capitalize()

    def about(self, slug: str) -> str:
        """Describe the effect of a card or tile in one line, or return an empty string."""
        return ""

    def about_action(self, action: str) -> str:
        """Return a one-line description of the card or tile that an action uses, or an empty
        string.
        """
        _, _, rest = action.partition(" ")
        return next(filter(None, [self.about(word) for word in rest.split()]), "")

    def card_tables(self) -> Mapping[str, Any]:
        """Return the values printed on cards, for the JavaScript code that draws replays."""
        return {}

    def worth(self, view: Any, action: str) -> str:
        """Describe the points that the given action would score for the player, or return an empty
        string.
        """
        return ""

    def facts(self, view: Any) -> Mapping[str, str]:
        """Return values for the placeholders in action descriptions, such as the number of gems for
        `{gems_left}`.
        """
        return {}

    def points_now(self, view: Any) -> Sequence[int] | None:
        """Return the current points of each side, or None if they are unknown."""
        return None

    def points(self, state: State) -> list[SidePoints]:
        """Itemize the points of each side in a finished game."""
        return []

    def measures(self, state: State) -> list[Measures]:
        """Return each side's points and tiebreakers in a finished game."""
        points = state.outcome().points
        return [(("points", points[side[0]]),) for side in state.variant.sides]

    def is_announced(self, action: str, view: Any) -> bool:
        """Return whether the seat must choose a second action to complete its move.

        `view` is the seat's view after the first action.
        """
        return False

    def settled(self, text: str) -> str:
        """Return the wording for replays, where the described move has already been carried out."""
        return text

    def chapter(self, view: Mapping[str, Any]) -> str | None:
        """Return a heading for the moves that follow in a replay, or None to keep the previous
        heading.
        """
        if view.get("phase") == "over":
            return "The end"
        if "round" not in view:
            return "The game"
        return f"Round {view['round']}" if view["round"] else "Set-up"

    def reasons(self, before: Any, after: Any, events: Sequence[msgspec.Struct]) -> Iterator[str]:
        """Yield an explanation for each declared action that failed.

        `before` and `after` are a spectator's views of the game before and after the move.
        """
        return iter(())


@cache
def _made(place: str) -> Telling:
    telling: Telling = resolve_name(place)() if place else Telling()
    return telling


def telling_of(game: str) -> Telling:
    return _made(presentation_of(game).telling)


def read_table(name: str, kind: type[TableT], package: str) -> TableT:
    """Load a TOML file from a Python package and convert it to the given type."""
    text = resources.files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), kind)


def counted(number: int, noun: str) -> str:
    """Return a number and its noun in the singular or plural, such as `1 gem` or `2 gems`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def kind_of(event: msgspec.Struct) -> str:
    return str(event.__struct_config__.tag)
