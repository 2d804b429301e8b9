"""Expected points of tallies and hands in Pot de Vin, as `evaluation` has them, from tables.

A tally is what a seat has won, as one number of the engine: `KIND_BITS` bits for each kind of card,
guilds first, then the number of gems.
"""

from bots.pot_de_vin.cards import POT_DE_VIN_POINTS, VALUES
from bots.pot_de_vin.evaluation import FLAT_POINTS, MAX_REMAINING, forecast
from engine.pot_de_vin.cards import GUILDS, KIND_BITS, POT_DE_VIN, TALLY

_MASK = (1 << KIND_BITS) - 1
_THREE = 3 * KIND_BITS
_MASK_OF_THREE = (1 << _THREE) - 1
_GUILD_BITS = len(GUILDS) * KIND_BITS
_GEMS = (POT_DE_VIN + 1) * KIND_BITS
_NEUTRAL_MASK = (1 << _GEMS - _GUILD_BITS) - 1
GUILDS_MASK = (1 << _GUILD_BITS) - 1
"""The bits of a tally that count guild cards."""
GUILD_CARDS = sum([tally for tally in TALLY.values() if tally <= GUILDS_MASK])
"""All guild cards of the game, as a tally."""
_NEUTRAL_POINTS = [
    FLAT_POINTS["joker"] * (four & _MASK)
    + FLAT_POINTS["bonus"] * (four >> KIND_BITS & _MASK)
    + FLAT_POINTS["penalty"] * (four >> 2 * KIND_BITS & _MASK)
    + (*POT_DE_VIN_POINTS, 0, 0, 0)[four >> _THREE]
    for four in range(_NEUTRAL_MASK + 1)
]
"""Points of the numbers of joker, bonus, penalty and Pot de Vin cards."""
SUM_OF_VALUES = [
    sum([value for value in VALUES if suit >> value - 1 & 1]) for suit in range(1 << len(VALUES))
]
"""By suit of a hand: the sum of the values of its cards."""


class Worth:
    """The expected points of tallies at the end of the game. Results are cached."""

    def __init__(self, seats: int, teamed: bool) -> None:
        self._forecast = forecast(seats, teamed)
        self._columns: dict[int, float] = {}
        """By own, partner's and remaining symbols of three guilds: their expected points."""

    def __call__(self, own: int, partner: int, remaining: int) -> float:
        """Return the points of a side for all cards and gems of `own`.

        `partner` is the tally of the partner, or 0; of it only the columns count. `remaining` has
        the guild cards that no seat has won, as a tally.
        """
        mask = _MASK_OF_THREE
        low = own & mask | (partner & mask) << _THREE | (remaining & mask) << 2 * _THREE
        high = own >> _THREE & mask | partner & mask << _THREE | remaining >> _THREE << 2 * _THREE
        columns = self._columns
        try:
            guilds = columns[low] + columns[high]
        except KeyError:
            guilds = self._add(low) + self._add(high)
        return guilds + self.without_guilds(own)

    def without_guilds(self, own: int) -> float:
        """Return the expected points of the neutral cards and gems of a tally."""
        return _NEUTRAL_POINTS[own >> _GUILD_BITS & _NEUTRAL_MASK] + (own >> _GEMS)

    def _add(self, key: int) -> float:
        points = 0.0
        for guild in range(3):
            shifts = [_THREE * part + KIND_BITS * guild for part in range(3)]
            own, partner, remaining = [key >> shift & _MASK for shift in shifts]
            points += self._forecast[own][partner][min(remaining, MAX_REMAINING)]
        self._columns[key] = points
        return points
