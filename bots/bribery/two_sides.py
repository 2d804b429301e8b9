"""The formulas of the evaluation, written out for two sides.

They are those of `four_sides`, in half of its time. Half of the variants have two sides.
"""
# compiled: see setup.py

from collections.abc import Sequence
from math import exp, sqrt

from bots.bribery.cards import (
    ACE,
    ACE_SQUARE,
    JACK,
    JACK_SQUARE,
    KING,
    KING_SQUARE,
    QUEEN,
    QUEEN_SQUARE,
)
from bots.bribery.control import (
    LOGISTIC_SCALE,
    MIN_DEVIATION,
    Arrivals,
    BySide,
    ControlChances,
    leader,
)


def control_chances(
    totals: Sequence[float], first: int | None, dominator: int | None, future: Arrivals
) -> ControlChances:
    """Return the chances to control an official: see `four_sides`."""
    # A side's own further bribes do not end its domination.
    stays = future.none if dominator is None else future.no_other[dominator]
    c0 = c1 = 0.0
    if stays < 1:
        changes = 1 - stays
        t0, t1 = totals
        v0, v1 = future.values
        w0, w1 = win_probabilities(t0 + v0, t1 + v1, future.scale)
        c0, c1 = changes * w0, changes * w1
    if first == 0:
        c0 += stays
    elif first == 1:
        c1 += stays
    controls = (c0, c1)
    variances = (c0 - c0 * c0, c1 - c1 * c1)
    none = 1 - (c0 + c1)
    if dominator is None:
        return ControlChances(controls, controls, variances, none)
    once = controls[dominator]
    factor = once + stays
    variance = once + 3 * stays - factor * factor
    if dominator == 0:
        return ControlChances(controls, (factor, c1), (variance, variances[1]), none)
    return ControlChances(controls, (c0, factor), (variances[0], variance), none)


def country_points(points: int, officials: Sequence[ControlChances], vote_bonus: BySide) -> BySide:
    """Return the expected points of each side for a country: see `four_sides`."""
    ace, king, queen, jack = officials
    a0, a1 = ace.controls
    k0, k1 = king.controls
    q0, q1 = queen.controls
    j0, j1 = jack.controls
    af0, af1 = ace.factors
    kf0, kf1 = king.factors
    qf0, qf1 = queen.factors
    jf0, jf1 = jack.factors
    b0, b1 = vote_bonus
    # fmt: off
    votes0 = ((ACE * af0 + b0 * a0) + (KING * kf0 + b0 * k0)
              + (QUEEN * qf0 + b0 * q0) + (JACK * jf0 + b0 * j0))
    votes1 = ((ACE * af1 + b1 * a1) + (KING * kf1 + b1 * k1)
              + (QUEEN * qf1 + b1 * q1) + (JACK * jf1 + b1 * j1))
    # fmt: on
    deviation = _deviation(ace, king, queen, jack)
    if deviation < MIN_DEVIATION:
        first = leader((votes0, votes1))
        w0, w1 = float(first == 0), float(first == 1)
    else:
        w0, w1 = win_probabilities(votes0, votes1, LOGISTIC_SCALE * deviation)
    a, k, q, j = ace.none, king.none, queen.none, jack.none
    uncontrolled = a * k * q * j
    return (
        points * (w0 + (a + a0) * (k + k0) * (q + q0) * (j + j0) - uncontrolled),
        points * (w1 + (a + a1) * (k + k1) * (q + q1) * (j + j1) - uncontrolled),
    )


def _deviation(
    ace: ControlChances, king: ControlChances, queen: ControlChances, jack: ControlChances
) -> float:
    """Return the standard deviation of the votes."""
    a0, a1 = ace.variances
    k0, k1 = king.variances
    q0, q1 = queen.variances
    j0, j1 = jack.variances
    # fmt: off
    variance = (ACE_SQUARE * a0 + ACE_SQUARE * a1
                + KING_SQUARE * k0 + KING_SQUARE * k1
                + QUEEN_SQUARE * q0 + QUEEN_SQUARE * q1
                + JACK_SQUARE * j0 + JACK_SQUARE * j1)
    # fmt: on
    return sqrt(variance) if variance > 0 else 0.0


def win_probabilities(v0: float, v1: float, scale: float) -> tuple[float, float]:
    """Return the probability of each value to be the greater one after random changes."""
    best = max(v0, v1)
    w0, w1 = exp((v0 - best) / scale), exp((v1 - best) / scale)
    whole = w0 + w1
    return w0 / whole, w1 / whole
