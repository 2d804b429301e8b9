"""The page of encodings is what `python -m tests.engine.test_encoding_page` writes."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from engine import Encoding, Slice, variants

PAGE = Path(__file__).parents[2] / "docs" / "encodings.md"
TITLES = {
    "pot-de-vin": "Pot de Vin",
    "bribery": "Bribery",
    "brides-and-bribes": "Brides & Bribes",
}
HEAD = """# Encodings for learning

Actions as numbers and views as vectors of signed bytes, for each variant.
[For researchers](researchers.md) tells how to use them. This page is generated from the encodings.

Seats and sides are counted from the viewer, clockwise: row or column 0 of a seat is the viewer. A
part of `3 x 52` numbers is a table, row by row; `Slice.label` names each number. The numbers of a
part are 0 or 1 unless the table has bounds, which are the widest of the variants. Divided by the
upper bound of its part, a number is at most 1. The option `history=k` adds a part `history` of k
rows: the kind, the seat and the named words of the last k events, the newest first.
"""


def page() -> str:
    """Return the page."""
    return HEAD + "".join(_game(game) for game in TITLES)


def _game(game: str) -> str:
    encodings = {
        name.partition("/")[2]: one.encoding()
        for name, one in variants().items()
        if one.game == game
    }
    lines = [f"\n## {TITLES[game]}\n", "| variant | actions | length |", "|---|---|---|"]
    lines += [
        f"| `{game}/{name}` | {len(one.actions)} | {one.size} |" for name, one in encodings.items()
    ]
    shown = set()
    for name, one in encodings.items():
        if one.actions in shown:
            continue
        shown.add(one.actions)
        same = [f"`/{other}`" for other in encodings if encodings[other].actions == one.actions]
        lines += [
            f"\nActions of {', '.join(same)}:\n",
            "| numbers | first | last |",
            "|---|---|---|",
        ]
        lines += _actions(encodings[name])
    names = " | ".join(f"`/{name}`" for name in encodings)
    lines += [
        f"\n| part | {names} | numbers | meaning |",
        "|---|---|---|" + "---|" * len(encodings),
    ]
    return "\n".join([*lines, *_slices(encodings)]) + "\n"


def _actions(encoding: Encoding) -> Iterator[str]:
    """Yield a row for each run of actions with the same verb."""
    number = 0
    for _, run in groupby(encoding.actions, key=lambda action: action.split()[0]):
        actions = [*run]
        end = number + len(actions) - 1
        numbers = f"{number} to {end}" if end > number else str(number)
        yield f"| {numbers} | `{actions[0]}` | `{actions[-1]}` |"
        number = end + 1


def _slices(encodings: dict[str, Encoding]) -> Iterator[str]:
    """Yield a row for each part that one of the variants has."""
    parts: dict[str, list[Slice]] = {}
    for one in encodings.values():
        for part in one.slices:
            parts.setdefault(part.name, []).append(part)
    for name, same in parts.items():
        sizes = [_size(one, name) for one in encodings.values()]
        low, high = min(part.low for part in same), max(part.high for part in same)
        bounds = "" if (low, high) == (0, 1) else f"{low} to {high}"
        yield f"| `{name}` | {' | '.join(sizes)} | {bounds} | {same[0].meaning} |"


def _size(encoding: Encoding, name: str) -> str:
    for part in encoding.slices:
        if part.name == name:
            rows, columns = len(part.rows), len(part.columns)
            return str(columns) if part.rows == ("",) else f"{rows} x {columns}"
    return ""


def test_the_page_says_what_the_encodings_are() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


if __name__ == "__main__":
    print(page(), end="")
