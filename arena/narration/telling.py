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
"""Named values by which sides are ranked, the most important value first. Higher values are
better.
"""


class ActionWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Descriptions of actions with the same form."""

    form: str
    words: str
    event: str = ""
    """Kind of the event that tells all seats about the action. Empty if there is no such event."""
    told: str = ""
    """Description for other seats if they learn less than the acting seat."""
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
    """Descriptions by kind of event. The key `kind.field` applies to events with a nonempty
    `field`.
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
    """A tie-breaker between sides with equal points, as text."""


def section_id(section: str) -> str:
    """Return the HTML id of a section, such as 7.2, on the rules page."""
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
    """Symbols and numbers that the game's replays use, with their meanings."""
    can_fail: ClassVar[bool] = False
    """Whether declared actions can fail. If so, `reasons` explains the failures."""
    shortcoming: ClassVar[str] = ""
    """The reason why a side ranks below sides with fewer points, such as `not married`."""

    def name(self, word: str) -> str:
        """Return the display name of a card, tile or place."""
        return self.words.names.get(word) or word.replace("-", " ").capitalize()

    def about(self, slug: str) -> str:
        """Return the effect of a card or tile, in one line; empty if it has none."""
        return ""

    def about_action(self, action: str) -> str:
        """Return the effects of an action's cards or tiles in one line; empty if they have none."""
        _, _, rest = action.partition(" ")
        return next(filter(None, [self.about(word) for word in rest.split()]), "")

    def card_tables(self) -> Mapping[str, Any]:
        """Return the data printed on cards, for the script that draws the table."""
        return {}

    def worth(self, view: Any, action: str) -> str:
        """Return what an action's card is worth to the seat of `view` if that seat wins the card.

        Return an empty string if every seat values the card equally.
        """
        return ""

    def facts(self, view: Any) -> Mapping[str, str]:
        """Return values for the placeholders of `menu` texts that depend on the position."""
        return {}

    def points_now(self, view: Any) -> Sequence[int] | None:
        """Return the points that each side has so far, or None if there are no points yet."""
        return None

    def points(self, state: State) -> list[SidePoints]:
        """Return the itemized points of each side in a finished game. Empty if unknown."""
        return []

    def measures(self, state: State) -> list[Measures]:
        """Return, for each side of a finished game, the values by which sides are ranked."""
        points = state.outcome().points
        return [(("points", points[side[0]]),) for side in state.variant.sides]

    def is_announced(self, action: str, view: Any) -> bool:
        """Return whether the action only announces the next action.

        `view` is the view of the next seat to act.
        """
        return False

    def settled(self, text: str) -> str:
        """Return the description of an action that completes a move."""
        return text

    def chapter(self, view: Mapping[str, Any]) -> str | None:
        """Return the title of the chapter that begins at this view. None if no chapter begins."""
        if view.get("phase") == "over":
            return "The end"
        if "round" not in view:
            return "The game"
        return f"Round {view['round']}" if view["round"] else "Set-up"

    def reasons(self, before: Any, after: Any, events: Sequence[msgspec.Struct]) -> Iterator[str]:
        """Yield a reason for each failed action of a move.

        `before` and `after` are views of a spectator. `events` contains the public events of the
        move.
        """
        return iter(())


@cache
def _made(place: str) -> Telling:
    telling: Telling = resolve_name(place)() if place else Telling()
    return telling


def telling_of(game: str) -> Telling:
    """Return the `Telling` object that a game's plugin provides."""
    return _made(presentation_of(game).telling)


def read_table(name: str, kind: type[TableT], package: str) -> TableT:
    """Decode a TOML file of a package, such as `words.toml`."""
    text = resources.files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), kind)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, as in `1 gem` or `2 gems`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def kind_of(event: msgspec.Struct) -> str:
    return str(event.__struct_config__.tag)
