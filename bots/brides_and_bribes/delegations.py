"""Values of delegations in Brides & Bribes: the best action of each, and the help of its tiles."""

import functools
from collections.abc import Sequence
from typing import NamedTuple

from bots.brides_and_bribes.evaluation import OBJECT_VALUE, Evaluation
from bots.brides_and_bribes.prospects import Prospects
from bots.brides_and_bribes.terms import EASING, Budget, Terms
from bots.brides_and_bribes.tiles import (
    LOYALS,
    PLACES,
    Place,
    is_character,
    kind_of,
    tile_data,
)
from bots.brides_and_bribes.view import Borough, Bride

# Tuned by playing many games. Half or twice as much is seldom clearly worse.
PREEMPTION_PROBABILITY = 0.6
"""The probability that a rival that acts before us takes what we want."""
EDICT = "edict"
"""The kind of object with which no rival acts first."""
PLAN_KINDS = (*EASING, EDICT)
"""The kinds that change the action of a delegation. All others only help."""


class ActionValue(NamedTuple):
    """The value of an action of a delegation, and what the action costs."""

    value: float
    bribe: int = 0
    forfeit: int = 0


NOTHING = ActionValue(0.0)


class Delegations:
    """The values of our delegations in a position."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._boroughs = evaluation.boroughs
        self._common_actions: dict[str, list[ActionValue]] = {}
        self._prospects: dict[str, Prospects] = {}
        self._plans: dict[tuple[object, ...], ActionValue] = {}

    # -- actions ----------------------------------------------------------------------------------

    def actions(self, borough: Borough, terms: Terms | None, budget: Budget) -> list[ActionValue]:
        """Return the actions in a borough, best first; `terms` is None for a common as guide."""
        found = [*self._actions_of_all(borough)]
        for place in PLACES:
            bride = borough.brides.at(place)
            if terms is not None and bride is not None and bride.married_seat is None:
                marriage = self.marriage(place, bride, terms, budget)
                if marriage is not None:
                    found.append(marriage)
        found.sort(reverse=True)
        return found

    def marriage(
        self, place: Place, bride: Bride, terms: Terms, budget: Budget
    ) -> ActionValue | None:
        """Return the value of marrying a bride, or None if `budget` does not suffice."""
        if not terms.can_be_paid(bride.charm, budget):
            return None
        evaluation = self._evaluation
        forfeit, bribe = terms.forfeit(), terms.bribe(bride.charm)
        dowry = bride.dowry_coins * evaluation.coin
        if bride.dowry_object is not None:
            dowry += OBJECT_VALUE * min(1, evaluation.rounds_left)
        value = evaluation.marriage(place) + dowry - forfeit - bribe * evaluation.coin
        return ActionValue(value, bribe, forfeit)

    def _actions_of_all(self, borough: Borough) -> list[ActionValue]:
        """Return the actions that every character can take."""
        found = self._common_actions.get(borough.borough)
        if found is None:
            evaluation = self._evaluation
            gains = [evaluation.coin, evaluation.workers(borough), evaluation.tokens(borough)]
            if borough.common is not None:
                gains.append(evaluation.common(borough.common))
            found = self._common_actions[borough.borough] = [ActionValue(gain) for gain in gains]
        return found

    # -- delegations ------------------------------------------------------------------------------

    @functools.cached_property
    def planned(self) -> dict[str, ActionValue]:
        """The best action of each delegation, by borough. Earlier ones are paid first."""
        evaluation = self._evaluation
        budget = Budget(evaluation.me.coins, evaluation.me.influence)
        found = {}
        for place, tiles in evaluation.view.own.delegations.items():
            if place in self._boroughs and not self._boroughs[place].resolved:
                found[place] = action = self.best(self._boroughs[place], tiles, budget)
                budget = Budget(budget.coins - action.bribe, budget.influence - action.forfeit)
        return found

    def budget_for(self, place: str) -> Budget:
        """Return what the delegations at other places leave of our coins and influence."""
        coins, influence = self._evaluation.me.coins, self._evaluation.me.influence
        for other, action in self.planned.items():
            if other != place:
                coins, influence = coins - action.bribe, influence - action.forfeit
        return Budget(coins, influence)

    def best(self, borough: Borough, tiles: Sequence[str], budget: Budget) -> ActionValue:
        """Return the value of a delegation in a borough with its best guide."""
        guides = [tile for tile in tiles if is_character(tile)]
        values = [self.guided(borough, guide, tiles, budget) for guide in guides]
        return max(values, default=NOTHING)

    def guided(
        self, borough: Borough, guide: str, tiles: Sequence[str], budget: Budget
    ) -> ActionValue:
        """Return the value of a delegation in a borough with this guide."""
        kinds = [kind_of(tile) for tile in tiles]
        changing = tuple([kind for kind in kinds if kind in PLAN_KINDS])
        key = (borough.borough, guide, changing, budget)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._plan(borough, guide, changing, budget)
        prospects = self._prospects_in(borough)
        value = plan.value
        for tile, kind in zip(tiles, kinds, strict=True):
            is_companion = tile != guide and is_character(tile)
            value += (prospects.presence if is_companion else 0.0) + prospects.ability(kind)
        return ActionValue(value, plan.bribe, plan.forfeit)

    def _plan(
        self, borough: Borough, guide: str, kinds: Sequence[str], budget: Budget
    ) -> ActionValue:
        """Return the value of a delegation without the help of its tiles.

        Args:
            borough: the borough.
            guide: the guide.
            kinds: those of `PLAN_KINDS` that the delegation has.
            budget: what it can spend.
        """
        data = tile_data(guide)
        terms = Terms(borough.lord_prestige, data.prestige, data.charm)
        for kind in kinds:
            if kind in EASING:
                terms = terms.shifted(kind)
        actions = self.actions(borough, terms if guide in LOYALS else None, budget)
        prospects = self._prospects_in(borough)
        lost = PREEMPTION_PROBABILITY * prospects.rivals * prospects.rival_first(terms.prestige)
        if EDICT in kinds:
            lost = 0.0
        best = actions[0]
        fallback = actions[min(len(actions) - 1, 1 + int(lost))].value
        value = best.value - min(1.0, lost) * (best.value - fallback)
        return ActionValue(value, best.bribe, best.forfeit)

    def _prospects_in(self, borough: Borough) -> Prospects:
        name = borough.borough
        if name not in self._prospects:
            self._prospects[name] = Prospects(self._evaluation, borough)
        return self._prospects[name]
