"""Values of placing a tile in Brides & Bribes: in a borough, on a ship, or for the Doge's favor."""

from bots.brides_and_bribes.delegations import Delegations
from bots.brides_and_bribes.evaluation import Evaluation
from bots.brides_and_bribes.terms import Budget
from bots.brides_and_bribes.tiles import is_character, tile_data

SHIP_PRICES = {"ship-1": 0, "ship-2": 2, "ship-3": 3, "ship-4": 4}
"""The coins for a worker on each ship. On the first ship the price is another worker."""
CHARACTER_COST = 0.02
"""The cost of sending a character, for each point of prestige and charm."""
FAVOR_VALUE = 0.5
"""The value for a round of being first in favor instead of last."""


class Placements:
    """The values of one more tile of ours at each place. What all tiles share is cached."""

    def __init__(self, evaluation: Evaluation, delegations: Delegations) -> None:
        self._evaluation = evaluation
        self._delegations = delegations
        self._own = evaluation.view.own.delegations
        self._before: dict[str, tuple[Budget, float]] = {}
        self._elsewhere: dict[str, float] = {}

    def best(self, place: str) -> float:
        """Return the value of a place: that of the best tile for it."""
        return max([self.value(tile, place) for tile in self._evaluation.view.own.hand])

    def value(self, tile: str, place: str) -> float:
        """Return the value of a tile in addition to our tiles at a place."""
        data = tile_data(tile)
        cost = CHARACTER_COST * (data.prestige + data.charm)
        if place in self._evaluation.boroughs:
            new = 0.0 if place in self._own else self._evaluation.weights.delegations
            return self._in_borough(tile, place) + new - cost
        if not is_character(tile):
            return -1.0
        value = self._elsewhere.get(place)
        if value is None:
            value = self._favor() if place == "favor" else self._voyage(place)
            self._elsewhere[place] = value
        return value - cost

    def _in_borough(self, tile: str, place: str) -> float:
        delegations, borough = self._delegations, self._evaluation.boroughs[place]
        there = self._own.get(place, [])
        if place not in self._before:
            budget = delegations.budget_for(place)
            self._before[place] = budget, delegations.best(borough, there, budget).value
        budget, before = self._before[place]
        return delegations.best(borough, [*there, tile], budget).value - before

    def _favor(self) -> float:
        """Return the value of asking for the Doge's favor."""
        evaluation = self._evaluation
        behind = evaluation.view.favor_order.index(evaluation.seat) / len(evaluation.rivals)
        weights = evaluation.weights
        gain = weights.favor * FAVOR_VALUE * behind * min(2, evaluation.rounds_left)
        return gain + weights.asking

    def _voyage(self, place: str) -> float:
        """Return the value of one more character on a ship: a worker for its price."""
        evaluation = self._evaluation
        before = len([one for one in self._own.get(place, []) if is_character(one)])
        price = SHIP_PRICES[place]
        workers = evaluation.me.workers
        best = max([evaluation.worker(colour) for colour in workers])
        if price == 0:
            own = [evaluation.worker(colour, -1) for colour, has in workers.items() if has]
            return 0.0 if before else best - min(own, default=best)
        if price * (before + 1) > self._delegations.budget_for(place).coins:
            return -1.0
        return best * 0.8**before - price * evaluation.coin
