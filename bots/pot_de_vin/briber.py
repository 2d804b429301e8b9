"""A Pot de Vin bot that pays gems to pass and saves its cards for the end of the game."""

from bots.pot_de_vin.bot import PotDeVinBot
from bots.pot_de_vin.cards import VALUE


class BriberBot(PotDeVinBot):
    name = "briber"

    def passing(self) -> float:
        return 100

    def taking(self, card: str) -> float:
        return 50 - self.trick.strength_of(card)

    def ducking(self, card: str) -> float:
        return -VALUE[card]
