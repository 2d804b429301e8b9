"""Events and values of games without words of their own, in plain words: a plugin's game."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from arena.protocol import printable

SEAT_FIELDS: Final = frozenset(["seat", "by", "leader", "winner", "first_seat"])
"""Fields of events that hold a seat; a list of seats is called `seats`."""
MAX_VALUE_CHARS = 80
"""Characters after which a value of an event is cut."""


def plain_event(event: msgspec.Struct, players: Sequence[str]) -> str:
    """Return an event as `bob: took card; card 7`: its seat, its kind, and its other fields."""
    kind = str(event.__struct_config__.tag or type(event).__name__)
    fields = {
        field: value
        for field in event.__struct_fields__
        if (value := getattr(event, field)) is not None
    }
    seat = fields.pop("seat", None)
    told = [_spaced(kind) if seat is None else f"{_player(seat, players)}: {_spaced(kind)}"]
    for field, value in fields.items():
        text = _of_field(field, value, players)
        if len(text) > MAX_VALUE_CHARS:
            text = f"{text[:MAX_VALUE_CHARS]}..."
        told.append(f"{_spaced(field)} {text}")
    return printable("; ".join(told))


def plain_value(value: object) -> str:
    """Return plain data, as of JSON, in words: lists with commas, parts of parts in brackets."""
    return printable(_in_words(value, inner=False))


def _of_field(field: str, value: object, players: Sequence[str]) -> str:
    if field in SEAT_FIELDS:
        return _player(value, players)
    if field == "seats" and isinstance(value, list | tuple):
        return ", ".join([_player(one, players) for one in value]) or "none"
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
        text = ", ".join([_in_words(one, inner=True) for one in value])
    else:
        return str(value)
    return f"({text or 'none'})" if inner else text or "none"


def _spaced(name: str) -> str:
    return name.replace("_", " ")
