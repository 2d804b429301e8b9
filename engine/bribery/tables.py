"""The table files beside the code, as types."""

import msgspec


class CardTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file `cards.toml`."""

    bribes: tuple[int, ...]
    jokers: dict[str, int]
    votes: dict[str, int]
    points: dict[str, int]


class VariantRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of `variants.toml`."""

    seats: int
    jokers: int
    board: int
    teams: int | None = None
    """The number of teams; None when each seat plays for itself."""
