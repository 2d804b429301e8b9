"""Probabilities to control an official of Bribery at the end of the game."""

import functools
import math
from collections.abc import Sequence
from operator import add
from typing import NamedTuple

import msgspec

from bots.bribery.board import Pile
from bots.bribery.cards import BRIBES

MEAN = sum(BRIBES.values()) / len(BRIBES)
MEAN_SQUARE = sum([value * value for value in BRIBES.values()]) / len(BRIBES)
LOGISTIC_SCALE = 0.6
"""The scale of the logistic curve that is closest to the standard normal distribution."""

BySide = tuple[float, ...]


class Future(NamedTuple):
    """The bribes that are still to be played. They are assumed to go to random open places."""

    rate: float
    """The expected number for each open suit of an official."""
    shares: BySide
    """The part of them that each side plays."""


class ControlChances(msgspec.Struct, gc=False):
    """What is expected of the control of an official at the end, by side."""

    controls: Sequence[float]
    """The probability to control it."""
    factors: Sequence[float]
    """The expected factor of its control, which is 2 for a side that dominates it."""
    variances: Sequence[float]
    """The variance of that factor."""
    none: float
    """The probability that no side controls it."""


class Arrivals(NamedTuple):
    """The future bribes on an official, given the number of its open suits."""

    none: float
    """The probability that no bribe arrives."""
    no_other: BySide
    """The probability, by side, that no bribe of another side arrives."""
    values: BySide
    """The expected value that arrives for each side, if any bribe arrives."""
    deviation: float
    """The standard deviation of that value."""


def arrivals(suits: int, future: Future) -> Arrivals:
    """Return the future bribes on an official with a number of open suits."""
    number, shares = future.rate * suits, future.shares
    none = math.exp(-number)
    no_other = tuple([math.exp(-number * (1 - share)) for share in shares])
    if none == 1:
        return Arrivals(none, no_other, (0.0,) * len(shares), 0.0)
    some = number / (1 - none)  # the expected number, if there is any
    values = tuple([some * MEAN * share for share in shares])
    return Arrivals(none, no_other, values, math.sqrt(some * MEAN_SQUARE))


def leader(values: Sequence[float]) -> int | None:
    """Return the place of the unique positive maximum of `values`, or None if there is none."""
    best = max(values)
    return values.index(best) if best > 0 and values.count(best) == 1 else None


def win_probabilities(values: Sequence[float], deviation: float) -> list[float]:
    """Return the probability of each value to be the maximum after random changes.

    Args:
        values: the expected values.
        deviation: the standard deviation of the changes.
    """
    if deviation < 0.001:
        first = leader(values)
        return [float(place == first) for place in range(len(values))]
    best, scale = max(values), LOGISTIC_SCALE * deviation
    weights = [math.exp((value - best) / scale) for value in values]
    whole = sum(weights)
    return [weight / whole for weight in weights]


class Standing(NamedTuple):
    """The bribes on an official now."""

    totals: Sequence[float]
    """The value of the bribes of each side."""
    first: int | None
    """The side that controls the official."""
    is_dominated: bool
    """Whether no other side has a bribe there."""


@functools.lru_cache(maxsize=4096)
def standing(pile: Pile, value_bonus: BySide) -> Standing:
    """Return the standing of the sides on an official.

    Args:
        pile: the bribes on it.
        value_bonus: the extra value, by side, of each bribe.
    """
    totals = [0.0] * len(value_bonus)
    for side, value in pile.values:
        totals[side] += value + value_bonus[side]
    return Standing(totals, leader(totals), pile.is_of_one_side)


class Control:
    """The chances to control officials at the end of the game. Results are cached."""

    def __init__(self, future: Sequence[Arrivals], value_bonus: BySide) -> None:
        """Start with nothing cached.

        Args:
            future: the future bribes on an official, by number of its open suits.
            value_bonus: the extra value, by side, of each bribe.
        """
        zero = (0.0,) * len(value_bonus)
        self._future = future
        self._value_bonus = value_bonus
        self.known: dict[Pile | None, ControlChances] = {
            None: ControlChances(zero, zero, zero, 1.0)  # out of play
        }
        """The chances that were asked for before."""

    def chances(self, pile: Pile | None) -> ControlChances:
        """Return the chances to control an official with these bribes on it."""
        return self.known.get(pile) or self._add_chances(pile)

    def _add_chances(self, pile: Pile | None) -> ControlChances:
        assert pile is not None, "known from the start"
        now = standing(pile, self._value_bonus)
        found = self.known[pile] = _after(now, self._future[pile.places])
        return found


def _after(now: Standing, future: Arrivals) -> ControlChances:
    """Return the chances to control an official after its future bribes."""
    totals, first, is_dominated = now
    dominator = first if is_dominated else None
    # A side's own further bribes do not end its domination.
    stays = future.none if dominator is None else future.no_other[dominator]
    if stays < 1:
        means = list(map(add, totals, future.values))
        changes = 1 - stays
        controls = [changes * wins for wins in win_probabilities(means, future.deviation)]
    else:
        controls = [0.0] * len(totals)
    if first is not None:
        controls[first] += stays
    factors = controls.copy()
    variances = [once - once * once for once in controls]
    if dominator is not None:
        factors[dominator] = factor = controls[dominator] + stays
        variances[dominator] = controls[dominator] + 3 * stays - factor * factor
    return ControlChances(controls, factors, variances, 1 - sum(controls))
