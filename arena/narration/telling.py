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
"""The names and values that decide a side's rank, most important first. Higher values are better.
"""


class ActionWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases for all actions of the same form, such as `play {card}`."""

    form: str
    words: str
    event: str = ""
    """The kind of event that announces the action to all seats, or an empty string."""
    told: str = ""
    """The phrase for the other seats. Default: the same phrase as for the acting seat."""
    menu: str = ""
    """The text of the action in a menu. Default: the phrase for the acting seat as an imperative.
    """


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a game, such as a trick, whose events are described again when the part ends."""

    begins: str
    ends: str
    told: tuple[str, ...]
    """The kinds of events that are described again when the part of the game ends."""


class GameWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    actions: tuple[ActionWords, ...] = ()
    names: dict[str, str] = {}
    events: dict[str, str] = {}
    """A phrase for each kind of event, such as `took`. The phrase for `took.card` is used if the
    field `card` of the event isn't empty."""
    parts: tuple[Part, ...] = ()


class Item(msgspec.Struct, frozen=True):
    points: int
    text: str


class SidePoints(msgspec.Struct, frozen=True):
    seats: tuple[int, ...]
    points: int
    items: tuple[Item, ...]
    note: str = ""
    """A note about the value that breaks ties between sides with equal points."""


def section_id(section: str) -> str:
    """Return the HTML id of a section of the rules, such as `s7-2` for section 7.2."""
    return f"s{section.replace('.', '-')}"


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    term: str
    text: str
    section: str
    """The number of a section of the rules, such as 7.2."""

    @property
    def place(self) -> str:
        return section_id(self.section)


class Telling:
    """Describes a game in words. A plugin can override every method."""

    words: ClassVar[GameWords] = GameWords()
    cards: ClassVar[tuple[str, ...]] = ()
    """The cards and tiles that the method `about` can describe."""
    legend: ClassVar[tuple[Term, ...]] = ()
    can_fail: ClassVar[bool] = False
    """Whether an action of the game can fail after a bot has declared the action."""
    shortcoming: ClassVar[str] = ""
    """A phrase that explains why a side ranks below a side with fewer points."""

    def name(self, word: str) -> str:
        """Return the display name of a card, tile or place."""
        return self.words.names.get(word) or word.replace("-", " ").capitalize()

    def about(self, slug: str) -> str:
        """Describe the effect of a card or tile in one line, or return an empty string."""
        return ""

    def about_action(self, action: str) -> str:
        """Describe the effect of an action's card or tile in one line, or return an empty
        string.
        """
        _, _, rest = action.partition(" ")
        return next(filter(None, [self.about(word) for word in rest.split()]), "")

    def card_tables(self) -> Mapping[str, Any]:
        """Return the values printed on cards, for the JavaScript code that draws replays."""
        return {}

    def worth(self, view: Any, action: str) -> str:
        """Describe what the current player gains by winning a card, or return an empty string."""
        return ""

    def facts(self, view: Any) -> Mapping[str, str]:
        """Return the values of placeholders such as `{gems_left}` in menu texts."""
        return {}

    def points_now(self, view: Any) -> Sequence[int] | None:
        """Return the current points of each side, or None if they are unknown."""
        return None

    def points(self, state: State) -> list[SidePoints]:
        """Itemize the points of each side in a finished game."""
        return []

    def measures(self, state: State) -> list[Measures]:
        """Return the values that determine the rank of each side in a finished game."""
        points = state.outcome().points
        return [(("points", points[side[0]]),) for side in state.variant.sides]

    def is_announced(self, action: str, view: Any) -> bool:
        """Return whether an action is only the first half of a move, given the view after the
        action.
        """
        return False

    def settled(self, text: str) -> str:
        """Adjust the description of a move after its last action is known."""
        return text

    def chapter(self, view: Mapping[str, Any]) -> str | None:
        """Return the title of a chapter of the replay, or None if the previous chapter
        continues.
        """
        if view.get("phase") == "over":
            return "The end"
        if "round" not in view:
            return "The game"
        return f"Round {view['round']}" if view["round"] else "Set-up"

    def reasons(self, before: Any, after: Any, events: Sequence[msgspec.Struct]) -> Iterator[str]:
        """Yield a reason for each action that failed during a move.

        The arguments `before` and `after` are the views of a spectator before and after the
        move.
        """
        return iter(())


@cache
def _made(place: str) -> Telling:
    telling: Telling = resolve_name(place)() if place else Telling()
    return telling


def telling_of(game: str) -> Telling:
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
