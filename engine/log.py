"""Record the events of a game and which seats can see each event."""

from functools import cache
from typing import Any

import msgspec

Note = tuple[int | None, str, dict[str, Any]]  # the seat that sees it (None: all), kind, fields


class Log:
    __slots__ = ("_notes",)

    def __init__(self) -> None:
        self._notes: list[Note] = []

    def note(self, event: str, /, **fields: Any) -> None:
        """Add an event that is visible to all seats and spectators."""
        self._notes.append((None, event, fields))

    def tell(self, seat: int, event: str, /, **fields: Any) -> None:
        self._notes.append((seat, event, fields))

    def events(self, seat: int | None, since: int = 0) -> list[msgspec.Struct]:
        visible = [note for note in self._notes if note[0] is None or note[0] == seat]
        return [_event(kind, fields) for _, kind, fields in visible[since:]]

    def copy(self) -> "Log":
        return self.known_to(None, everything=True)

    def known_to(self, seat: int | None, *, everything: bool = False) -> "Log":
        """Return a copy of the log without events that only other seats can see."""
        other = Log()
        other._notes = [n for n in self._notes if everything or n[0] is None or n[0] == seat]
        return other


def _event(kind: str, fields: dict[str, Any]) -> msgspec.Struct:
    values = {name: _frozen(value) for name, value in fields.items()}
    return _event_type(kind, tuple(fields))(**values)


@cache
def _event_type(kind: str, fields: tuple[str, ...]) -> type[msgspec.Struct]:
    name = "".join(word.capitalize() for word in kind.replace("-", "_").split("_"))
    types = [(field, Any) for field in fields]
    return msgspec.defstruct(name, types, frozen=True, tag_field="event", tag=kind)


def _frozen(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple([_frozen(each) for each in value])
    return {key: _frozen(each) for key, each in value.items()} if isinstance(value, dict) else value
