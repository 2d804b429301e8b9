"""Differences between two JSON values, which keep the steps of a replay small.

A delta is one of three:

- an object: a delta for each changed key of an object, or index of a list;
- a list of one: the new value;
- a longer list, `[at, removed, *added]`: a splice of a list, which replaces `removed` items.

`patched` in `static/replay.js` applies deltas.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

SAME: Final = None
"""Stands for no change; no delta is None."""

_Delta = dict[str, Any] | list[Any] | None


def delta(old: object, new: object) -> _Delta:
    """Return the delta from `old` to `new`, Structs or plain data; `SAME` if they are equal."""
    if old == new:
        return SAME
    before, after = _fields(old), _fields(new)
    if before is not None and after is not None and before.keys() == after.keys():
        return _changes(before, after)
    if isinstance(old, list | tuple) and isinstance(new, list | tuple):
        if len(old) == len(new) and all(map(_is_nested, old)) and all(map(_is_nested, new)):
            return _changes(dict(enumerate(old)), dict(enumerate(new)))
        return _splice(old, new)
    return [msgspec.to_builtins(new)]


def _fields(value: object) -> dict[Any, Any] | None:
    if isinstance(value, msgspec.Struct):
        return {field: getattr(value, field) for field in value.__struct_fields__}
    return value if isinstance(value, dict) else None


def _is_nested(value: object) -> bool:
    return isinstance(value, msgspec.Struct | dict | list | tuple)


def _changes(old: dict[Any, Any], new: dict[Any, Any]) -> dict[str, Any]:
    found = {str(key): delta(value, new[key]) for key, value in old.items()}
    return {key: change for key, change in found.items() if change is not SAME}


def _splice(old: Sequence[object], new: Sequence[object]) -> list[Any]:
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    rest = shorter - head
    tail = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    added = [msgspec.to_builtins(item) for item in new[head : len(new) - tail]]
    return [head, len(old) - tail - head, *added]
