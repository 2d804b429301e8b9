"""Rows of `variants.toml`: the numbers of each variant of Brides & Bribes [2]."""

import tomllib

import msgspec


class VariantRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of `variants.toml`."""

    seats: int
    end_influence: int
    rounds: int
    bonus_coin_places: tuple[int, ...]


def read_rows(text: str) -> dict[str, VariantRow]:
    """Return the row of each variant, by name, in the text of `variants.toml`."""
    return msgspec.convert(tomllib.loads(text), dict[str, VariantRow])
