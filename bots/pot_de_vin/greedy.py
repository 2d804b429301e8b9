"""A bot that takes every trick it can and never pays a gem."""

from bots.pot_de_vin.bot import PotDeVinBot
from bots.pot_de_vin.cards import VALUE


class GreedyBot(PotDeVinBot):
    name = "greedy"

    def taking(self, card: str) -> float:
        """Prefer the strongest card. The last seat in a trick prefers the weakest winning card."""
        strength = self.trick.strength_of(card)
        return 100 + strength if self.trick.later else 100 - strength

    def ducking(self, card: str) -> float:
        return -VALUE[card]

    def passing(self) -> float:
        return -100
