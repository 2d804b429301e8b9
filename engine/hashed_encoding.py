"""The encoding of a variant that has none of its own: views and actions by hash values.

It works for any registered game, and learns worse than an encoding that a game brings: two facts
that share a place of the vector cannot be distinguished. Seats are not counted from the viewer.
"""

from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from zlib import crc32

import msgspec

from engine.encoding import MAX_VALUE, Encoding, Layout, event_rows
from engine.errors import EngineError

ACTION_SLOTS = 1024
VIEW_PLACES = 1024
EVENT_PLACES = 64
_NOT_FACTS = frozenset(["game", "variant", "legal"])


class HashedEncoding(Encoding):
    """Hashes what a view says, as JSON, to places of a vector, and actions to slots."""

    def __init__(self, variant_id: str, history: int = 0) -> None:
        """Make the encoding of a variant, with this number of last events."""
        self.name = f"{variant_id} hashed encoding 1 history {history}"
        self.actions = tuple([f"slot {slot}" for slot in range(ACTION_SLOTS)])
        self.history = history
        layout = Layout()
        bounds = (-MAX_VALUE - 1, MAX_VALUE)
        layout.add(
            "view",
            "Facts of the view by hash value: 1 for a word at a place of the view, or a number.",
            map(str, range(VIEW_PLACES)),
            bounds=bounds,
        )
        if history:
            layout.add(
                "history",
                "The last events that the seat was told, newest first, each as the view is.",
                map(str, range(EVENT_PLACES)),
                event_rows(history),
                bounds,
            )
        self.slices, self.size = tuple(layout.slices), layout.size

    def numbers(self, legal: Sequence[str]) -> list[int]:
        """Return a slot for each legal action: its hash value, or the next slot that is free.

        Raises:
            EngineError: there are more legal actions than slots.
        """
        if len(legal) > ACTION_SLOTS:
            raise EngineError(
                f"got {len(legal)} legal actions, expected at most {ACTION_SLOTS}; enumerate the "
                "actions of the game in an encoding of its own"
            )
        taken: dict[int, None] = {}
        for action in legal:
            slot = _hash(action, ACTION_SLOTS)
            while slot in taken:
                slot = (slot + 1) % ACTION_SLOTS
            taken[slot] = None
        return list(taken)

    def action(self, number: int, legal: Sequence[str]) -> str:
        """Return the legal action in this slot.

        Raises:
            EngineError: no legal action is in it.
        """
        try:
            return legal[self.numbers(legal).index(number)]
        except ValueError:
            raise EngineError(f"got slot {number}, in which no legal action is") from None

    def encode(self, view: msgspec.Struct, events: Sequence[object] = ()) -> "array[int]":
        """Return the vector of a view; see `Encoding.encode`."""
        vector = array("b", bytes(self.size))
        facts = msgspec.to_builtins(view, str_keys=True)
        _write({key: facts[key] for key in facts if key not in _NOT_FACTS}, vector, 0, VIEW_PLACES)
        start = VIEW_PLACES
        for event in reversed(events[-self.history :] if self.history else ()):
            _write(msgspec.to_builtins(event, str_keys=True), vector, start, EVENT_PLACES)
            start += EVENT_PLACES
        return vector


def _write(facts: object, vector: "array[int]", start: int, places: int) -> None:
    """Add the facts of JSON data to the `places` places of a vector from `start` on."""
    for name, number in _facts("", facts):
        place = start + _hash(name, places)
        vector[place] = max(-MAX_VALUE - 1, min(MAX_VALUE, vector[place] + number))


def _facts(path: str, value: object) -> Iterator[tuple[str, int]]:
    """Yield the name and the number of each fact of JSON data.

    Words and objects in a list are facts without their place in it if they are words, so that a
    hand is a set; everything else has its place in its name.
    """
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
    """Return a number from 0 to `count` - 1 that is the same in every process."""
    return crc32(text.encode()) % count
