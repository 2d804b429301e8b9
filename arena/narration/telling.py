"""How a game is presented in words: actions, cards, points. Each game's plugin provides this."""

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
"""Names and values by which sides are compared, most important first; higher is better."""


class ActionWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words for actions of one form."""

    form: str
    words: str
    event: str = ""
    """The kind of event that tells all seats about the action; empty if there is none."""
    told: str = ""
    """The words for other seats, if they learn less than `words` says."""
    menu: str = ""
    """The words in a menu, if they are not `words` in the imperative."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a game, such as a trick, that is repeated when it is over."""

    begins: str
    """The kind of event that begins it."""
    ends: str
    told: tuple[str, ...]
    """The kinds of events that are repeated."""


class GameWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    actions: tuple[ActionWords, ...] = ()
    names: dict[str, str] = {}
    events: dict[str, str] = {}
    """By kind, or by `kind.field` for events in which that field is true or not empty."""
    parts: tuple[Part, ...] = ()


class Item(msgspec.Struct, frozen=True):
    """One item of a side's points."""

    points: int
    text: str


class SidePoints(msgspec.Struct, frozen=True):
    """A side's points, item by item."""

    seats: tuple[int, ...]
    points: int
    items: tuple[Item, ...]
    """These add up to `points`."""
    note: str = ""
    """What may decide between sides with equal points."""


def section_id(section: str) -> str:
    """Return the HTML id of a section, such as 7.2, on the rules page."""
    return f"s{section.replace('.', '-')}"


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something a replay draws, and what it means."""

    term: str
    text: str
    section: str
    """The section of the rules."""

    @property
    def place(self) -> str:
        """The HTML id of the section on the rules page."""
        return section_id(self.section)


class Telling:
    """The presentation of a game. These defaults know nothing about the game; plugins override
    them.
    """

    words: ClassVar[GameWords] = GameWords()
    cards: ClassVar[tuple[str, ...]] = ()
    """The cards or tiles that `about` describes."""
    legend: ClassVar[tuple[Term, ...]] = ()
    """The meaning of strips and numbers in replays."""
    can_fail: ClassVar[bool] = False
    """Whether declared actions can fail, see `reasons`."""
    shortcoming: ClassVar[str] = ""
    """What ranks a side below others with fewer points, such as `not married`."""

    def name(self, word: str) -> str:
        """Return the display name of a card, tile or place."""
        return self.words.names.get(word) or word.replace("-", " ").capitalize()

    def about(self, slug: str) -> str:
        """Return what a card or tile does, in one line; empty if nothing."""
        return ""

    def about_action(self, action: str) -> str:
        """Return what the cards or tiles of an action do, in one line; empty if it has none."""
        _, _, rest = action.partition(" ")
        return next(filter(None, [self.about(word) for word in rest.split()]), "")

    def card_tables(self) -> Mapping[str, Any]:
        """Return what is printed on the cards, for the script that draws the table."""
        return {}

    def worth(self, view: Any, action: str) -> str:
        """Return what the card of an action is worth to the seat of `view`, if it wins the card.

        Empty if it is worth the same to every seat.
        """
        return ""

    def facts(self, view: Any) -> Mapping[str, str]:
        """Return facts about the position, to fill the braces of `menu` words."""
        return {}

    def points_now(self, view: Any) -> Sequence[int] | None:
        """Return each side's points as if the game ended now; None if it has none yet."""
        return None

    def points(self, state: State) -> list[SidePoints]:
        """Return the points of a finished game item by item, by side; empty if unknown."""
        return []

    def measures(self, state: State) -> list[Measures]:
        """Return the measures by which a finished game ranks its sides, by side."""
        points = state.outcome().points
        return [(("points", points[side[0]]),) for side in state.variant.sides]

    def is_announced(self, action: str, view: Any) -> bool:
        """Return whether an action only announces the next one.

        `view` is the view of the seat to act next.
        """
        return False

    def settled(self, text: str) -> str:
        """Return the words of the action that ends a move; `text` may announce another one."""
        return text

    def chapter(self, view: Mapping[str, Any]) -> str | None:
        """Return the title of the part of the game that begins in a view; None if it continues."""
        if view.get("phase") == "over":
            return "The end"
        if "round" not in view:
            return "The game"
        return f"Round {view['round']}" if view["round"] else "Set-up"

    def reasons(self, before: Any, after: Any, events: Sequence[msgspec.Struct]) -> Iterator[str]:
        """Yield the reason for each failed action among the events of one move.

        Args:
            before: a spectator's view before the move.
            after: a spectator's view after it.
            events: what everybody was told about it.
        """
        return iter(())


@cache
def _made(place: str) -> Telling:
    telling: Telling = resolve_name(place)() if place else Telling()
    return telling


def telling_of(game: str) -> Telling:
    """Return the presentation of a game from its plugin."""
    return _made(presentation_of(game).telling)


def read_table(name: str, kind: type[TableT], package: str) -> TableT:
    """Decode a table of a package, such as `words.toml`."""
    text = resources.files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), kind)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 gem`, `2 gems`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def kind_of(event: msgspec.Struct) -> str:
    """Return the kind of an event, as in `words.toml`."""
    return str(event.__struct_config__.tag)
