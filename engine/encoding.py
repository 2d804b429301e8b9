"""Encodings for machine learning represent actions as numbers and a seat's knowledge as a vector.

Seats and sides are numbered clockwise from the viewer, who is number 0. A vector is an `array`
of signed bytes.
"""

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol

import msgspec

from engine.errors import EngineError

MAX_VALUE = 127  # the highest number in vectors


class Slice(NamedTuple):
    """A named range of vector elements, arranged as a table with labelled rows and columns."""

    name: str
    start: int
    rows: tuple[str, ...]
    """Labels of the rows. A single row may have an empty label."""
    columns: tuple[str, ...]
    low: int
    high: int
    meaning: str

    @property
    def length(self) -> int:
        return len(self.rows) * len(self.columns)

    def label(self, number: int) -> str:
        row, column = divmod(number, len(self.columns))
        return f"{self.rows[row]} {self.columns[column]}".strip()


class Layout:
    def __init__(self) -> None:
        self.slices: list[Slice] = []
        self.size = 0
        self.at: dict[str, int] = {}

    def add(  # the fields of a slice
        self,
        name: str,
        meaning: str,
        columns: Iterable[str],
        rows: Iterable[str] = ("",),
        bounds: tuple[int, int] = (0, 1),
    ) -> int:
        """Add a slice to the end of the vector and return the index of its first element."""
        start = self.at[name] = self.size
        added = Slice(name, start, tuple(rows), tuple(columns), *bounds, meaning)
        self.slices.append(added)
        self.size += added.length
        return start


class EventTable:
    def __init__(self, kinds: Iterable[str], words: Iterable[str], seats: int) -> None:
        self._seats = seats
        self._kinds = {kind: place for place, kind in enumerate(kinds)}
        first_word = len(self._kinds) + seats
        self._words = {word: first_word + place for place, word in enumerate(words)}
        self.columns = (
            *[f"kind {kind}" for kind in self._kinds],
            *[f"by {seat}" for seat in relative_seats(seats)],
            *self._words,
        )

    def add_to(self, layout: Layout, count: int) -> int:
        meaning = "The kind, seats and words of the most recent events, newest event first."
        return layout.add("history", meaning, self.columns, event_rows(count))

    def write(self, into: "array[int]", start: int, events: Sequence[object], viewer: int) -> None:
        """Write a seat's recent events to a vector. Events are Structs or JSON objects."""
        width = len(self.columns)
        for event in reversed(events):
            for place in self._places(event, viewer):
                into[start + place] = 1
            start += width

    def _places(self, event: object, viewer: int) -> Iterable[int]:
        fields: dict[str, Any] = event if isinstance(event, dict) else msgspec.to_builtins(event)
        places = [self._kinds[fields["event"]]]
        seat = fields.get("seat", fields.get("winner"))
        if seat is not None:
            places.append(len(self._kinds) + (seat - viewer) % self._seats)
        for name, value in fields.items():
            if name != "event":
                self._add_words(value, places)
        return places

    def _add_words(self, value: object, places: list[int]) -> None:
        if isinstance(value, str):
            words = self._words
            places += [words[word] for word in value.split() if word in words]
        elif isinstance(value, dict):
            for each in value.values():
                self._add_words(each, places)
        elif isinstance(value, list | tuple):
            for each in value:
                self._add_words(each, places)


class HasViews(Protocol):
    def view(self, seat: int | None) -> msgspec.Struct: ...


class Encoding(ABC):
    name: str
    """The variant, the encoding's version and the history length, such as "pot-de-vin/3 encoding 1
    history 0"."""
    actions: tuple[str, ...]
    """All actions, or the names of hash slots."""
    slices: tuple[Slice, ...]
    size: int
    history: int

    @abstractmethod
    def numbers(self, legal: Sequence[str]) -> list[int]:
        """Return the number of each legal action.

        Raises:
            EngineError: The encoding has no number for an action.
        """

    @abstractmethod
    def action(self, number: int, legal: Sequence[str]) -> str:
        """Return the legal action with the given number."""

    @abstractmethod
    def encode(self, state: HasViews, seat: int, events: Sequence[object] = ()) -> "array[int]":
        """Return what a seat knows as a vector.

        States that the seat cannot distinguish have the same vector.

        If the encoding includes recent events, pass all events that the seat has seen, oldest
        first.
        """

    def describe(self, observation: Sequence[int]) -> str:
        """Describe a vector in words. Slices that contain only zeros are left out.

        Raises:
            EngineError: The vector has the wrong length.
        """
        if len(observation) != self.size:
            raise EngineError(
                f"got an observation of {len(observation)} numbers, expected {self.size} as "
                f"{self.name} makes them"
            )
        lines = []
        for part in self.slices:
            numbers = observation[part.start : part.start + part.length]
            words = [
                part.label(place) if part.high == 1 else f"{part.label(place)}={int(number)}"
                for place, number in enumerate(numbers)
                if number
            ]
            if words:
                lines.append(f"{part.name}: {', '.join(words)}")
        return "\n".join(lines)


class Enumerated(Encoding):
    """Base class for encodings that have a fixed list of all actions."""

    actions: tuple[str, ...]
    _number: Mapping[str, int]

    def __init__(self, name: str, actions: Sequence[str], layout: Layout, history: int) -> None:
        self.name = f"{name} history {history}"
        self.actions = tuple(actions)
        self.slices = tuple(layout.slices)
        self.size = layout.size
        self.history = history
        self._number = {action: number for number, action in enumerate(self.actions)}
        assert len(self._number) == len(self.actions), "expected each action once"
        self._zeros = array("b", bytes(layout.size))

    def numbers(self, legal: Sequence[str]) -> list[int]:
        number = self._number
        try:
            return [number[action] for action in legal]
        except KeyError as error:
            raise EngineError(f"got the action {error}, which {self.name} does not have") from None

    def action(self, number: int, legal: Sequence[str]) -> str:
        """Return the action with the given number, even if it is illegal."""
        return self.actions[number]


class PositionEncoding(Enumerated):
    """Base class for the encodings of the built-in games."""

    version: ClassVar[int] = 1
    """Version number of the encoding. Increase the version whenever the actions or the layout of
    the vector change."""

    def __init__(  # noqa: PLR0913  # everything that differs between variants
        self,
        variant_id: str,
        seats: int,
        actions: Sequence[str],
        layout: Layout,
        events: EventTable,
        history: int,
    ) -> None:
        self._events = events
        self._seat_from = distances(seats)
        self._at = layout.at
        if history:
            events.add_to(layout, history)
        super().__init__(f"{variant_id} encoding {self.version}", actions, layout, history)

    @abstractmethod
    def write(self, position: Any, seat: int) -> "array[int]":
        """Return what a seat knows as a vector, but leave out the recent events."""

    def encode(self, state: Any, seat: int, events: Sequence[object] = ()) -> "array[int]":
        vector = self.write(state.position, seat)
        if self.history:
            self._events.write(vector, self._at["history"], events[-self.history :], seat)
        return vector


def event_rows(count: int) -> list[str]:
    """Return labels for the last `count` events, newest first: `event -1`, `event -2` and so on."""
    return [f"event -{age}" for age in range(1, count + 1)]


def relative_seats(seats: int) -> tuple[str, ...]:
    """Return the seats' labels, clockwise from the viewer: `you`, `seat+1` and so on."""
    return ("you", *[f"seat+{distance}" for distance in range(1, seats)])


def relative_sides(sides: int) -> tuple[str, ...]:
    """Return the sides' labels, clockwise from the viewer: `yours`, `side+1` and so on."""
    return ("yours", *[f"side+{distance}" for distance in range(1, sides)])


def distances(count: int) -> tuple[tuple[int, ...], ...]:
    """Return a table of the clockwise distances between all seats, or between all sides."""
    return tuple(
        [tuple([(other - viewer) % count for other in range(count)]) for viewer in range(count)]
    )
