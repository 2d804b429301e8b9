"""Estimate the value of each tile in a delegation in Brides & Bribes."""
# compiled: see setup.py

from typing import Final

from bots.brides_and_bribes.evaluation import Evaluation
from bots.brides_and_bribes.tiles import GUARDS, KILLERS, PLACES, is_character, kind_of
from bots.brides_and_bribes.view import Borough, married_to

# Tuned by playing many games. Half or twice as much is seldom clearly worse.
PRESENCE_VALUE: Final = 0.1
STOLEN_COINS: Final = {"thief": 2, "gabriele": 1, "groomsman": 1}
MEAN_DAMAGE: Final = {
    "hag": 1.5,
    "charmer": 1.5,
    "plague-spreader": 1.2,
    "damsel": 1.2,
    "crook": 1.2,
    "magistrate": 0.7,
    "defamer": 0.7,
    "barker": 0.5,
    "rat": 0.3,
    "beguiler": 0.4,
    "tutor": 0.4,
    "lover": 0.5,
}


class Abilities(dict[str, tuple[float, float]]):
    """Maps each tile to two values: as the guide of a delegation and as an ordinary member."""

    def __init__(self, evaluation: Evaluation, borough: Borough, rival: float) -> None:
        self._evaluation = evaluation
        self._borough = borough
        self._rival = rival

    def __missing__(self, tile: str) -> tuple[float, float]:
        value = self._value(kind_of(tile))
        presence = PRESENCE_VALUE * self._rival if is_character(tile) else 0.0
        self[tile] = value, value + presence
        return self[tile]

    def _value(self, kind: str) -> float:
        evaluation, rival = self._evaluation, self._rival
        harm = evaluation.weights.harm
        if kind in GUARDS:
            return rival * (0.2 + 1.0 * married_to(self._borough.brides, evaluation.seat))
        if kind in KILLERS:
            killing = max([evaluation.murder(self._borough, place) for place in PLACES])
            return max(0.0, killing) + harm * 0.3 * rival
        if kind in STOLEN_COINS:
            return STOLEN_COINS[kind] * evaluation.coin * rival
        if kind in MEAN_DAMAGE:
            return harm * MEAN_DAMAGE[kind] * rival / evaluation.number_of_rivals
        if kind == "merchant":
            return evaluation.coin
        if kind in ("raineo", "two-ducati"):
            return 0.7 * evaluation.coin
        if kind in ("wine", "extra-worker"):
            return 0.7 * evaluation.worker(self._borough.colour, 1)
        return 0.0
