"""Formulas that the guides of several games share: choices of seats, and leads in points."""
# compiled: see setup.py

import math
from collections.abc import Sequence


def choice_weights(
    values: Sequence[float], temperature: float, best: float | None = None
) -> list[float]:
    """Return how likely a seat chooses each action: exp((value - best) / temperature).

    Args:
        values: what each action is worth to the seat.
        temperature: the value that makes an action likelier by a factor of e.
        best: the value whose weight is 1; without it, the greatest of `values`.
    """
    if best is None:
        best = max(values)
    return [math.exp((value - best) / temperature) for value in values]


def choice_probability(
    values: Sequence[float], chosen: int, temperature: float, error_probability: float
) -> float:
    """Return the probability that a seat chooses the action at the place `chosen`.

    It chooses by `choice_weights`, but by chance with `error_probability`. So no action is
    impossible.
    """
    weights = choice_weights(values, temperature)
    share = weights[chosen] / sum(weights)
    return error_probability / len(values) + (1 - error_probability) * share


def chances_of_lead(points: Sequence[float], scale: float) -> list[float]:
    """Return for each side the mean chance to end with more points than another side.

    The difference of two sides has a logistic distribution around that of their `points`, with
    this `scale`.
    """
    others = len(points) - 1
    chances = []
    for own in points:
        # The side itself adds 0 to the sum.
        ahead = sum([math.tanh((own - other) / (2 * scale)) for other in points])
        chances.append(0.5 + ahead / (2 * others))
    return chances
