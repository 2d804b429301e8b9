"""The table files beside the code, as types."""

import msgspec


class DeckTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file `house_deck.toml`: where the table comes from, and the guilds by character."""

    origin: str
    guilds: dict[str, tuple[str, ...]]


class VariantRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of `variants.toml`."""

    seats: int
    hand: int
    gems: int
    teams: int | None = None
    """The number of teams; None when each seat plays for itself."""
    recycled_trumps: bool = False
