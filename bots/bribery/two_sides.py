"""The formulas of the evaluation, written out for two sides.

The numbers are the same as those for any number of sides, in half of the time.
"""

import math
from collections.abc import Sequence

from bots.bribery.cards import VOTES
from bots.bribery.control import (
    LOGISTIC_SCALE,
    MIN_DEVIATION,
    Arrivals,
    BySide,
    ControlChances,
    leader,
)

ACE, KING, QUEEN, JACK = VOTES.values()
ACE_SQUARE, KING_SQUARE, QUEEN_SQUARE, JACK_SQUARE = [votes * votes for votes in VOTES.values()]


def chances_of_two(
    totals: Sequence[float], first: int | None, dominator: int | None, future: Arrivals
) -> ControlChances:
    """Return what `control.chances_after` returns for two sides."""
    stays = future.none if dominator is None else future.no_other[dominator]
    own = other = 0.0
    if stays < 1:
        own_total, other_total = totals
        own_value, other_value = future.values
        own, other = odds(own_total + own_value, other_total + other_value, future.scale)
        changes = 1 - stays
        own *= changes
        other *= changes
    if first == 0:
        own += stays
    elif first == 1:
        other += stays
    none = 1 - (own + other)
    controls = own, other
    own_variance, other_variance = own - own * own, other - other * other
    if dominator is None:
        return ControlChances(controls, controls, (own_variance, other_variance), none)
    factor = controls[dominator] + stays
    variance = controls[dominator] + 3 * stays - factor * factor
    if dominator == 0:
        return ControlChances(controls, (factor, other), (variance, other_variance), none)
    return ControlChances(controls, (own, factor), (own_variance, variance), none)


def country_points_of_two(
    points: int, officials: Sequence[ControlChances], vote_bonus: BySide
) -> BySide:
    """Return what `evaluation.country_points` returns for two sides."""
    ace, king, queen, jack = officials
    (a0, a1), (k0, k1), (q0, q1), (j0, j1) = (
        *(ace.controls, king.controls, queen.controls, jack.controls),
    )
    (af0, af1), (kf0, kf1), (qf0, qf1), (jf0, jf1) = (
        *(ace.factors, king.factors, queen.factors, jack.factors),
    )
    (av0, av1), (kv0, kv1), (qv0, qv1), (jv0, jv1) = (
        *(ace.variances, king.variances, queen.variances, jack.variances),
    )
    a, k, q, j = ace.none, king.none, queen.none, jack.none
    b0, b1 = vote_bonus
    # fmt: off
    votes0 = ((ACE * af0 + b0 * a0) + (KING * kf0 + b0 * k0)
              + (QUEEN * qf0 + b0 * q0) + (JACK * jf0 + b0 * j0))
    votes1 = ((ACE * af1 + b1 * a1) + (KING * kf1 + b1 * k1)
              + (QUEEN * qf1 + b1 * q1) + (JACK * jf1 + b1 * j1))
    variance = (ACE_SQUARE * av0 + ACE_SQUARE * av1 + KING_SQUARE * kv0 + KING_SQUARE * kv1
                + QUEEN_SQUARE * qv0 + QUEEN_SQUARE * qv1 + JACK_SQUARE * jv0 + JACK_SQUARE * jv1)
    # fmt: on
    deviation = math.sqrt(variance) if variance > 0 else 0.0
    if deviation < MIN_DEVIATION:
        first = leader((votes0, votes1))
        win0, win1 = float(first == 0), float(first == 1)
    else:
        win0, win1 = odds(votes0, votes1, LOGISTIC_SCALE * deviation)
    uncontrolled = a * k * q * j
    return (
        points * (win0 + (a + a0) * (k + k0) * (q + q0) * (j + j0) - uncontrolled),
        points * (win1 + (a + a1) * (k + k1) * (q + q1) * (j + j1) - uncontrolled),
    )


def odds(one: float, other: float, scale: float) -> tuple[float, float]:
    """Return the probabilities of two values to be the greater one after random changes."""
    if one > other:
        weight = math.exp((other - one) / scale)
        whole = 1 + weight
        return 1 / whole, weight / whole
    weight = math.exp((one - other) / scale)
    whole = weight + 1
    return weight / whole, 1 / whole
