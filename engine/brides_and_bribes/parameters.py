"""Parameters of a variant: what the rules need to know of it, as plain data."""

import msgspec

GAME = "brides-and-bribes"


class VariantRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of `variants.toml`."""

    seats: int
    end_influence: int
    rounds: int
    bonus_coin_places: tuple[int, ...]


class Parameters:
    """Holds the numbers of one variant, and its seats in clockwise order."""

    __slots__ = (
        "after",
        "bonus_coin_places",
        "clockwise",
        "end_influence",
        "rounds",
        "seats",
        "variant_id",
    )

    def __init__(self, name: str, row: VariantRow) -> None:
        n = row.seats
        self.variant_id = f"{GAME}/{name}"
        self.seats = n
        self.rounds = row.rounds
        """The maximum number of rounds."""
        self.end_influence = row.end_influence
        """The game ends after a round in which a seat has reached this influence [8.5]."""
        self.bonus_coin_places = row.bonus_coin_places
        """The places of the favor order, from 0, whose seats start with one coin more [4]."""
        self.clockwise = tuple([tuple([(s + i) % n for i in range(n)]) for s in range(n)])
        """By seat: all seats clockwise, starting with it."""
        self.after = tuple([seats[1:] for seats in self.clockwise])
        """By seat: the other seats, clockwise from it."""
