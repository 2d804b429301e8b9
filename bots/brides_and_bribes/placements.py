"""Evaluate placing a tile in Brides & Bribes: in a borough, on a ship, or for the Doge's favor."""
# compiled: see setup.py

import functools
from typing import Final

from bots.brides_and_bribes.delegations import Delegations
from bots.brides_and_bribes.evaluation import Evaluation
from bots.brides_and_bribes.tiles import is_character, tile_data

# Price of a worker in coins. On the first ship, workers are exchanged instead of bought.
SHIP_PRICES: Final = {"ship-1": 0, "ship-2": 2, "ship-3": 3, "ship-4": 4}
# Cost of sending a character, in influence for each point of its prestige and charm.
CHARACTER_COST = 0.02
FAVOR_VALUE: Final = 0.5


@functools.cache
def _cost_of(tile: str) -> float:
    data = tile_data(tile)
    return CHARACTER_COST * (data.prestige + data.charm)


class Placements:
    def __init__(self, evaluation: Evaluation, delegations: Delegations) -> None:
        self._evaluation = evaluation
        self._delegations = delegations
        self._costs = {tile: _cost_of(tile) for tile in evaluation.view.own.hand}
        self._own = evaluation.view.own.delegations
        self._values: dict[str, dict[str, float]] = {}

    def values(self, place: str) -> dict[str, float]:
        """Return the value of placing each tile in hand at the given place."""
        values = self._values.get(place)
        if values is None:
            in_borough = place in self._evaluation.boroughs
            values = self._in_borough(place) if in_borough else self._elsewhere(place)
            self._values[place] = values
        return values

    def _in_borough(self, place: str) -> dict[str, float]:
        evaluation, delegations = self._evaluation, self._delegations
        there = tuple(self._own.get(place, ()))
        new = 0.0 if there else evaluation.weights.delegations
        prospects = delegations.prospects_in(place)
        gains = prospects.gains(there, self._costs, delegations.budget_for(place))
        return {tile: gains[tile] + new - cost for tile, cost in self._costs.items()}

    def _elsewhere(self, place: str) -> dict[str, float]:
        value = self._favor() if place == "favor" else self._voyage(place)
        return {
            tile: value - cost if is_character(tile) else -1.0 for tile, cost in self._costs.items()
        }

    def _favor(self) -> float:
        evaluation = self._evaluation
        behind = evaluation.view.favor_order.index(evaluation.seat) / evaluation.number_of_rivals
        weights = evaluation.weights
        gain = weights.favor * FAVOR_VALUE * behind * min(2, evaluation.rounds_left)
        return gain + weights.asking

    def _voyage(self, place: str) -> float:
        evaluation = self._evaluation
        before = len([card for card in self._own.get(place, ()) if is_character(card)])
        price = SHIP_PRICES[place]
        if price * (before + 1) > self._delegations.budget_for(place).coins:
            return -1.0
        return evaluation.voyage(price, before)
