"""Formulas that the search guides of several games share."""
# compiled: see setup.py

import math
from collections.abc import Sequence


def choice_weights(
    values: Sequence[float], temperature: float, best: float | None = None
) -> list[float]:
    """Return exp((value - best) / temperature) for each action, with max(values) as default of
    `best`.
    """
    if best is None:
        best = max(values)
    return [math.exp((value - best) / temperature) for value in values]


def choice_probability(
    values: Sequence[float], chosen: int, temperature: float, error_probability: float
) -> float:
    """Return the probability that a seat chooses the action with index `chosen`.

    With probability `error_probability`, the seat chooses at random. Otherwise, the
    probabilities are proportional to `choice_weights`.
    """
    weights = choice_weights(values, temperature)
    share = weights[chosen] / sum(weights)
    return error_probability / len(values) + (1 - error_probability) * share


def chances_of_lead(points: Sequence[float], scale: float) -> list[float]:
    """Return each side's probability of finishing ahead of another side, averaged over all others.

    The difference between two sides' final points is assumed to have a logistic distribution,
    centred on the current difference.
    """
    others = len(points) - 1
    chances = []
    for own in points:
        # The side itself adds 0 to the sum.
        ahead = sum([math.tanh((own - other) / (2 * scale)) for other in points])
        chances.append(0.5 + ahead / (2 * others))
    return chances
