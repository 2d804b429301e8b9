"""Compute TrueSkill ratings with NumPy.

The class `BoardGraphs` computes exactly the same ratings as `TrueSkill.rate` in the package
`trueskill`, but uses NumPy arrays and is therefore much faster. The standard normal distribution
is computed with the C math library, because the implementation in `trueskill` is only accurate
to seven digits.

A normal distribution is stored as two parameters: the precision `pi`, and `tau`, the precision
times the mean. Normal distributions are multiplied by adding their parameters. A distribution
with precision 0 contains no information.
"""

from collections.abc import Callable, Sequence
from itertools import islice, pairwise
from math import erfc, exp, pi, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""An array with one entry per board."""
SQRT_2, SQRT_2_PI = sqrt(2), sqrt(2 * pi)


class Normal(NamedTuple):
    pi: Floats
    tau: Floats

    def times(self, other: "Normal") -> "Normal":
        """Multiply normal distributions."""
        return Normal(self.pi + other.pi, self.tau + other.tau)

    def without(self, other: "Normal") -> "Normal":
        """Divide normal distributions."""
        return Normal(self.pi - other.pi, self.tau - other.tau)

    def moved(self, by: Floats) -> "Normal":
        return Normal(self.pi, self.tau + self.pi * by)

    @property
    def mean(self) -> Floats:
        return np.divide(self.tau, self.pi, out=np.zeros_like(self.pi), where=self.pi != 0)


def probabilities(x: Floats) -> Floats:
    """Return the standard normal cumulative distribution function at each `x`."""
    return _each(erfc, -x / SQRT_2) / 2


def densities(x: Floats) -> Floats:
    """Return the standard normal density at each `x`."""
    return _each(exp, -x * x / 2) / SQRT_2_PI


def _each(function: Callable[[float], float], values: Floats) -> Floats:
    return np.fromiter(map(function, values.tolist()), np.float64, len(values))


def _of_one(function: Callable[[Floats], Floats]) -> Callable[[float], float]:
    return lambda x: float(function(np.array([x]))[0])


BACKEND = _of_one(probabilities), _of_one(densities), NormalDist().inv_cdf


class BoardGraphs:
    """Factor graphs for computing TrueSkill ratings. All boards must have the same team sizes."""

    def __init__(self, sizes: Sequence[int], is_tied: NDArray[np.bool_], beta: float) -> None:
        """Create graphs without messages.

        `sizes` contains the number of members of each side, best side first. `is_tied` has one
        row for each pair of neighbouring sides and one column for each board. `beta` is the
        standard deviation of a member's performance.
        """
        self._sides = [_Side(size, is_tied.shape[1], beta**2) for size in sizes]
        self._gaps = [
            _Gap(better, worse, tied)
            for (better, worse), tied in zip(pairwise(self._sides), is_tied, strict=True)
        ]
        self._means: Floats | None = None

    def set_skills(self, skills: Normal, margins: Sequence[Floats]) -> None:
        coming = map(Normal, skills.pi, skills.tau)
        skills_of_sides = [[*islice(coming, side.size)] for side in self._sides]
        means = np.mean([skill.mean for side in skills_of_sides for skill in side], axis=0)
        moved, self._means = means - (means if self._means is None else self._means), means
        for side, own in zip(self._sides, skills_of_sides, strict=True):
            side.set_skills(own, moved)
        for gap, margin in zip(self._gaps, margins, strict=True):
            gap.set_skills(moved, margin)

    def pass_messages(self) -> Floats:
        gaps = self._gaps
        changes = [gap.compare() for gap in gaps if len(gaps) == 1]
        for gap in gaps[:-1]:
            changes.append(gap.compare())
            gap.send_to_worse()
        for gap in gaps[:0:-1]:
            changes.append(gap.compare())
            gap.send_to_better()
        found: Floats = np.maximum.reduce(changes)
        return found

    def messages(self) -> Normal:
        self._gaps[0].send_to_better()
        self._gaps[-1].send_to_worse()
        found = [message for side in self._sides for message in side.messages()]
        return Normal(*[np.array(part) for part in zip(*found, strict=True)])


class _Side:
    def __init__(self, size: int, boards: int, variance: float) -> None:
        self.size = size
        self._variance = variance
        self.value = self._own = Normal(np.zeros(boards), np.zeros(boards))
        self._members: list[Normal] = []

    def set_skills(self, skills: Sequence[Normal], moved: Floats) -> None:
        received = self.value.without(self._own).moved(self.size * moved)
        mean = variance = np.zeros_like(received.pi)
        self._members = []
        for skill in skills:
            share = 1.0 / (1.0 + self._variance * skill.pi)
            member = Normal(share * skill.pi, share * skill.tau)
            self._members.append(member)
            mean = mean + member.tau / member.pi
            variance = variance + 1.0 / member.pi
        own_pi = 1.0 / variance
        self._own = Normal(own_pi, own_pi * mean)
        self.value = self._own.times(received)

    def messages(self) -> list[Normal]:
        side = self.value.without(self._own)
        side_mean, side_variance = side.mean, 1.0 / side.pi
        others = [(member.tau / member.pi, 1.0 / member.pi) for member in self._members]
        found = []
        for place, own in enumerate(self._members):
            mean = variance = np.zeros_like(side_mean)
            for other, (other_mean, other_variance) in enumerate(others):
                mean = mean + (side_mean if other == place else -other_mean)
                variance = variance + (side_variance if other == place else other_variance)
            message_pi = 1.0 / variance
            message = Normal(message_pi, message_pi * mean)
            value = own.times(message)
            # Dividing by a message doesn't exactly undo multiplying by it.
            rest = value.without(message)
            others[place] = rest.tau / rest.pi, 1.0 / rest.pi
            outgoing = value.without(own)
            share = 1.0 / (1.0 + self._variance * outgoing.pi)
            found.append(Normal(share * outgoing.pi, share * outgoing.tau))
        return found


class _Gap:
    def __init__(self, better: _Side, worse: _Side, is_tied: NDArray[np.bool_]) -> None:
        self._better, self._worse = better, worse
        self._tied, self._decided = np.flatnonzero(is_tied), np.flatnonzero(~is_tied)
        self.margin = nothing = np.zeros(len(is_tied))
        self._value = self._from_sides = self._from_result = Normal(nothing, nothing)
        self._to_better = self._to_worse = self._value

    def set_skills(self, moved: Floats, margin: Floats) -> None:
        self.margin = margin
        self._to_better = self._to_better.moved(self._better.size * moved)
        self._to_worse = self._to_worse.moved(self._worse.size * moved)

    def compare(self) -> Floats:
        one = self._better.value.without(self._to_better)
        other = self._worse.value.without(self._to_worse)
        message = _normal(_together(one.pi, other.pi), one.mean - other.mean)
        value = self._value.without(self._from_sides).times(message)
        self._from_sides = message

        rest = value.without(self._from_result)
        root = np.sqrt(rest.pi)
        v, w = self._change(rest.tau / root, self.margin * root)
        self._value = Normal(rest.pi / (1.0 - w), (rest.tau + root * v) / (1.0 - w))
        self._from_result = self._value.times(self._from_result).without(value)
        change = value.without(self._value)
        return np.maximum(np.abs(change.tau), np.sqrt(np.abs(change.pi)))

    def _change(self, gap: Floats, margin: Floats) -> tuple[Floats, Floats]:
        # `v` and `w` are the functions of the same names in the TrueSkill paper.
        v, w = np.zeros_like(gap), np.zeros_like(gap)
        if len(own := self._decided):
            x = gap[own] - margin[own]
            v[own] = v_own = densities(x) / probabilities(x)
            w[own] = v_own * (v_own + x)
        if len(own := self._tied):
            apart = np.abs(gap[own])
            above, below = margin[own] - apart, -margin[own] - apart
            inside = probabilities(above) - probabilities(below)
            high, low = densities(above), densities(below)
            v_own = (low - high) / inside
            v[own] = np.where(gap[own] < 0, -v_own, v_own)
            w[own] = _each(lambda one: one**2, v_own) + (above * high - below * low) / inside
        sound = (w > 0) & (w < 1)
        return np.where(sound, v, 0.0), np.where(sound, w, 0.0)

    def send_to_worse(self) -> None:
        one = self._better.value.without(self._to_better)
        gap = self._value.without(self._from_sides)
        message = _normal(_together(one.pi, gap.pi), one.mean - gap.mean)
        self._worse.value = self._worse.value.without(self._to_worse).times(message)
        self._to_worse = message

    def send_to_better(self) -> None:
        other = self._worse.value.without(self._to_worse)
        gap = self._value.without(self._from_sides)
        message = _normal(_together(gap.pi, other.pi), gap.mean + other.mean)
        self._better.value = self._better.value.without(self._to_better).times(message)
        self._to_better = message


def _normal(precision: Floats, mean: Floats) -> Normal:
    return Normal(precision, precision * mean)


def _together(precision: Floats, other: Floats) -> Floats:
    return 1.0 / (1.0 / precision + 1.0 / other)
