"""Parameters of the Pot de Vin variants [2]."""
# compiled: see setup.py

from typing import Final

from engine.fields import VariantRow
from engine.pot_de_vin.cards import CARDS

GAME: Final = "pot-de-vin"
# A recycled trump pile has four cards and is played three times [R18].
PILE_SIZE: Final = 4
PILE_USES: Final = 3


class Parameters:
    def __init__(self, name: str, row: VariantRow) -> None:
        self._made_of = name, row
        n: int = row["seats"]
        sides: int = row.get("teams") or n
        self.variant_id = f"{GAME}/{name}"
        self.seats = n
        self.sides = tuple([tuple(range(side, n, sides)) for side in range(sides)])
        self.teams = self.sides if row.get("teams") else None
        self.hand_size: int = row["hand"]
        self.gems: int = row["gems"]
        self.rounds: int = row["hand"] + row["gems"]
        self.recycled_trumps: bool = row.get("recycled_trumps", False)
        self.clockwise = tuple([tuple([(s + i) % n for i in range(n)]) for s in range(n)])
        pile = 1 if self.recycled_trumps else self.rounds
        self.dealt_pile = slice(0, pile)
        discarders = PILE_SIZE - 1 if self.recycled_trumps else 0
        sizes = (row["hand"],) * (n - discarders) + (row["hand"] + 1,) * discarders
        ends = [pile + sum(sizes[: i + 1]) for i in range(n)]
        self.dealt_hands = tuple(map(slice, [pile, *ends], ends))
        assert ends[-1] == len(CARDS)

    def __reduce__(self) -> tuple[type["Parameters"], tuple[str, VariantRow]]:
        return Parameters, self._made_of  # a compiled class has no default way to be pickled

    def face_down_trumps(self, number: int) -> int:
        """Return how many trump cards are face down in a round. Round 1 is the first [10.1]."""
        if self.recycled_trumps:
            return PILE_SIZE - 1 - (number - 1) % PILE_SIZE
        return self.rounds - number
