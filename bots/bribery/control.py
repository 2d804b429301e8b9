"""Estimate the probability of controlling an official at the end of a Bribery game."""
# compiled: see setup.py

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from bots.bribery.board import Pile
from bots.bribery.cards import BRIBES

MEAN: Final = sum(BRIBES.values()) / len(BRIBES)
MEAN_SQUARE: Final = sum([value * value for value in BRIBES.values()]) / len(BRIBES)
# A logistic distribution with this scale is close to the standard normal distribution.
LOGISTIC_SCALE: Final = 0.6
MIN_DEVIATION: Final = 0.001

BySide = tuple[float, ...]


class Future(NamedTuple):
    """The bribes that are still to be played."""

    rate: float  # expected bribes per suit that an official still accepts
    shares: BySide


class ControlChances(msgspec.Struct, gc=False):
    """Each side's probability of controlling an official at the end of the game."""

    controls: Sequence[float]
    factors: Sequence[float]
    variances: Sequence[float]
    none: float


class Arrivals(msgspec.Struct, gc=False):
    none: float
    no_other: BySide  # the probability that no other side bribes the official
    values: BySide
    scale: float


def arrivals(suits: int, future: Future) -> Arrivals:
    number, shares = future.rate * suits, future.shares
    none = math.exp(-number)
    if none == 1:
        nothing = (0.0,) * len(shares)
        return Arrivals(none, (1.0,) * len(shares), nothing, 0.0)
    no_other = tuple([math.exp(-number * (1 - share)) for share in shares])
    some = number / (1 - none)  # the expected number, if there is any
    values = tuple([some * MEAN * share for share in shares])
    return Arrivals(none, no_other, values, LOGISTIC_SCALE * math.sqrt(some * MEAN_SQUARE))


def leader(values: Sequence[float]) -> int | None:
    best = max(values)
    return values.index(best) if best > 0 and values.count(best) == 1 else None


def total(values: Sequence[float]) -> float:
    """Add numbers left to right. Since Python 3.12, `sum` rounds differently."""
    result = 0.0
    for value in values:
        result += value
    return result


def win_probabilities(values: Sequence[float], scale: float) -> list[float]:
    """Estimate how likely each value is to become the highest: a softmax of values / scale."""
    best = max(values)
    weights = [math.exp((value - best) / scale) for value in values]
    whole = total(weights)
    return [weight / whole for weight in weights]


def control_chances(
    totals: Sequence[float], first: int | None, dominator: int | None, future: Arrivals
) -> ControlChances:
    """Return each side's chances of controlling an official at the end of the game.

    `totals` are the total values of each side's bribes on the official. `first` is the side that
    controls the official now, and `dominator` is the side that dominates it, or None.
    """
    # A side's own further bribes do not end its domination.
    stays = future.none if dominator is None else future.no_other[dominator]
    controls = [0.0] * len(totals)
    if stays < 1:
        means = [now + more for now, more in zip(totals, future.values)]
        controls = [(1 - stays) * win for win in win_probabilities(means, future.scale)]
    if first is not None:
        controls[first] += stays
    factors = controls.copy()
    variances = [once - once * once for once in controls]
    if dominator is not None:
        factors[dominator] = factor = controls[dominator] + stays
        variances[dominator] = controls[dominator] + 3 * stays - factor * factor
    return ControlChances(controls, factors, variances, 1 - total(controls))


class Control:
    def __init__(self, future: Sequence[Arrivals], value_bonus: BySide) -> None:
        zero = (0.0,) * len(value_bonus)
        self._future = future
        self._value_bonus = value_bonus
        self.known: dict[Pile | None, ControlChances] = {
            None: ControlChances(zero, zero, zero, 1.0)  # out of play
        }

    def chances(self, pile: Pile | None) -> ControlChances:
        return self.known.get(pile) or self.add_chances(pile)

    def add_chances(self, pile: Pile | None) -> ControlChances:
        assert pile is not None, "known from the start"
        bonus = self._value_bonus
        totals = [0.0] * len(bonus)
        for side, value in pile.values:
            totals[side] += value + bonus[side]
        dominator = pile.only_side
        first = leader(totals) if dominator is None and pile.values else dominator
        future = self._future[pile.places]
        chances = self.known[pile] = control_chances(totals, first, dominator, future)
        return chances
