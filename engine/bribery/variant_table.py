"""Rows of `variants.toml`: the numbers of each variant of Bribery [2, 3.1, 4]."""

import tomllib

import msgspec


class VariantRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of `variants.toml`."""

    seats: int
    jokers: int
    board: int
    teams: int | None = None
    """The number of teams; None when each seat plays for itself."""


def read_rows(text: str) -> dict[str, VariantRow]:
    """Return the row of each variant, by name, in the text of `variants.toml`."""
    return msgspec.convert(tomllib.loads(text), dict[str, VariantRow])
