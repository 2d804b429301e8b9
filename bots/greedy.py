"""Grabs: takes every trick that it can, whatever lies in it, and never pays a gem."""

from arena.bot import run
from bots.pot_de_vin import VALUE, PotDeVinBot


class GreedyBot(PotDeVinBot):
    """Believes that more cards are more points, which is often so."""

    name = "greedy"

    def taking(self, card: str) -> float:
        """Take at any price while others may overtake, and as cheaply as possible if none can."""
        strength = self.trick.strength_of(card)
        return 100 + strength if self.trick.later else 100 - strength

    def ducking(self, card: str) -> float:
        """Lose the lowest card."""
        return -VALUE[card]

    def passing(self) -> float:
        """What is paid is gone."""
        return -100


if __name__ == "__main__":
    run(GreedyBot)
