"""Differences of plain data, each with the path to it."""

import math
from collections.abc import Iterator
from typing import Any

TOLERANCE = 1e-9
"""The last digits of a computed number may depend on the machine, and the last decimals of one that
is close to 0."""
NAMES = ("name", "bot")
"""Fields by which the objects of a list are named."""
MAX_SHOWN_CHARS = 200
_ABSENT = object()


def data_differences(got: Any, expected: Any, path: str = "") -> Iterator[str]:
    """Yield a sentence for each difference between two values of plain JSON data.

    The objects of a list are compared by name if they have names, else by their places, from 1.
    Numbers are equal up to
    `TOLERANCE`, also when they are written as text.
    """
    if isinstance(got, dict) and isinstance(expected, dict):
        for key in sorted({*got, *expected}, key=str):
            where = f"{path}, {key}" if path else str(key)
            yield from data_differences(got.get(key, _ABSENT), expected.get(key, _ABSENT), where)
    elif (by_name := _by_name(got)) and (expected_by_name := _by_name(expected)):
        yield from data_differences(by_name, expected_by_name, path)
        common = [name for name in expected_by_name if name in by_name]
        if [name for name in by_name if name in common] != common:
            yield f"{path}, order: got {shown([*by_name])}, expected {shown([*expected_by_name])}"
    elif _are_objects(got) and _are_objects(expected) and len(got) == len(expected):
        for number, pair in enumerate(zip(got, expected, strict=True), 1):
            yield from data_differences(*pair, f"{path}, {number}" if path else str(number))
    elif not _is_equal(got, expected):
        yield f"{path}: got {shown(got)}, expected {shown(expected)}"


def shown(value: object) -> str:
    """Return a value for people, shortened."""
    text = "nothing" if value is _ABSENT else str(value)
    return text if len(text) <= MAX_SHOWN_CHARS else f"{text[:MAX_SHOWN_CHARS]}..."


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def _by_name(value: Any) -> dict[str, Any]:
    """Return the objects of a list by name; nothing if it is something else."""
    if not _are_objects(value):
        return {}
    for field in NAMES:
        names = [each.get(field) for each in value]
        if None not in names and len({*map(str, names)}) == len(names):
            return dict(zip(map(str, names), value, strict=True))
    return {}


def _is_equal(got: Any, expected: Any) -> bool:
    if got == expected and type(got) is type(expected):
        return True
    numbers = [_number(got), _number(expected)]
    return None not in numbers and math.isclose(
        *numbers,  # type: ignore[arg-type]
        rel_tol=TOLERANCE,
        abs_tol=TOLERANCE,
    )


def _number(value: Any) -> float | None:
    """Return a number, also one that is written as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except (OverflowError, ValueError):
        return None
