"""Reading of data: a deal from JSON, with errors that name its field, and a game's variants."""

import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

import msgspec

from engine.contract import RawJson
from engine.errors import InvalidDeal

VariantRow = Mapping[str, Any]
"""The numbers of a variant, by name."""


def types_of(deal: type[msgspec.Struct]) -> dict[str, Any]:
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


def read_variants(package: str) -> dict[str, VariantRow]:
    """Return the numbers of each variant, by name, in the `variants.toml` of a game's package."""
    text = resources.files(package).joinpath("variants.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
