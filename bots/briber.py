"""Bribes: buys itself out while it has gems, and plays its cards when the others run out."""

from arena.bot import run
from bots.pot_de_vin import VALUE, PotDeVinBot


class BriberBot(PotDeVinBot):
    """Saves its cards for the last rounds, which it then shares with few others."""

    name = "briber"

    def passing(self) -> float:
        """Whoever does not play a card now can play it when it takes more."""
        return 100

    def taking(self, card: str) -> float:
        """Take what there is as cheaply as possible."""
        return 50 - self.trick.strength_of(card)

    def ducking(self, card: str) -> float:
        """Lose the lowest card."""
        return -VALUE[card]


if __name__ == "__main__":
    run(BriberBot)
