"""What to expect in a borough of Brides & Bribes: the rivals there and the help of abilities."""

from bots.brides_and_bribes.evaluation import Evaluation
from bots.brides_and_bribes.tiles import GUARDS, KILLERS, PLACES
from bots.brides_and_bribes.view import Borough

# Tuned by playing many games. Half or twice as much is seldom clearly worse.
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

    def __init__(self, evaluation: Evaluation, borough: Borough) -> None:
        self._evaluation = evaluation
        self._borough = borough
        self.rivals = _expected_rivals(evaluation, borough)
        """The expected number of rivals."""
        brides = [borough.brides.at(place) for place in PLACES]
        self._own_brides = len(
            [bride for bride in brides if bride and bride.married_seat == evaluation.seat]
        )
        self.presence = 0.1 * min(1, self.rivals)
        """The value of a character beside the guide."""
        self._abilities: dict[str, float] = {}

    def rival_first(self, prestige: int) -> float:
        """Return the probability that a rival acts before our guide with this prestige."""
        if self._own_brides:
            return 0.1
        return min(0.9, max(0.1, 0.6 - 0.12 * (prestige - 3)))

    def ability(self, kind: str) -> float:
        """Return the value that a tile of this kind adds to our delegation by its ability."""
        value = self._abilities.get(kind)
        if value is None:
            value = self._abilities[kind] = self._ability(kind)
        return value

    def _ability(self, kind: str) -> float:
        evaluation, harm = self._evaluation, self._evaluation.weights.harm
        rival = min(1, self.rivals)
        if kind in GUARDS:
            return rival * (0.2 + 1.0 * self._own_brides)
        if kind in KILLERS:
            killing = max([evaluation.murder(self._borough, place) for place in PLACES])
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
            return 0.7 * evaluation.worker(self._borough.colour, 1)
        return 0.0


def _expected_rivals(evaluation: Evaluation, borough: Borough) -> float:
    there = [sent.seat for sent in borough.delegations if sent.seat != evaluation.seat]
    number = float(len(there))
    for player in evaluation.rivals:
        if not player.passed and player.coaches_left and player.seat not in there:
            number += LATE_ARRIVAL_PROBABILITY
    return number
