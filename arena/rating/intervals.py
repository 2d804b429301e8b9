"""Estimates of means with their standard errors, and 95 % intervals."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from arena.rating.student_t import quantile

CONFIDENCE = 0.95


class Estimate(NamedTuple):
    """A mean, its standard error, and the degrees of freedom of that error."""

    mean: float
    error: float
    degrees: float

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the bounds of the t-interval."""
        half = quantile((1 + confidence) / 2, self.degrees) * self.error
        return self.mean - half, self.mean + half


def share_interval(share: Estimate | None, boards: int) -> tuple[float, float] | None:
    """Return Wilson's interval of a share, which stays between 0 and 1.

    Its number of trials is that of independent games with the same standard error. For a share
    that never varied it is the number of `boards`.
    """
    if share is None:
        return None
    mean = min(1.0, max(0.0, share.mean))
    spread = mean * (1 - mean)
    variance = share.error * share.error
    games = spread / variance if variance and spread else float(boards)
    square = quantile((1 + CONFIDENCE) / 2, share.degrees) ** 2 / games
    centre = (mean + square / 2) / (1 + square)
    half = math.sqrt(square * spread + square * square / 4) / (1 + square)
    return max(0.0, centre - half), min(1.0, centre + half)


def combine(parts: Iterable[tuple[float, Estimate | None]]) -> Estimate | None:
    """Return the weighted mean of independent estimates, or None if one is missing.

    The degrees of freedom are those of Welch and Satterthwaite.
    """
    known = [(weight, one) for weight, one in parts if weight]
    whole = math.fsum([weight for weight, _ in known])
    means, squares, per_degree = [], [], []
    for weight, one in known:
        if one is None:
            return None
        share = weight / whole
        square = (share * one.error) ** 2
        means.append(share * one.mean)
        squares.append(square)
        per_degree.append(square * square / one.degrees)
    if not known:
        return None
    variance, lost = math.fsum(squares), math.fsum(per_degree)
    degrees = variance * variance / lost if lost else min(one.degrees for _, one in known if one)
    return Estimate(math.fsum(means), math.sqrt(variance), degrees)
