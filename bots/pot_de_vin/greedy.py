"""A bot that takes every trick that it can, whatever its cards, and never pays a gem."""

from arena.bot import run
from bots.pot_de_vin.bot import PotDeVinBot
from bots.pot_de_vin.cards import VALUE


class GreedyBot(PotDeVinBot):
    """Assumes that more cards score more points, which is often true."""

    name = "greedy"

    def taking(self, card: str) -> float:
        """Take with the strongest card, or as the last seat with the weakest that suffices."""
        strength = self.trick.strength_of(card)
        return 100 + strength if self.trick.later else 100 - strength

    def ducking(self, card: str) -> float:
        """Lose the lowest card."""
        return -VALUE[card]

    def passing(self) -> float:
        """Never pay if there is another legal action."""
        return -100


if __name__ == "__main__":
    run(GreedyBot)
