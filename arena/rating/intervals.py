"""Compute means with 95% intervals from Student's t-distribution."""

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

# -- Student's t, by the continued fraction of the incomplete beta function ------------------------


# Importing SciPy, which has this distribution, would take seconds.
_TINY = 1e-300
_PRECISION = 4e-16
_MAX_TERMS = 10_000
_MAX_STEPS = 100
_LARGE = 1e4


def upper_tail(t: float, degrees: float) -> float:
    """Return P(T > t) for Student's t-distribution."""
    half = _positive_tail(t * t, degrees)
    return half if t >= 0 else 1 - half


@lru_cache(maxsize=1 << 14)  # tables compute each value twice
def _positive_tail(square: float, degrees: float) -> float:
    a, x, rest = degrees / 2, degrees / (degrees + square), square / (degrees + square)
    front = math.exp(a * math.log(x) - _log_beta(a)) * math.sqrt(rest) if rest else 0.0
    if x > (a + 1) / (a + 2.5):  # the continued fraction converges faster for the complement
        return 0.5 - front * _beta_fraction(0.5, a, rest)
    return front / (2 * a) * _beta_fraction(a, 0.5, x)


@lru_cache(maxsize=4096)
def quantile(probability: float, degrees: float) -> float:
    """Return the quantile of Student's t-distribution for a probability in [0.5, 1)."""
    tail = 1 - probability
    low, high = 0.0, 1.0
    while upper_tail(high, degrees) > tail:
        low, high = high, 2 * high
    t = (low + high) / 2
    for _ in range(_MAX_STEPS):
        excess = upper_tail(t, degrees) - tail
        low, high = (t, high) if excess > 0 else (low, t)
        step = t + excess / _density(t, degrees)  # Newton's method
        if abs(step - t) <= _PRECISION * t:
            return step
        t = step if low < step < high else (low + high) / 2
    return t


def _density(t: float, degrees: float) -> float:
    fall = (degrees + 1) / 2 * math.log1p(t * t / degrees)
    return math.exp(-fall - _log_beta(degrees / 2)) / math.sqrt(degrees)


def _log_beta(a: float) -> float:
    # Above the limit, subtracting large logarithms would lose digits.
    if a < _LARGE:
        return math.lgamma(a) + math.lgamma(0.5) - math.lgamma(a + 0.5)
    return math.lgamma(0.5) - 0.5 * math.log(a) + 1 / (8 * a) - 1 / (192 * a**3)


def _beta_fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1 / _apart_from_0(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _MAX_TERMS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _apart_from_0(1 + term * d)
            c = _apart_from_0(1 + term / c)
            value *= d * c
        if abs(d * c - 1) < _PRECISION:
            break
    return value


def _apart_from_0(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


# -- estimates -------------------------------------------------------------------------------------


CONFIDENCE, ALPHA = 0.95, 0.05
MIN_DEGREES = 2.0


class Estimate(NamedTuple):
    """A mean, or a difference of means, with its standard error and degrees of freedom."""

    mean: float
    error: float
    degrees: float

    @property
    def is_known(self) -> bool:
        return self.degrees >= MIN_DEGREES

    @property
    def doubt(self) -> float:
        """The one-sided p-value for the null hypothesis that the mean or difference is 0."""
        return upper_tail(self.mean / self.error, self.degrees)

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        half = quantile((1 + confidence) / 2, self.degrees) * self.error
        return self.mean - half, self.mean + half


def share_interval(share: Estimate | None, boards: int) -> tuple[float, float] | None:
    """Return the Wilson score interval of an estimated proportion. If there is no estimate, return
    None.
    """
    if share is None:
        return None
    mean = min(1.0, max(0.0, share.mean))
    spread = mean * (1 - mean)
    variance = share.error * share.error
    # The number of independent games that would have this standard error.
    games = spread / variance if variance and spread else float(boards)
    square = quantile((1 + CONFIDENCE) / 2, share.degrees) ** 2 / games
    centre = (mean + square / 2) / (1 + square)
    half = math.sqrt(square * spread + square * square / 4) / (1 + square)
    return max(0.0, centre - half), min(1.0, centre + half)


def combine(parts: Iterable[tuple[float, Estimate | None]]) -> Estimate | None:
    """Return the weighted mean of independent estimates, or None if an estimate is None."""
    known = [(weight, estimate) for weight, estimate in parts if weight]
    whole = math.fsum([weight for weight, _ in known])
    means, squares, per_degree = [], [], []
    for weight, part in known:
        if part is None:
            return None
        share = weight / whole
        square = (share * part.error) ** 2
        means.append(share * part.mean)
        squares.append(square)
        per_degree.append(square * square / part.degrees)
    if not known:
        return None
    variance, lost = math.fsum(squares), math.fsum(per_degree)
    degrees = variance * variance / lost if lost else min(part.degrees for _, part in known if part)
    return Estimate(math.fsum(means), math.sqrt(variance), degrees)
