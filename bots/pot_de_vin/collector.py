"""A bot that takes a trick only if the trick scores points immediately."""

from bots.pot_de_vin.bot import PotDeVinBot
from bots.pot_de_vin.cards import VALUE
from bots.pot_de_vin.evaluation import Evaluation


class CollectorBot(PotDeVinBot):
    """Plays as if the game ended after the current trick."""

    name = "collector"

    evaluation: Evaluation

    def prepare(self) -> None:
        self.evaluation = Evaluation(self.view, self.kinds)

    def taking(self, card: str) -> float:
        """Return how many points the bot gains by taking the trick with a card."""
        trick = self.trick
        gain = self.evaluation.gain(self.view.seat, [*trick.loot, card], trick.gems)
        effort = trick.strength_of(card) / 100
        return gain + effort if gain > 0 and trick.later else gain - effort

    def passing(self) -> float:
        return 0

    def ducking(self, card: str) -> float:
        return -self.evaluation.gain(self.trick.winner, [card], 0) / 3 - VALUE[card] / 100
