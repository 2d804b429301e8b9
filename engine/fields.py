"""Reading of a deal from JSON, field by field, so that an error names the wrong field."""

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.contract import RawJson
from engine.errors import InvalidDeal


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
