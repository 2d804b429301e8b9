"""What to expect of a delegation of ours in a borough of Brides & Bribes, with rivals there."""

import functools
from collections.abc import Mapping, Sequence

from bots.brides_and_bribes.abilities import Abilities
from bots.brides_and_bribes.actions import NOTHING, Actions, ActionValue
from bots.brides_and_bribes.evaluation import Evaluation
from bots.brides_and_bribes.leaders import Leader, Strength, leaders
from bots.brides_and_bribes.terms import Budget, Terms
from bots.brides_and_bribes.view import Borough

# Tuned by playing many games. Half or twice as much is seldom clearly worse.
PREEMPTION_PROBABILITY = 0.6
"""The probability that a rival that acts before us takes what we want."""
LATE_ARRIVAL_PROBABILITY = 0.2
"""The probability that a seat that can still send a delegation to a borough does so."""


class Prospects:
    """The values of delegations of ours in a borough. Those that were asked for are kept."""

    def __init__(
        self, lord_prestige: int, rivals: float, actions: Actions, abilities: Abilities
    ) -> None:
        """Expect this number of rivals, and a choice of these actions."""
        self._lord_prestige = lord_prestige
        self._preemption = PREEMPTION_PROBABILITY * rivals
        self._actions = actions
        self._abilities = abilities
        self._plans: dict[tuple[Strength, Budget], ActionValue] = {}
        self._gains: dict[tuple[tuple[str, ...], Budget], dict[str, float]] = {}

    def best(self, tiles: tuple[str, ...], budget: Budget) -> ActionValue:
        """Return the value of a delegation with its best guide."""
        return max([self.led_by(one, tiles, budget) for one in leaders(tiles)], default=NOTHING)

    def led_by(self, leader: Leader, tiles: tuple[str, ...], budget: Budget) -> ActionValue:
        """Return the value of a delegation with this leader."""
        guide, strength = leader
        value, bribe, forfeit = self._plan(strength, budget)
        help_of = self._abilities.help_of
        for tile in tiles:
            value += help_of(tile)[tile != guide]
        return value, bribe, forfeit

    def gains(
        self, there: tuple[str, ...], more: Sequence[str], budget: Budget
    ) -> Mapping[str, float]:
        """Return what each tile of `more`, and maybe others, would add to a delegation."""
        key = (there, budget)
        gains = self._gains.get(key)
        if gains is None:
            gains = self._gains[key] = {}
        unknown = [tile for tile in more if tile not in gains]
        if unknown:
            before = self.best(there, budget)[0] if there else 0.0
            for tile in unknown:
                gains[tile] = self.best((*there, tile), budget)[0] - before
        return gains

    def _plan(self, strength: Strength, budget: Budget) -> ActionValue:
        """Return the best action of a delegation, without the help of its tiles."""
        key = (strength, budget)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._new_plan(strength, budget)
        return plan

    def _new_plan(self, strength: Strength, budget: Budget) -> ActionValue:
        prestige, charm, has_edict = strength
        terms = None if charm is None else Terms(self._lord_prestige, prestige, charm)
        actions = self._actions.best_first(terms, budget)
        best, bribe, forfeit = actions[0]
        if has_edict:
            return actions[0]
        first = 0.1 if self._abilities.own_brides else _rival_first(prestige)
        lost = self._preemption * first
        fallback = actions[min(len(actions) - 1, 1 + int(lost))][0]
        return best - min(1.0, lost) * (best - fallback), bribe, forfeit


@functools.cache
def _rival_first(prestige: int) -> float:
    """Return the probability that a rival acts before our guide with this prestige."""
    return min(0.9, max(0.1, 0.6 - 0.12 * (prestige - 3)))


class KeptProspects:
    """The prospects in a borough by the expected number of rivals, while its goods stay."""

    def __init__(self, evaluation: Evaluation, borough: Borough) -> None:
        self.borough = borough
        self.actions = Actions(evaluation, borough)
        self._evaluation = evaluation
        self._abilities: dict[float, Abilities] = {}
        self._by_rivals: dict[float, Prospects] = {}

    def with_rivals(self, rivals: float) -> Prospects:
        """Return the prospects with this number of rivals."""
        found = self._by_rivals.get(rivals)
        if found is None:
            rival = min(1, rivals)
            abilities = self._abilities.get(rival)
            if abilities is None:
                abilities = Abilities(self._evaluation, self.borough, rival)
                self._abilities[rival] = abilities
            found = Prospects(self.borough.lord_prestige, rivals, self.actions, abilities)
            self._by_rivals[rivals] = found
        return found


def expected_rivals(evaluation: Evaluation, borough: Borough) -> float:
    """Return the expected number of rivals in a borough."""
    there = [sent.seat for sent in borough.delegations if sent.seat != evaluation.seat]
    number = float(len(there))
    for seat in evaluation.rivals_to_send:
        if seat not in there:
            number += LATE_ARRIVAL_PROBABILITY
    return number
