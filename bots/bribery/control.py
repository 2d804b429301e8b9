"""Probabilities to control an official of Bribery at the end of the game."""

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple

from bots.bribery.board import Pile, open_suits
from bots.bribery.cards import BRIBES, SUITS

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


class ControlChances(NamedTuple):
    """What is expected of the control of an official at the end, by side."""

    controls: Sequence[float]
    """The probability to control it."""
    factors: Sequence[float]
    """The expected factor of its control, which is 2 for a side that dominates it."""
    variances: Sequence[float]
    """The variance of that factor."""
    none: float
    """The probability that no side controls it."""
    no_other: Sequence[float]
    """The probability that no other side controls it."""


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
    open_suits: int
    """The number of suits of bribes that can still be put there."""


@functools.lru_cache(maxsize=4096)
def standing(suit: str, pile: Pile, value_bonus: BySide) -> Standing:
    """Return the standing of the sides on an official of `suit`.

    Args:
        suit: the suit of the official.
        pile: the bribes on it.
        value_bonus: the extra value, by side, of each bribe.
    """
    totals = [0.0] * len(value_bonus)
    for card, side in pile:
        totals[side] += BRIBES[card] + value_bonus[side]
    first = leader(totals)
    is_dominated = len({side for _, side in pile}) == 1
    return Standing(totals, first, is_dominated, len(open_suits(suit, pile)))


class Control:
    """The chances to control officials, given the future bribes. Results are cached."""

    def __init__(self, future: Future) -> None:
        zero = (0.0,) * len(future.shares)
        self._out_of_play = ControlChances(zero, zero, zero, 1.0, (1.0,) * len(zero))
        self._arrivals = [arrivals(suits, future) for suits in range(len(SUITS) + 1)]
        """By number of open suits."""
        self._known: dict[tuple[str, Pile, BySide], ControlChances] = {}

    def chances(self, suit: str, pile: Pile | None, value_bonus: BySide) -> ControlChances:
        """Return the chances to control an official of `suit`, or a joker.

        Args:
            suit: the suit of the official. All officials of a suit are alike, and so are jokers.
            pile: the bribes on it, or None if it is out of play.
            value_bonus: the extra value, by side, of each bribe.
        """
        if pile is None:
            return self._out_of_play
        key = (suit, pile, value_bonus)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._after(standing(suit, pile, value_bonus))
        return known

    def _after(self, now: Standing) -> ControlChances:
        """Return the chances after the future bribes."""
        totals, first, is_dominated, suits = now
        future = self._arrivals[suits]
        # A side's own further bribes do not end its domination.
        stays = future.no_other[first] if is_dominated and first is not None else future.none
        if stays < 1:
            means = [total + more for total, more in zip(totals, future.values, strict=True)]
            controls = [(1 - stays) * wins for wins in win_probabilities(means, future.deviation)]
        else:
            controls = [0.0] * len(totals)
        if first is not None:
            controls[first] += stays
        factors = controls.copy()
        variances = [once - once * once for once in controls]
        if is_dominated and first is not None:
            factors[first] += stays
            variances[first] = controls[first] + 3 * stays - factors[first] * factors[first]
        none = 1 - sum(controls)
        no_other = [none + once for once in controls]
        return ControlChances(controls, factors, variances, none, no_other)
