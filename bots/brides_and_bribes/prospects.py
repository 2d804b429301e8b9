"""Estimate what a Brides & Bribes delegation can gain in a borough, considering its rivals."""
# compiled: see setup.py

import functools
from collections.abc import Iterable, Mapping
from typing import Final

from bots.brides_and_bribes.abilities import Abilities
from bots.brides_and_bribes.actions import NOTHING, Actions, ActionValue
from bots.brides_and_bribes.evaluation import Evaluation
from bots.brides_and_bribes.leaders import Leader, Strength, leaders
from bots.brides_and_bribes.terms import Budget
from bots.brides_and_bribes.view import Borough, married_to

# Tuned by playing many games. Half or twice as much is seldom clearly worse.
PREEMPTION_PROBABILITY: Final = 0.6
LATE_ARRIVAL_PROBABILITY: Final = 0.2


class Prospects:
    def __init__(self, evaluation: Evaluation, borough: Borough) -> None:
        rivals = expected_rivals(evaluation, borough)
        self.actions = Actions(evaluation, borough)
        self._abilities = Abilities(evaluation, borough, min(1, rivals))
        self._preemption = PREEMPTION_PROBABILITY * rivals
        self._has_own_bride = married_to(borough.brides, evaluation.seat) > 0

    def best(self, tiles: tuple[str, ...], budget: Budget) -> ActionValue:
        guides = leaders(tiles)
        if len(guides) == 1:
            return self.led_by(guides[0], tiles, budget)
        return max([self.led_by(guide, tiles, budget) for guide in guides], default=NOTHING)

    def led_by(self, leader: Leader, tiles: tuple[str, ...], budget: Budget) -> ActionValue:
        guide, strength = leader
        value, bribe, forfeit = self._plan(strength, budget)
        abilities = self._abilities
        for tile in tiles:
            value += abilities[tile][tile != guide]
        return value, bribe, forfeit

    def _plan(self, strength: Strength, budget: Budget) -> ActionValue:
        prestige, charm, has_edict = strength
        actions = self.actions.of_guide(prestige, charm, budget)
        if has_edict:
            return actions[0]
        best, bribe, forfeit = actions[0]
        lost = self._preemption * _rival_first(prestige, self._has_own_bride)
        fallback, _, _ = actions[min(len(actions) - 1, 1 + int(lost))]
        return best - (lost if lost < 1 else 1) * (best - fallback), bribe, forfeit

    def gains(
        self, there: tuple[str, ...], more: Iterable[str], budget: Budget
    ) -> Mapping[str, float]:
        """Return how much each new tile would add to a delegation's value."""
        before = self.best(there, budget)[0] if there else 0.0
        return {tile: self.best((*there, tile), budget)[0] - before for tile in more}


@functools.cache
def _rival_first(prestige: int, has_own_bride: bool) -> float:
    if has_own_bride:
        return 0.1
    return min(0.9, max(0.1, 0.6 - 0.12 * (prestige - 3)))


def expected_rivals(evaluation: Evaluation, borough: Borough) -> float:
    there = [sent.seat for sent in borough.delegations if sent.seat != evaluation.seat]
    number = float(len(there))
    for seat in evaluation.rivals_to_send:
        if seat not in there:
            number += LATE_ARRIVAL_PROBABILITY
    return number
