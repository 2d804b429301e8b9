"""Probabilities to control an official of Bribery at the end of the game."""
# compiled: see setup.py

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import msgspec

from bots.bribery.board import Pile
from bots.bribery.cards import BRIBES

MEAN: Final = sum(BRIBES.values()) / len(BRIBES)
MEAN_SQUARE: Final = sum([value * value for value in BRIBES.values()]) / len(BRIBES)
LOGISTIC_SCALE: Final = 0.6
"""The scale of the logistic curve that is closest to the standard normal distribution."""
MIN_DEVIATION: Final = 0.001
"""A smaller standard deviation counts as none."""

MOST_SIDES: Final = 4
"""The number of sides for which the formulas are written out; some may be absent."""
BySide = tuple[float, ...]


class Future(NamedTuple):
    """The bribes that are still to be played. They are assumed to go to random open places."""

    rate: float
    """The expected number for each open suit of an official."""
    shares: BySide
    """The part of them that each side plays."""


class ControlChances(msgspec.Struct, gc=False):
    """The expected control of an official at the end, by side."""

    controls: Sequence[float]
    """The probability to control it."""
    factors: Sequence[float]
    """The expected factor of its control, which is 2 for a side that dominates it."""
    variances: Sequence[float]
    """The variance of that factor."""
    none: float
    """The probability that no side controls it."""


ABSENT: Final = -math.inf
"""The value of a side that is not there, which never wins."""


class Arrivals(msgspec.Struct, gc=False):
    """The future bribes on an official, given the number of its open suits."""

    none: float
    """The probability that no bribe arrives."""
    no_other: BySide
    """The probability, by side, that no bribe of another side arrives."""
    values: BySide
    """The expected value that arrives for each side, if any bribe arrives.

    Those of absent sides follow.
    """
    scale: float
    """The scale of the logistic curve of that value."""


def arrivals(suits: int, future: Future) -> Arrivals:
    """Return the future bribes on an official with a number of open suits."""
    number, shares = future.rate * suits, future.shares
    none = math.exp(-number)
    if none == 1:
        nothing = (0.0,) * len(shares)
        return Arrivals(none, (1.0,) * len(shares), nothing, 0.0)
    no_other = tuple([math.exp(-number * (1 - share)) for share in shares])
    some = number / (1 - none)  # the expected number, if there is any
    values = tuple([some * MEAN * share for share in shares])
    values += (ABSENT,) * (MOST_SIDES - len(shares))
    return Arrivals(none, no_other, values, LOGISTIC_SCALE * math.sqrt(some * MEAN_SQUARE))


def leader(values: Sequence[float]) -> int | None:
    """Return the place of the unique positive maximum of `values`, or None if there is none."""
    best = max(values)
    return values.index(best) if best > 0 and values.count(best) == 1 else None


class Control:
    """The chances to control officials at the end of the game. Results are cached."""

    def __init__(
        self,
        chances_of: Callable[..., ControlChances],
        future: Sequence[Arrivals],
        value_bonus: BySide,
    ) -> None:
        """Start with nothing cached.

        Args:
            chances_of: `formulas.control_chances`.
            future: the future bribes on an official, by number of its open suits.
            value_bonus: the extra value, by side, of each bribe.
        """
        zero = (0.0,) * len(value_bonus)
        self._chances_of = chances_of
        self._future = future
        self._value_bonus = value_bonus
        self.known: dict[Pile | None, ControlChances] = {
            None: ControlChances(zero, zero, zero, 1.0)  # out of play
        }
        """The chances that were asked for before."""

    def chances(self, pile: Pile | None) -> ControlChances:
        """Return the chances to control an official with these bribes on it."""
        return self.known.get(pile) or self.add_chances(pile)

    def add_chances(self, pile: Pile | None) -> ControlChances:
        """Compute the chances to control an official, which are not known yet."""
        assert pile is not None, "known from the start"
        bonus = self._value_bonus
        totals = [0.0] * len(bonus)
        for side, value in pile.values:
            totals[side] += value + bonus[side]
        dominator = pile.only_side
        first = leader(totals) if dominator is None and pile.values else dominator
        future = self._future[pile.places]
        found = self.known[pile] = self._chances_of(totals, first, dominator, future)
        return found
