"""A bot that passes while it has gems, and plays its cards when the others have few left."""

from arena.bot import run
from bots.pot_de_vin.bot import PotDeVinBot
from bots.pot_de_vin.cards import VALUE


class BriberBot(PotDeVinBot):
    """Saves its cards for the last rounds, in which few other seats still play."""

    name = "briber"

    def passing(self) -> float:
        """Pass whenever possible, to save cards for better tricks."""
        return 100

    def taking(self, card: str) -> float:
        """Take with the weakest card that suffices."""
        return 50 - self.trick.strength_of(card)

    def ducking(self, card: str) -> float:
        """Lose the lowest card."""
        return -VALUE[card]


if __name__ == "__main__":
    run(BriberBot)
