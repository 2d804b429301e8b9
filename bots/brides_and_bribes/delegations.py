"""Values of our delegations in Brides & Bribes: the best action of each, and the help of its tiles."""

import functools
from collections.abc import Sequence

from bots.brides_and_bribes.actions import Actions, ActionValue
from bots.brides_and_bribes.evaluation import Evaluation
from bots.brides_and_bribes.leaders import leader, leaders
from bots.brides_and_bribes.prospects import Prospects, expected_rivals
from bots.brides_and_bribes.terms import Budget, Terms
from bots.brides_and_bribes.view import Borough

NOTHING = ActionValue(0.0)


class Delegations:
    """The values of our delegations in a position."""

    def __init__(self, evaluation: Evaluation, last: "Delegations | None" = None) -> None:
        """Value delegations. What still holds of those of `last` is kept."""
        self.evaluation = evaluation
        self._boroughs = evaluation.boroughs
        self._prospects: dict[str, Prospects] = {}
        self._kept: dict[str, Prospects] = {}
        """By borough: the last prospects that were computed with the same values of goods."""
        if last is not None and evaluation.has_values_of(last.evaluation):
            self._kept = last._kept

    def actions(self, borough: Borough, terms: Terms | None, budget: Budget) -> list[ActionValue]:
        """Return the actions in a borough, best first; `terms` is None for a common as guide."""
        return self._prospects_in(borough).actions.best_first(terms, budget)

    @functools.cached_property
    def planned(self) -> dict[str, ActionValue]:
        """The best action of each delegation, by borough. Earlier ones are paid first."""
        evaluation = self.evaluation
        budget = Budget(evaluation.me.coins, evaluation.me.influence)
        found = {}
        for place, tiles in evaluation.view.own.delegations.items():
            if place in self._boroughs and not self._boroughs[place].resolved:
                found[place] = action = self.best(self._boroughs[place], tiles, budget)
                budget = Budget(budget.coins - action.bribe, budget.influence - action.forfeit)
        return found

    def budget_for(self, place: str) -> Budget:
        """Return what the delegations at other places leave of our coins and influence."""
        coins, influence = self.evaluation.me.coins, self.evaluation.me.influence
        for other, action in self.planned.items():
            if other != place:
                coins, influence = coins - action.bribe, influence - action.forfeit
        return Budget(coins, influence)

    def best(self, borough: Borough, tiles: Sequence[str], budget: Budget) -> ActionValue:
        """Return the value of a delegation in a borough with its best guide."""
        prospects = self._prospects_in(borough)
        values = [prospects.led_by(one, tiles, budget) for one in leaders(tuple(tiles))]
        return max(values, default=NOTHING)

    def guided(
        self, borough: Borough, guide: str, tiles: Sequence[str], budget: Budget
    ) -> ActionValue:
        """Return the value of a delegation in a borough with this guide."""
        return self._prospects_in(borough).led_by(leader(guide, tuple(tiles)), tiles, budget)

    def _prospects_in(self, borough: Borough) -> Prospects:
        name = borough.borough
        found = self._prospects.get(name)
        if found is None:
            found = self._kept.get(name)
            rivals = expected_rivals(self.evaluation, borough)
            if found is None or not found.borough.has_same_goods(borough):
                actions = Actions(self.evaluation, borough)
                found = Prospects(self.evaluation, borough, rivals, actions)
            elif found.rivals != rivals:
                found = Prospects(self.evaluation, borough, rivals, found.actions)
            self._prospects[name] = self._kept[name] = found
        return found
