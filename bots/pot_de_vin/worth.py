"""Compute expected points in Pot de Vin from lookup tables.

A tally is an integer that encodes all cards and gems that a seat has won. Each kind of card is
counted in `KIND_BITS` bits. The guilds are in the lowest bits. The highest bits contain the
number of gems.
"""
# compiled: see setup.py

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from bots.pot_de_vin.weights import Weights
from engine.pot_de_vin.cards import GUILDS, KIND_BITS, POT_DE_VIN, TALLY

_MASK: Final = (1 << KIND_BITS) - 1
_THREE: Final = 3 * KIND_BITS
_MASK_OF_THREE: Final = (1 << _THREE) - 1
_GUILD_BITS: Final = len(GUILDS) * KIND_BITS
_POTS: Final = POT_DE_VIN * KIND_BITS
_GEMS: Final = (POT_DE_VIN + 1) * KIND_BITS
_NEUTRAL_MASK: Final = (1 << _GEMS - _GUILD_BITS) - 1
GUILDS_MASK: Final = (1 << _GUILD_BITS) - 1
GUILD_CARDS: Final = sum([tally for tally in TALLY.values() if tally <= GUILDS_MASK])
Steps = tuple[float, ...]


class Worth:
    def __init__(self, weights: Weights) -> None:
        self._table = weights.columns
        self._columns: dict[int, tuple[float, Steps]] = {}  # for three guilds
        pots = weights.pots + [0.0] * (_MASK + 2 - len(weights.pots))
        flat = joker, bonus, penalty = weights.joker, weights.bonus, weights.penalty
        numbers = range(_MASK + 1)
        self._neutral = [
            joker * jokers + bonus * bonuses + penalty * penalties + points
            for points in pots[: len(numbers)]
            for penalties in numbers
            for bonuses in numbers
            for jokers in numbers
        ]
        self._gem = weights.gem
        self._neutral_steps = [(*flat, more - less, self._gem) for less, more in pairwise(pots)]
        self.of_suit = _sums(weights.cards)

    def __call__(self, own: int, partner: int, remaining: int) -> float:
        """Return the expected points of a seat's cards and gems.

        `own` and `partner` are the tallies of the seat and of its partner, or 0 without a
        partner. `remaining` is a tally of the guild cards that nobody has won.
        """
        mask, columns = _MASK_OF_THREE, self._columns
        low = own & mask | (partner & mask) << _THREE | (remaining & mask) << 2 * _THREE
        high = own >> _THREE & mask | partner & mask << _THREE | remaining >> _THREE << 2 * _THREE
        try:
            guilds = columns[low][0] + columns[high][0]
        except KeyError:
            guilds = self._add(low)[0] + self._add(high)[0]
        return guilds + self.without_guilds(own)

    def gain(self, own: int, loot: int, partner: int, remaining: int) -> float:
        return self(own + loot, partner, remaining) - self(own, partner, remaining)

    def steps(self, own: int, partner: int, remaining: int) -> Steps:
        """Return the value to a seat of one more card of each kind, and of one more gem."""
        mask, columns = _MASK_OF_THREE, self._columns
        low = own & mask | (partner & mask) << _THREE | (remaining & mask) << 2 * _THREE
        high = own >> _THREE & mask | partner & mask << _THREE | remaining >> _THREE << 2 * _THREE
        try:
            guilds = columns[low][1] + columns[high][1]
        except KeyError:
            guilds = self._add(low)[1] + self._add(high)[1]
        return guilds + self._neutral_steps[own >> _POTS & _MASK]

    def without_guilds(self, own: int) -> float:
        return self._neutral[own >> _GUILD_BITS & _NEUTRAL_MASK] + self._gem * (own >> _GEMS)

    def _add(self, key: int) -> tuple[float, Steps]:
        points, steps = 0.0, []
        for guild in range(3):
            shifts = [_THREE * part + KIND_BITS * guild for part in range(3)]
            own, partner, remaining = [key >> shift & _MASK for shift in shifts]
            now = self._table[own][partner][remaining]
            more = self._table[min(own + 1, _MASK)][partner][remaining]
            points += now
            steps.append(more - now)
        self._columns[key] = points, tuple(steps)
        return self._columns[key]


def _sums(weights: Sequence[float]) -> list[float]:
    sums = [0.0]
    for weight in weights:
        sums += [total + weight for total in sums]
    return sums
