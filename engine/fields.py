"""Helpers that parse deals and load a game's tables from TOML files."""

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from importlib import resources
from typing import Any, TypeVar

import msgspec

from engine.encoding import Layout
from engine.errors import InvalidDeal

RawJson = object
_Struct = TypeVar("_Struct", bound=msgspec.Struct)

VariantRow = Mapping[str, Any]


def read_struct(raw: RawJson, kind: type[_Struct]) -> _Struct:
    """Convert a JSON object to a Struct.

    Raises:
        InvalidDeal: The value is not an object, or a field is missing, unknown, null or of the
            wrong type.
    """
    if not isinstance(raw, dict):
        raise InvalidDeal("deal", f"expected an object, got {type(raw).__name__}")
    known = {field.name: field for field in msgspec.structs.fields(kind)}
    for field in sorted(known.keys() ^ raw.keys(), key=str):
        if field not in known:
            raise InvalidDeal(str(field), "unknown field here")
        if known[field].required:
            raise InvalidDeal(field, "missing")
    fields = {}
    for field, value in raw.items():
        try:
            fields[field] = msgspec.convert(value, known[field].type)
        except msgspec.ValidationError as error:
            raise InvalidDeal(field, str(error)) from None
        if value is None:
            raise InvalidDeal(field, "expected a value, got null")
    return kind(**fields)


# -- facts about deals: what is wrong with a value, or an empty string ---------------------------


def each_once(got: Sequence[object], items: Sequence[object]) -> str:
    """Return an error message if `got` is not a permutation of `items`, otherwise ""."""
    return some_of(got, items, len(items))


def some_of(got: Sequence[object], items: Collection[object], count: int) -> str:
    """Return "" if `got` is a selection of `count` different items, otherwise an error message."""
    for place, item in enumerate(got):
        if item not in items:
            return f"{item!r} at place {place} is none of {', '.join(map(str, items))}"
        if item in got[:place]:
            return f"{item!r} at place {place} is a duplicate"
    return of_length(got, count)


def of_length(got: Sequence[object], count: int) -> str:
    """Return an error message if a sequence has the wrong length, otherwise ""."""
    return "" if len(got) == count else f"expected {count}, got {len(got)}"


def within(got: int, low: int, high: int) -> str:
    """Return an error message if a number is out of bounds, otherwise ""."""
    return "" if low <= got <= high else f"expected {low}..{high}, got {got}"


def read_table(package: str, file: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(package).joinpath(file).read_text(encoding="utf-8"))


def read_variants(package: str) -> dict[str, VariantRow]:
    """Read the parameters of a game's variants from the file `variants.toml` in its package."""
    return read_table(package, "variants.toml")


class DeclaredSlice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    meaning: str
    columns: tuple[str, ...]
    rows: tuple[str, ...] = ("",)
    low: int | str = 0
    high: int | str = 1
    only: str = ""  # the option that adds the slice to a variant; empty: all variants have it


def read_layout(
    package: str,
    words: Mapping[str, Iterable[str]],
    numbers: Mapping[str, int],
    options: Collection[str] = (),
) -> Layout:
    """Read the layout of a game's vectors from the file `slices.toml` in the game's package.

    In `slices.toml`, the label `*cards` is replaced with all labels in `words["cards"]`. Bounds
    are numbers or keys of `numbers`.
    """

    def list_words(declared: Iterable[str]) -> list[str]:
        rows = [words[word[1:]] if word.startswith("*") else (word,) for word in declared]
        return [word for row in rows for word in row]

    layout = Layout()
    declared = msgspec.convert(read_table(package, "slices.toml"), dict[str, DeclaredSlice])
    for name, part in declared.items():
        if part.only in ("", *options):
            low, high = [numbers[b] if isinstance(b, str) else b for b in (part.low, part.high)]
            columns, rows = list_words(part.columns), list_words(part.rows)
            layout.add(name, part.meaning, columns, rows, (low, high))
    return layout
