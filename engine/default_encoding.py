"""Encode actions and views of games that do not define their own encoding.

The encoding reserves vector elements for each boolean, integer, `Literal` string, list of
`Literal` strings, and list with a maximum length. All other fields of a view are hashed into a
fixed number of elements. Seats keep their absolute numbers.
"""

import types
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints
from zlib import crc32

import msgspec

from engine.encoding import MAX_VALUE, Enumerated, HasViews, Layout, event_rows
from engine.errors import EngineError

ACTION_SLOTS = 1024
HASHED_PLACES = 1024
EVENT_PLACES = 64
_NOT_FACTS = frozenset(["game", "variant", "legal"])
_BOUNDS = (-MAX_VALUE - 1, MAX_VALUE)

Writer = Callable[["array[int]", Any], None]


class DefaultEncoding(Enumerated):
    def __init__(
        self,
        name: str,
        view_type: type[msgspec.Struct],
        actions: Sequence[str] = (),
        history: int = 0,
    ) -> None:
        layout = Layout()
        self._untyped: list[str] = []
        self._writers: dict[str, Writer] = {}
        for field, kind in get_type_hints(view_type, include_extras=True).items():
            if field not in _NOT_FACTS:
                writer = _writer(layout, field, kind)
                if writer is None:
                    self._untyped.append(field)
                else:
                    self._writers[field] = writer
        self._hashed_at = layout.size
        if self._untyped:
            meaning = (
                "View fields without fixed bounds. A hash of the value's path selects the element "
                "to which the value is added. A string counts as 1. Fields: "
            )
            places = map(str, range(HASHED_PLACES))
            layout.add("hashed", meaning + ", ".join(self._untyped), places, bounds=_BOUNDS)
        self._history_at = layout.size
        if history:
            meaning = "The fields of the most recent events, hashed like view fields, newest first."
            places = map(str, range(EVENT_PLACES))
            layout.add("history", meaning, places, event_rows(history), _BOUNDS)
        slots = [f"slot {slot}" for slot in range(ACTION_SLOTS)]
        self._has_slots = not actions
        super().__init__(name, actions or slots, layout, history)

    def numbers(self, legal: Sequence[str]) -> list[int]:
        """Return the number of each action.

        Raises:
            EngineError: An action is unknown, or more than `ACTION_SLOTS` actions are legal.
        """
        if not self._has_slots:
            return super().numbers(legal)
        if len(legal) > ACTION_SLOTS:
            raise EngineError(
                f"got {len(legal)} legal actions, expected at most {ACTION_SLOTS}; list the "
                "`actions` of the game"
            )
        taken: dict[int, None] = {}
        for action in legal:
            slot = _hash(action, ACTION_SLOTS)
            while slot in taken:
                slot = (slot + 1) % ACTION_SLOTS
            taken[slot] = None
        return list(taken)

    def action(self, number: int, legal: Sequence[str]) -> str:
        if not self._has_slots:
            return super().action(number, legal)
        try:
            return legal[self.numbers(legal).index(number)]
        except ValueError:
            raise EngineError(
                f"slot {number} has no legal action; expected a slot from `numbers`"
            ) from None

    def encode(self, state: HasViews, seat: int, events: Sequence[object] = ()) -> "array[int]":
        vector = self._zeros[:]
        facts = msgspec.to_builtins(state.view(seat), str_keys=True)
        for field, writer in self._writers.items():
            writer(vector, facts[field])
        untyped = {field: facts[field] for field in self._untyped}
        _write(untyped, vector, self._hashed_at, HASHED_PLACES)
        start = self._history_at
        for event in reversed(events[-self.history :] if self.history else ()):
            _write(msgspec.to_builtins(event, str_keys=True), vector, start, EVENT_PLACES)
            start += EVENT_PLACES
        return vector


# -- types --------------------------------------------------------------------------------------


def _writer(layout: Layout, name: str, kind: Any, limit: int = MAX_VALUE) -> Writer | None:
    """Add a view's field to the layout, and return a function that writes the field to vectors.

    Return None if the field's type has no fixed bounds.
    """
    bounds, most = _BOUNDS, None
    if get_origin(kind) is Annotated:
        kind, *notes = get_args(kind)
        for note in notes:
            if isinstance(note, msgspec.Meta):
                low = _BOUNDS[0] if note.ge is None else int(note.ge)
                high = limit if note.le is None else min(limit, int(note.le))
                bounds, most = (max(low, _BOUNDS[0]), high), note.max_length
    if kind in (bool, int):
        return _number(layout, name, (0, 1) if kind is bool else bounds)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return _words(layout, name, arguments)
    if origin in (Union, types.UnionType):
        given = [each for each in arguments if each is not types.NoneType]
        return _maybe(layout, name, given[0]) if len(given) == 1 else None
    if origin in (tuple, list):
        if origin is list or arguments[1:] == (...,):
            return _list(layout, name, arguments[0], most)
        return _row(layout, [(f"{name}[{n}]", each) for n, each in enumerate(arguments)])
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        fields = get_type_hints(kind, include_extras=True)
        row = _row(layout, [(f"{name}.{field}", each) for field, each in fields.items()])
        return row and (lambda vector, value: row(vector, list(value.values())))
    return None


def _number(layout: Layout, name: str, bounds: tuple[int, int]) -> Writer:
    at = layout.add(name, f"The view's {name}.", [name], bounds=bounds)

    def write(vector: "array[int]", value: int) -> None:
        vector[at] = max(bounds[0], min(bounds[1], int(value)))

    return write


def _words(layout: Layout, name: str, words: Sequence[Any]) -> Writer:
    at = layout.add(name, f"The view's {name}.", map(str, words))
    number = {word: place for place, word in enumerate(words)}

    def write(vector: "array[int]", value: Any) -> None:
        vector[at + number[value]] += 1

    return write


def _maybe(layout: Layout, name: str, kind: Any) -> Writer | None:
    own = _writer(layout, name, kind)
    if own is None:
        return None
    at = layout.add(f"{name}?", f"Whether the view has {name}.", [f"{name}?"])

    def write(vector: "array[int]", value: Any) -> None:
        if value is not None:
            vector[at] = 1
            own(vector, value)

    return write


def _list(layout: Layout, name: str, kind: Any, most: int | None) -> Writer | None:
    if most is None and get_origin(kind) is Literal:
        word = _words(layout, name, get_args(kind))

        def write(vector: "array[int]", value: Sequence[Any]) -> None:
            for each in value:
                word(vector, each)

        return write
    if most is None:
        return None
    row = _row(layout, [(f"{name}[{n}]", kind | None) for n in range(most)])
    return row and (lambda vector, value: row(vector, [*value, *[None] * (most - len(value))]))


def _row(layout: Layout, parts: Sequence[tuple[str, Any]]) -> Writer | None:
    tried = Layout()
    if any(_writer(tried, *part) is None for part in parts):
        return None
    writers = [_writer(layout, *part) for part in parts]

    def write(vector: "array[int]", values: Sequence[Any]) -> None:
        for writer, value in zip(writers, values, strict=True):
            assert writer is not None
            writer(vector, value)

    return write


# -- hash values --------------------------------------------------------------------------------


def _write(facts: object, vector: "array[int]", start: int, places: int) -> None:
    for name, number in _facts("", facts):
        place = start + _hash(name, places)
        vector[place] = max(-MAX_VALUE - 1, min(MAX_VALUE, vector[place] + number))


def _facts(path: str, value: object) -> Iterator[tuple[str, int]]:
    # {"colour": "red", "coins": 3} yields (".colour=red", 1) and (".coins", 3).
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _facts(f"{path}.{key}", each)
    elif isinstance(value, list | tuple):
        for place, each in enumerate(value):
            yield from _facts(path if isinstance(each, str) else f"{path}.{place}", each)
    elif isinstance(value, str):
        yield f"{path}={value}", 1
    elif isinstance(value, bool | int | float) and value:
        yield path, int(value)


@lru_cache(65536)
def _hash(text: str, count: int) -> int:
    return crc32(text.encode()) % count
