"""Describe actions and events using phrases from a game's plugin."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from arena.base.protocol import printable
from arena.narration.telling import ActionWords, kind_of, telling_of

SEAT_FIELDS: Final = frozenset(["seat", "by", "leader", "winner", "first_seat"])
MAX_VALUE_CHARS = 80
YOU: Final = "you"
IRREGULAR: Final = {"is": "are", "has": "have", "must": "must", "can't": "can't"}
SIBILANTS: Final = ("sses", "shes", "ches", "xes")


class ActionText(msgspec.Struct, frozen=True):
    text: str
    told: str
    event: str


class Words:
    """Describes the actions and events of a game, using the names of the bots."""

    def __init__(self, game: str, names: Sequence[str], you: int | None = None) -> None:
        """Set the players' names. The player in the seat `you` is called "you"."""
        self.game = game
        self._telling = telling_of(game)
        self._words = self._telling.words
        self.parts = self._words.parts
        self._you = you
        self._players = [YOU if seat == you else name for seat, name in enumerate(names)]
        self._seats = {f"seat-{at}": name for at, name in enumerate(self._players)}

    def action(self, action: str) -> ActionText:
        """Describe an action in words. An action that the game's plugin doesn't describe is
        returned unchanged.
        """
        if (match := self._find(action)) is None:
            return ActionText(action, "", "")
        words, named = match
        text = words.words.format_map(named)
        return ActionText(text, words.told.format_map(named) or text, words.event)

    def kind(self, action: str) -> str:
        """Describe what kind of action was chosen, without the name of the card."""
        if (match := self._find(action)) is None:
            return action
        words, named = match
        return words.words.format_map(dict.fromkeys(named, "..."))

    def choice(self, action: str, facts: Mapping[str, str]) -> str:
        """Describe an action for a menu, and replace the description's placeholders with the values
        in `facts`.
        """
        if (match := self._find(action)) is None:
            return action
        words, named = match
        return words.menu.format_map({**facts, **named}) or _second_person(
            words.words.format_map(named)
        )

    def event(self, event: msgspec.Struct) -> str:
        """Describe an event in words, or return an empty string if the game's plugin doesn't
        describe it.
        """
        if not self._words.events:
            return plain_event(event, self._players)
        kind = kind_of(event)
        template = self._words.events.get(kind, "")
        fields = {field: getattr(event, field) for field in event.__struct_fields__}
        for field, value in fields.items():
            if value:
                template = self._words.events.get(f"{kind}.{field}", template)
        text = self._filled(template, fields)
        subject = next((key for key in SEAT_FIELDS if template.startswith(f"{{{key}}} ")), None)
        if subject is None or self._you is None or fields[subject] != self._you:
            return text
        return f"{YOU} {_second_person(text.removeprefix(f'{YOU} '))}"

    def did(self, seat: int, text: str) -> str:
        """Return a sentence that says which player made a move."""
        return f"{self.player(seat)} {_second_person(text) if seat == self._you else text}"

    def name(self, word: str) -> str:
        """Return the name of a card, tile, place or seat."""
        return self._seats.get(word) or self._telling.name(word)

    def player(self, seat: int) -> str:
        return self._players[seat]

    def _find(self, action: str) -> tuple[ActionWords, dict[str, str]] | None:
        for words in self._words.actions:
            if (parts := _fit(words.form, action)) is not None:
                return words, {key: self.name(part) for key, part in parts.items()}
        return None

    def _filled(self, template: str, fields: Mapping[str, object]) -> str:
        named = {
            key: self._field(key, value)
            for key, value in fields.items()
            if f"{{{key}}}" in template
        }
        if "{whose}" in template:
            seat = fields["seat"]
            assert isinstance(seat, int)
            named["whose"] = "your" if seat == self._you else f"{self.player(seat)}'s"
        if "{in_words}" in template:
            named["in_words"] = self.action(str(fields["action"])).told
        return template.format_map(named)

    def _field(self, key: str, value: object) -> str:
        if value is None:
            return "nobody" if key in SEAT_FIELDS else "nothing"
        if key in SEAT_FIELDS and isinstance(value, int):
            return self.player(value)
        if key == "seats" and isinstance(value, list | tuple):
            return ", ".join(map(self.player, value)) or "nobody"
        if isinstance(value, dict):  # by seat
            by_seat = [f"{self.player(at)}: {self._field('', v)}" for at, v in value.items()]
            return ", ".join(by_seat) or "none"
        if isinstance(value, list | tuple):
            return ", ".join([self._field("", item) for item in value]) or "nothing"
        if isinstance(value, msgspec.Struct):
            return self._change(value)
        if isinstance(value, str):
            return " ".join(map(self.name, value.split()))
        return str(value)

    def _change(self, change: msgspec.Struct) -> str:
        where, what, amount = msgspec.structs.astuple(change)
        return f"{self.name(where)} {amount:+} {self.name(what)}"


class MenuChoice(msgspec.Struct, frozen=True):
    action: str
    text: str
    about: str
    """A one-line description of the effect of a card or tile, or an empty string."""


def menu(view: msgspec.Struct, legal: Sequence[str], words: Words) -> list[MenuChoice]:
    """Return the legal actions of the current player as a menu, given the player's view."""
    telling = telling_of(words.game)
    facts = telling.facts(view)
    return [
        MenuChoice(
            action,
            words.choice(action, facts),
            telling.worth(view, action) or telling.about_action(action),
        )
        for action in legal
    ]


def _second_person(text: str) -> str:
    verb, space, rest = text.partition(" ")
    if verb in IRREGULAR:
        verb = IRREGULAR[verb]
    else:
        verb = verb[:-2] if verb.endswith(SIBILANTS) else verb.removesuffix("s")
    return f"{verb}{space}{f' {rest}'.replace(' its ', ' your ')[1:]}"


def _fit(form: str, action: str) -> dict[str, str] | None:
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


# -- games without words ---------------------------------------------------------------------------


def plain_event(event: msgspec.Struct, players: Sequence[str]) -> str:
    """Format an event as a single line of text. For example: `bob: took card; card 7`."""
    kind = str(event.__struct_config__.tag or type(event).__name__)
    fields = {
        field: value
        for field in event.__struct_fields__
        if (value := getattr(event, field)) is not None
    }
    seat = fields.pop("seat", None)
    parts = [_spaced(kind) if seat is None else f"{_player(seat, players)}: {_spaced(kind)}"]
    for field, value in fields.items():
        text = _of_field(field, value, players)
        if len(text) > MAX_VALUE_CHARS:
            text = f"{text[:MAX_VALUE_CHARS]}..."
        parts.append(f"{_spaced(field)} {text}")
    return printable("; ".join(parts))


def plain_value(value: object) -> str:
    """Format JSON data as text. For example, the list `[1, 2, [3, 4]]` becomes `1, 2, (3, 4)`."""
    return printable(_in_words(value, inner=False))


def _of_field(field: str, value: object, players: Sequence[str]) -> str:
    if field in SEAT_FIELDS:
        return _player(value, players)
    if field == "seats" and isinstance(value, list | tuple):
        return ", ".join([_player(seat, players) for seat in value]) or "none"
    return _in_words(msgspec.to_builtins(value), inner=False)


def _player(seat: object, players: Sequence[str]) -> str:
    if isinstance(seat, int) and 0 <= seat < len(players):
        return players[seat]
    return _in_words(seat, inner=True)


def _in_words(value: object, *, inner: bool) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        text = ", ".join(
            [f"{_spaced(str(k))} {_in_words(v, inner=True)}" for k, v in value.items()]
        )
    elif isinstance(value, list | tuple):
        text = ", ".join([_in_words(item, inner=True) for item in value])
    else:
        return str(value)
    return f"({text or 'none'})" if inner else text or "none"


def _spaced(name: str) -> str:
    return name.replace("_", " ")
