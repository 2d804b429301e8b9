"""Collects: takes the tricks that score for it right now, and buys itself out of the others."""

from arena.bot import run
from bots.pot_de_vin import VALUE, PotDeVinBot


class CollectorBot(PotDeVinBot):
    """Counts points as if the game ended with this trick."""

    name = "collector"

    def taking(self, card: str) -> float:
        """Take what gains, strongly while others may overtake; leave what costs."""
        trick = self.trick
        gain = self.gain(self.view.seat, [*trick.loot, card], trick.gems)
        effort = trick.strength_of(card) / 100
        return gain + effort if gain > 0 and trick.later else gain - effort

    def passing(self) -> float:
        """Nothing won, nothing lost."""
        return 0

    def ducking(self, card: str) -> float:
        """A card is better kept; if one must go, a low one with which the winner scores little."""
        return -self.gain(self.trick.winner, [card], 0) / 3 - VALUE[card] / 100


if __name__ == "__main__":
    run(CollectorBot)
