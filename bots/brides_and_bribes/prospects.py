"""What to expect in a borough of Brides & Bribes: the rivals there and the help of abilities."""

from collections.abc import Sequence

from bots.brides_and_bribes.actions import Actions, ActionValue
from bots.brides_and_bribes.evaluation import Evaluation
from bots.brides_and_bribes.leaders import Leader, Strength
from bots.brides_and_bribes.terms import Budget, Terms
from bots.brides_and_bribes.tiles import GUARDS, KILLERS, PLACES, is_character, kind_of
from bots.brides_and_bribes.view import Borough

# Tuned by playing many games. Half or twice as much is seldom clearly worse.
PREEMPTION_PROBABILITY = 0.6
"""The probability that a rival that acts before us takes what we want."""
LATE_ARRIVAL_PROBABILITY = 0.2
"""The probability that a seat that can still send a delegation to a borough does so."""
STOLEN_COINS = {"thief": 2, "gabriele": 1, "groomsman": 1}
"""The number of coins that each kind steals."""
MEAN_DAMAGE = {
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
"""The points that each kind takes from a rival on average."""


class Prospects:
    """What we expect in a borough, with any delegation of ours."""

    def __init__(
        self, evaluation: Evaluation, borough: Borough, rivals: float, actions: Actions
    ) -> None:
        """Expect this number of rivals, and a choice of these actions."""
        self._evaluation = evaluation
        self.borough = borough
        self.rivals = rivals
        self.actions = actions
        brides = [borough.brides.at(place) for place in PLACES]
        self._own_brides = len(
            [bride for bride in brides if bride and bride.married_seat == evaluation.seat]
        )
        self._presence = 0.1 * min(1, rivals)
        """The value of a character beside the guide."""
        self._plans: dict[tuple[Strength, Budget], ActionValue] = {}
        self._help: dict[str, tuple[float, float]] = {}

    def led_by(self, leader: Leader, tiles: Sequence[str], budget: Budget) -> ActionValue:
        """Return the value of a delegation with this leader, and what its action costs."""
        guide, strength = leader
        key = (strength, budget)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._plan(strength, budget)
        value, bribe, forfeit = plan
        for tile in tiles:
            help_of_tile = self._help.get(tile)
            if help_of_tile is None:
                help_of_tile = self._help[tile] = self._help_of(tile)
            value += help_of_tile[tile != guide]
        return ActionValue(value, bribe, forfeit)

    def _plan(self, strength: Strength, budget: Budget) -> ActionValue:
        """Return the value of a delegation without the help of its tiles."""
        prestige, charm, has_edict = strength
        terms = None if charm is None else Terms(self.borough.lord_prestige, prestige, charm)
        actions = self.actions.best_first(terms, budget)
        best = actions[0]
        if has_edict:
            return best
        lost = PREEMPTION_PROBABILITY * self.rivals * self._rival_first(prestige)
        fallback = actions[min(len(actions) - 1, 1 + int(lost))].value
        value = best.value - min(1.0, lost) * (best.value - fallback)
        return ActionValue(value, best.bribe, best.forfeit)

    def _rival_first(self, prestige: int) -> float:
        """Return the probability that a rival acts before our guide with this prestige."""
        if self._own_brides:
            return 0.1
        return min(0.9, max(0.1, 0.6 - 0.12 * (prestige - 3)))

    def _help_of(self, tile: str) -> tuple[float, float]:
        """Return the value that a tile adds to our delegation: as guide, and beside the guide."""
        ability = self._ability(kind_of(tile))
        return ability, ability + (self._presence if is_character(tile) else 0.0)

    def _ability(self, kind: str) -> float:
        """Return the value that a tile of this kind adds to our delegation by its ability."""
        evaluation, harm = self._evaluation, self._evaluation.weights.harm
        rival = min(1, self.rivals)
        if kind in GUARDS:
            return rival * (0.2 + 1.0 * self._own_brides)
        if kind in KILLERS:
            killing = max([evaluation.murder(self.borough, place) for place in PLACES])
            return max(0.0, killing) + harm * 0.3 * rival
        if kind in STOLEN_COINS:
            return STOLEN_COINS[kind] * evaluation.coin * rival
        if kind in MEAN_DAMAGE:
            return harm * MEAN_DAMAGE[kind] * rival / len(evaluation.rivals)
        if kind == "merchant":
            return evaluation.coin
        if kind in ("raineo", "two-ducati"):
            return 0.7 * evaluation.coin
        if kind in ("wine", "extra-worker"):
            return 0.7 * evaluation.worker(self.borough.colour, 1)
        return 0.0


def expected_rivals(evaluation: Evaluation, borough: Borough) -> float:
    """Return the expected number of rivals in a borough."""
    there = [sent.seat for sent in borough.delegations if sent.seat != evaluation.seat]
    number = float(len(there))
    for player in evaluation.rivals:
        if not player.passed and player.coaches_left and player.seat not in there:
            number += LATE_ARRIVAL_PROBABILITY
    return number
