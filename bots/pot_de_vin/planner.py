"""A bot that counts cards and maximizes its expected points at the end of the game."""

from typing import Final

from bots.pot_de_vin.bot import PotDeVinBot
from bots.pot_de_vin.cards import CHARACTER, VALUE
from bots.pot_de_vin.evaluation import ForecastEvaluation
from bots.pot_de_vin.memory import Memory

# Tuned by playing many boards. All of these may be wrong by half or more.
OVERTAKE_PROBABILITY: Final = 0.6
LATER_CARD_POINTS: Final = 0.4  # expected value of each card that a later seat adds to a trick
CARD_VALUE_POINTS: Final = 0.2  # value of a card in hand, per unit of its face value


class PlannerBot(PotDeVinBot):
    name = "planner"

    memory: Memory
    evaluation: ForecastEvaluation

    def prepare(self) -> None:
        self.memory = Memory(self.view)
        self.evaluation = ForecastEvaluation(self.view, self.kinds, self.memory.unseen)

    def taking(self, card: str) -> float:
        trick = self.trick
        strength, led = trick.strength_of(card), trick.led or CHARACTER[card]
        loot = [*trick.loot, card]
        expected = self._expected(self.view.seat, strength, led, loot, trick.gems)
        return expected - self._cost_of(card)

    def ducking(self, card: str) -> float:
        return self._leaving([*self.trick.loot, card], self.trick.gems) - self._cost_of(card)

    def passing(self) -> float:
        return self._leaving(self.trick.loot, self.trick.gems + 1)

    def _cost_of(self, card: str) -> float:
        return CARD_VALUE_POINTS * VALUE[card] if len(self.view.hand) > 1 else 0.0

    def _leaving(self, loot: list[str], gems: int) -> float:
        trick = self.trick
        assert trick.led is not None, "the leader takes the trick"
        return self._expected(trick.winner, trick.strength, trick.led, loot, gems)

    def _expected(self, winner: int, strength: int, led: str, loot: list[str], gems: int) -> float:
        expected, stays = 0.0, 1.0
        for seat in self.trick.later:
            can_beat = self.memory.beat_probability(seat, strength, led, self.trick.trump)
            overtakes = OVERTAKE_PROBABILITY * can_beat
            expected += stays * overtakes * self._gain_if_won_by(seat, loot, gems)
            stays *= 1 - overtakes
        return expected + stays * self._gain_if_won_by(winner, loot, gems)

    def _gain_if_won_by(self, winner: int, loot: list[str], gems: int) -> float:
        gain = self.evaluation.gain(winner, loot, gems) + LATER_CARD_POINTS * len(self.trick.later)
        sides = len(self.view.teams)
        ours = winner % sides == self.view.seat % sides
        return gain if ours else -gain / (sides - 1)
