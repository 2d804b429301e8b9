"""What a browser makes of the data of a replay, in Python: `static/replay.js` does the same."""

from collections.abc import Iterator
from typing import Any

import msgspec

from arena.publish.replays import ReplayData, ReplayStep


def patched(value: Any, delta: Any) -> Any:
    """Return a value after a change, as `arena.publish.replays` defines it."""
    match delta:
        case None:
            return value
        case [new]:
            return new
        case [at, removed, *added]:
            return [*value[:at], *added, *value[at + removed :]]
        case _:
            if isinstance(value, dict):
                return value | {key: patched(value[key], change) for key, change in delta.items()}
            return [patched(item, delta.get(str(at))) for at, item in enumerate(value)]


def tables(replay: ReplayData) -> Iterator[Any]:
    """Yield the table at each step, from the data as they are written."""
    data = msgspec.json.decode(msgspec.json.encode(replay))
    table = data["start"]
    yield table
    for change in data["changes"]:
        table = patched(table, change)
        yield table


def visible_text(move: ReplayStep, viewer: int) -> str:
    """Return what a seat is told of a move."""
    return move.text if move.told is None or move.seat == viewer else move.told
