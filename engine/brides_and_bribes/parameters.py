"""The parameters of each Brides & Bribes variant [2]."""
# compiled: see setup.py

from typing import Final

from engine.fields import VariantRow

GAME: Final = "brides-and-bribes"


class Parameters:
    def __init__(self, name: str, row: VariantRow) -> None:
        self._made_of = name, row
        n: int = row["seats"]
        self.variant_id = f"{GAME}/{name}"
        self.seats = n
        self.rounds: int = row["rounds"]
        self.end_influence: int = row["end_influence"]  # ends the game after the round [8.5]
        per_round = 15 * n * (n + 1) ** 2 // 2 + 27 * n**2 + 34 * n + 76
        self.max_decisions = self.rounds * per_round + n
        # The places in the favor order, from 0, whose seats start with an extra coin [4].
        self.bonus_coin_places: tuple[int, ...] = tuple(row["bonus_coin_places"])
        self.clockwise = tuple([tuple([(s + i) % n for i in range(n)]) for s in range(n)])
        """All seats, clockwise from each seat."""
        self.after = tuple([seats[1:] for seats in self.clockwise])
        """All other seats, clockwise from each seat."""

    def __reduce__(self) -> tuple[type["Parameters"], tuple[str, VariantRow]]:
        return Parameters, self._made_of  # a compiled class has no default way to be pickled
