"""Define how a game's plugin describes actions, cards and points in words."""

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
"""The names and values by which sides are ranked. Later values break ties of earlier values, and
higher values are better.
"""


class ActionWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Descriptions of actions with the same form."""

    form: str
    words: str
    event: str = ""
    """The kind of event that announces the action to all seats. Empty if there is no such event."""
    told: str = ""
    """The description for the other seats. By default, all seats see the same description."""
    menu: str = ""
    """Text of the menu item. Default: the imperative of `words`."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a game, such as a trick. Its events are repeated when it ends."""

    begins: str
    """Kind of event with which the part begins."""
    ends: str
    told: tuple[str, ...]
    """Kinds of events that are repeated."""


class GameWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    actions: tuple[ActionWords, ...] = ()
    names: dict[str, str] = {}
    events: dict[str, str] = {}
    """The description for each kind of event. A key such as `took.card` takes precedence over the
    key `took` if the field `card` of the event is not empty.
    """
    parts: tuple[Part, ...] = ()


class Item(msgspec.Struct, frozen=True):
    points: int
    text: str


class SidePoints(msgspec.Struct, frozen=True):
    seats: tuple[int, ...]
    points: int
    items: tuple[Item, ...]
    """Items whose points add up to `points`."""
    note: str = ""
    """A note about the value that breaks ties between sides with equal points."""


def section_id(section: str) -> str:
    """Convert the number of a section of the rules to an HTML id."""
    return f"s{section.replace('.', '-')}"


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A symbol or number in a replay, with its meaning."""

    term: str
    text: str
    section: str
    """Section of the rules, such as 7.2."""

    @property
    def place(self) -> str:
        return section_id(self.section)


class Telling:
    """Describes a game in words. Plugins override its methods, whose defaults work for any game."""

    words: ClassVar[GameWords] = GameWords()
    cards: ClassVar[tuple[str, ...]] = ()
    """The cards or tiles that `about` describes."""
    legend: ClassVar[tuple[Term, ...]] = ()
    """Explanations of the symbols and numbers in the game's replays."""
    can_fail: ClassVar[bool] = False
    """Whether declared actions can fail. If so, `reasons` explains the failures."""
    shortcoming: ClassVar[str] = ""
    """A phrase that explains why a side ranks below a side with fewer points."""

    def name(self, word: str) -> str:
        """Return the display name of a card, tile or place."""
        return self.words.names.get(word) or word.replace("-", " ").capitalize()

    def about(self, slug: str) -> str:
        """Describe the effect of a card or tile in one line.

        Return an empty string if the card or tile has no effect.
        """
        return ""

    def about_action(self, action: str) -> str:
        """Describe the effect of an action's card or tile in one line.

        Return an empty string if the action has no such effect.
        """
        _, _, rest = action.partition(" ")
        return next(filter(None, [self.about(word) for word in rest.split()]), "")

    def card_tables(self) -> Mapping[str, Any]:
        """Return the values printed on cards. These values are passed to the drawing script."""
        return {}

    def worth(self, view: Any, action: str) -> str:
        """Describe what the current player gains by winning the card of an action.

        Return an empty string if the card is worth the same to every seat.
        """
        return ""

    def facts(self, view: Any) -> Mapping[str, str]:
        """Return facts about the current position that menu texts mention."""
        return {}

    def points_now(self, view: Any) -> Sequence[int] | None:
        """Return the current points of each side, or None if they are unknown."""
        return None

    def points(self, state: State) -> list[SidePoints]:
        """Itemize the points of each side in a finished game. By default, return an empty list."""
        return []

    def measures(self, state: State) -> list[Measures]:
        """Return the values that determine the rank of each side in a finished game."""
        points = state.outcome().points
        return [(("points", points[side[0]]),) for side in state.variant.sides]

    def is_announced(self, action: str, view: Any) -> bool:
        """Return whether an action is only the first half of a move.

        The argument `view` is the view of the next seat to act.
        """
        return False

    def settled(self, text: str) -> str:
        """Adjust the description of a move after its last action is known."""
        return text

    def chapter(self, view: Mapping[str, Any]) -> str | None:
        """Return the title of the current chapter, or None to continue the previous chapter."""
        if view.get("phase") == "over":
            return "The end"
        if "round" not in view:
            return "The game"
        return f"Round {view['round']}" if view["round"] else "Set-up"

    def reasons(self, before: Any, after: Any, events: Sequence[msgspec.Struct]) -> Iterator[str]:
        """Yield a reason for each action that failed during a move.

        The arguments `before` and `after` are a spectator's views. The argument `events` contains
        the public events of the move.
        """
        return iter(())


@cache
def _made(place: str) -> Telling:
    telling: Telling = resolve_name(place)() if place else Telling()
    return telling


def telling_of(game: str) -> Telling:
    """Return the instance of `Telling` that describes a game."""
    return _made(presentation_of(game).telling)


def read_table(name: str, kind: type[TableT], package: str) -> TableT:
    """Decode a TOML file that is included in a Python package."""
    text = resources.files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), kind)


def counted(number: int, noun: str) -> str:
    """Format a number with a noun, for example `1 gem` or `2 gems`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def kind_of(event: msgspec.Struct) -> str:
    return str(event.__struct_config__.tag)
