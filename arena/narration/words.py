"""Actions and events of games in words, from the tables in `words.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Final

import msgspec

from engine.bribery.cards import CARDS, JOKERS

SEAT_FIELDS: Final = frozenset(["seat", "by", "leader", "winner", "first_seat"])
"""Fields of events that hold a seat; a list of seats is called `seats`."""
SUIT_SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


class ActionWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words for actions of one form."""

    form: str
    words: str
    event: str = ""
    """The kind of the event that tells all seats of the action; empty if there is none."""
    told: str = ""
    """The words for the other seats, if they are told less than `words`."""


class GameWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words for a game."""

    actions: tuple[ActionWords, ...] = ()
    names: dict[str, str] = {}
    events: dict[str, str] = {}
    """By kind, or by `kind.field` for events in which that field is true or not empty."""


class ActionText(msgspec.Struct, frozen=True):
    """An action in words, its words for the other seats, and the kind of its event."""

    text: str
    told: str
    event: str


@cache
def table() -> Mapping[str, GameWords]:
    """Return the words by game."""
    text = resources.files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, GameWords])


class Words:
    """Actions and events of one game in words, with the names of its bots."""

    def __init__(self, game: str, names: Sequence[str]) -> None:
        self._words = table().get(game, GameWords())
        self._players = names
        self._names = self._words.names | {f"seat-{at}": name for at, name in enumerate(names)}
        if game == "bribery":
            self._names |= {
                card: card[:-1].upper() + SUIT_SIGNS[card[-1]]
                for card in CARDS
                if card not in JOKERS
            }

    def action(self, action: str) -> ActionText:
        """Return an action in words. An unknown action is shown as it is, to its seat only."""
        for one in self._words.actions:
            if (parts := _fit(one.form, action)) is not None:
                named = {key: self._name(part) for key, part in parts.items()}
                text = one.words.format_map(named)
                return ActionText(text, one.told.format_map(named) or text, one.event)
        return ActionText(action, "", "")

    def event(self, event: msgspec.Struct) -> str:
        """Return an event in words, or an empty string if it has none."""
        kind = str(event.__struct_config__.tag)
        template = self._words.events.get(kind, "")
        fields = {field: getattr(event, field) for field in event.__struct_fields__}
        for field, value in fields.items():
            if value:
                template = self._words.events.get(f"{kind}.{field}", template)
        named = {
            key: self._field(key, value)
            for key, value in fields.items()
            if f"{{{key}}}" in template
        }
        return template.format_map(named)

    def _name(self, word: str) -> str:
        return self._names.get(word) or word.replace("-", " ").capitalize()

    def _player(self, seat: int) -> str:
        return self._players[seat]

    def _field(self, key: str, value: object) -> str:
        if value is None:
            return "nobody" if key in SEAT_FIELDS else "nothing"
        if key in SEAT_FIELDS and isinstance(value, int):
            return self._player(value)
        if key == "seats" and isinstance(value, list | tuple):
            return ", ".join(map(self._player, value)) or "nobody"
        if isinstance(value, dict):  # by seat
            by_seat = [f"{self._player(at)}: {self._field('', v)}" for at, v in value.items()]
            return ", ".join(by_seat) or "none"
        if isinstance(value, list | tuple):
            return ", ".join([self._field("", item) for item in value]) or "nothing"
        if isinstance(value, msgspec.Struct):
            return self._change(value)
        if isinstance(value, str):
            return " ".join(map(self._name, value.split()))
        return str(value)

    def _change(self, change: msgspec.Struct) -> str:
        """Return a change in words: where, by how much and what."""
        where, what, amount = msgspec.structs.astuple(change)
        return f"{self._name(where)} {amount:+} {self._name(what)}"


def _fit(form: str, action: str) -> dict[str, str] | None:
    """Return the words of `action` for the braces of `form`; None if it has another form."""
    wanted, given = form.split(), action.split()
    if len(wanted) != len(given):
        return None
    parts = {}
    for want, word in zip(wanted, given, strict=True):
        if want.startswith("{"):
            parts[want[1:-1]] = word
        elif want != word:
            return None
    return parts
