"""The formulas of the evaluation, written out for four sides.

Loops over the sides would take twice as long. The last two of four may be absent.
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
    ABSENT,
    LOGISTIC_SCALE,
    MIN_DEVIATION,
    MOST_SIDES,
    Arrivals,
    BySide,
    ControlChances,
    leader,
)


def control_chances(
    totals: Sequence[float], first: int | None, dominator: int | None, future: Arrivals
) -> ControlChances:
    """Return the chances to control an official after its future bribes.

    Args:
        totals: the value of the bribes of each side now.
        first: the side that controls the official now.
        dominator: the same side, if it dominates the official.
        future: the future bribes.
    """
    # A side's own further bribes do not end its domination.
    stays = future.none if dominator is None else future.no_other[dominator]
    c0 = c1 = c2 = c3 = 0.0
    if stays < 1:
        changes = 1 - stays
        t0, t1, t2, t3 = totals
        v0, v1, v2, v3 = future.values
        w0, w1, w2, w3 = win_probabilities(t0 + v0, t1 + v1, t2 + v2, t3 + v3, future.scale)
        c0, c1, c2, c3 = changes * w0, changes * w1, changes * w2, changes * w3
    if first == 0:
        c0 += stays
    elif first == 1:
        c1 += stays
    elif first == 2:
        c2 += stays
    elif first == 3:
        c3 += stays
    controls = (c0, c1, c2, c3)
    variances = (c0 - c0 * c0, c1 - c1 * c1, c2 - c2 * c2, c3 - c3 * c3)
    none = 1 - (c0 + c1 + c2 + c3)
    if dominator is None:
        return ControlChances(controls, controls, variances, none)
    once = controls[dominator]
    factor = once + stays
    variance = once + 3 * stays - factor * factor
    return ControlChances(
        controls,
        (*controls[:dominator], factor, *controls[dominator + 1 :]),
        (*variances[:dominator], variance, *variances[dominator + 1 :]),
        none,
    )


def country_points(points: int, officials: Sequence[ControlChances], vote_bonus: BySide) -> BySide:
    """Return the expected points of each side for a country.

    Args:
        points: what a side gets that controls it.
        officials: the chances to control its ace, king, queen and jack.
        vote_bonus: the extra votes, by side, of each controlled official.
    """
    ace, king, queen, jack = officials
    a0, a1, a2, a3 = ace.controls
    k0, k1, k2, k3 = king.controls
    q0, q1, q2, q3 = queen.controls
    j0, j1, j2, j3 = jack.controls
    af0, af1, af2, af3 = ace.factors
    kf0, kf1, kf2, kf3 = king.factors
    qf0, qf1, qf2, qf3 = queen.factors
    jf0, jf1, jf2, jf3 = jack.factors
    sides = len(vote_bonus)
    b0, b1, b2, b3 = (*vote_bonus, 0.0, 0.0)[:MOST_SIDES]
    # fmt: off
    votes0 = ((ACE * af0 + b0 * a0) + (KING * kf0 + b0 * k0)
              + (QUEEN * qf0 + b0 * q0) + (JACK * jf0 + b0 * j0))
    votes1 = ((ACE * af1 + b1 * a1) + (KING * kf1 + b1 * k1)
              + (QUEEN * qf1 + b1 * q1) + (JACK * jf1 + b1 * j1))
    votes2 = ((ACE * af2 + b2 * a2) + (KING * kf2 + b2 * k2)
              + (QUEEN * qf2 + b2 * q2) + (JACK * jf2 + b2 * j2)) if sides > 2 else ABSENT
    votes3 = ((ACE * af3 + b3 * a3) + (KING * kf3 + b3 * k3)
              + (QUEEN * qf3 + b3 * q3) + (JACK * jf3 + b3 * j3)) if sides > 3 else ABSENT
    # fmt: on
    deviation = _deviation(ace, king, queen, jack)
    if deviation < MIN_DEVIATION:
        first = leader((votes0, votes1, votes2, votes3))
        w0, w1, w2, w3 = float(first == 0), float(first == 1), float(first == 2), float(first == 3)
    else:
        w0, w1, w2, w3 = win_probabilities(
            votes0, votes1, votes2, votes3, LOGISTIC_SCALE * deviation
        )
    a, k, q, j = ace.none, king.none, queen.none, jack.none
    uncontrolled = a * k * q * j
    by_side = (
        points * (w0 + (a + a0) * (k + k0) * (q + q0) * (j + j0) - uncontrolled),
        points * (w1 + (a + a1) * (k + k1) * (q + q1) * (j + j1) - uncontrolled),
        points * (w2 + (a + a2) * (k + k2) * (q + q2) * (j + j2) - uncontrolled),
        points * (w3 + (a + a3) * (k + k3) * (q + q3) * (j + j3) - uncontrolled),
    )
    return by_side[:sides]


def _deviation(
    ace: ControlChances, king: ControlChances, queen: ControlChances, jack: ControlChances
) -> float:
    """Return the standard deviation of the votes."""
    a0, a1, a2, a3 = ace.variances
    k0, k1, k2, k3 = king.variances
    q0, q1, q2, q3 = queen.variances
    j0, j1, j2, j3 = jack.variances
    # fmt: off
    variance = (ACE_SQUARE * a0 + ACE_SQUARE * a1 + ACE_SQUARE * a2 + ACE_SQUARE * a3
                + KING_SQUARE * k0 + KING_SQUARE * k1 + KING_SQUARE * k2 + KING_SQUARE * k3
                + QUEEN_SQUARE * q0 + QUEEN_SQUARE * q1 + QUEEN_SQUARE * q2 + QUEEN_SQUARE * q3
                + JACK_SQUARE * j0 + JACK_SQUARE * j1 + JACK_SQUARE * j2 + JACK_SQUARE * j3)
    # fmt: on
    return sqrt(variance) if variance > 0 else 0.0


def win_probabilities(
    v0: float, v1: float, v2: float, v3: float, scale: float
) -> tuple[float, float, float, float]:
    """Return the probability of each value to be the maximum after random changes.

    `scale` is that of the logistic curve of the changes.
    """
    best = max(v0, v1, v2, v3)
    w0, w1 = exp((v0 - best) / scale), exp((v1 - best) / scale)
    w2, w3 = exp((v2 - best) / scale), exp((v3 - best) / scale)
    whole = w0 + w1 + w2 + w3
    return w0 / whole, w1 / whole, w2 / whole, w3 / whole
