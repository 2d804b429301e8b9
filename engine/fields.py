"""Reading of data: a deal from JSON, with errors that name its field, and tables beside a game."""

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from engine.contract import RawJson
from engine.encoding import Layout
from engine.errors import InvalidDeal

VariantRow = Mapping[str, Any]
"""The numbers of a variant, by name."""


@cache
def types_of(deal: type[msgspec.Struct]) -> Mapping[str, Any]:
    """Return the type of each field of the Struct `deal`, by name."""
    return {field.name: field.type for field in msgspec.structs.fields(deal)}


def read_fields(raw: RawJson, types: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the JSON object `raw`, which has exactly the fields of `types`.

    Raises:
        InvalidDeal: `raw` is not an object, or a field is missing, unknown or of a wrong type.
    """
    if not isinstance(raw, dict):
        raise InvalidDeal("deal", f"expected an object, got {type(raw).__name__}")
    for field in sorted(types.keys() ^ raw.keys(), key=str):
        raise InvalidDeal(str(field), "missing" if field in types else "unknown field here")
    fields = {}
    for field, kind in types.items():
        try:
            fields[field] = msgspec.convert(raw[field], kind)
        except msgspec.ValidationError as error:
            raise InvalidDeal(field, str(error)) from None
    return fields


def check_count(field: str, got: Sequence[object], expected: int, what: str) -> None:
    """Raise `InvalidDeal` unless the value of `field` has `expected` parts, called `what`."""
    if len(got) != expected:
        raise InvalidDeal(field, f"expected {expected} {what}, got {len(got)}")


def check_seat(field: str, seat: int, seats: int) -> None:
    """Raise `InvalidDeal` unless the value of `field` is one of the seats."""
    if not 0 <= seat < seats:
        raise InvalidDeal(field, f"expected a seat 0..{seats - 1}, got {seat}")


def read_table(package: str, file: str) -> dict[str, Any]:
    """Return the table in a TOML file beside the modules of a package."""
    return tomllib.loads(resources.files(package).joinpath(file).read_text(encoding="utf-8"))


def read_variants(package: str) -> dict[str, VariantRow]:
    """Return the numbers of each variant, by name, in the `variants.toml` of a game's package."""
    return read_table(package, "variants.toml")


class DeclaredSlice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A slice in a game's `slices.toml`, by its name."""

    meaning: str
    columns: tuple[str, ...]
    rows: tuple[str, ...] = ("",)
    low: int | str = 0
    high: int | str = 1
    only: str = ""
    """The option of a variant that has the slice; all variants have it if this is empty."""


def read_layout(
    package: str,
    words: Mapping[str, Iterable[str]],
    numbers: Mapping[str, int],
    options: Collection[str] = (),
) -> Layout:
    """Return the slices that are declared in the `slices.toml` of a game's package.

    Args:
        package: the package of the game.
        words: lists of words by name; `*name` among columns or rows stands for such a list.
        numbers: bounds by name.
        options: the options of the variant.
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
