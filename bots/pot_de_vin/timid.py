"""A bot that avoids tricks whenever it can, and therefore scores few points."""

from bots.pot_de_vin.bot import PotDeVinBot
from bots.pot_de_vin.cards import VALUE


class TimidBot(PotDeVinBot):
    name = "timid"

    def taking(self, card: str) -> float:
        return -self.trick.strength_of(card)

    def passing(self) -> float:
        return 1

    def ducking(self, card: str) -> float:
        return 1 + VALUE[card]

    def discarding(self, card: str) -> float:
        return VALUE[card]
