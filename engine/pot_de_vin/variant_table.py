"""Rows of `variants.toml`: the numbers of each variant of Pot de Vin [2]."""

import tomllib

import msgspec


class VariantRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of `variants.toml`."""

    seats: int
    hand: int
    gems: int
    teams: int | None = None
    """The number of teams; None when each seat plays for itself."""
    recycled_trumps: bool = False


def read_rows(text: str) -> dict[str, VariantRow]:
    """Return the row of each variant, by name, in the text of `variants.toml`."""
    return msgspec.convert(tomllib.loads(text), dict[str, VariantRow])
