"""Softmax and other probability formulas that several bots use."""
# compiled: see setup.py

import math
from collections.abc import Sequence


def choice_weights(
    values: Sequence[float], temperature: float, best: float | None = None
) -> list[float]:
    """Return the softmax weight of each action: exp((value - best) / temperature).

    By default, `best` is the highest value.
    """
    if best is None:
        best = max(values)
    return [math.exp((value - best) / temperature) for value in values]


def choice_probability(
    values: Sequence[float], chosen: int, temperature: float, error_probability: float
) -> float:
    """Return the probability that a player chooses a given action.

    `chosen` is the index of the action. The player chooses a random action with probability
    `error_probability`, and otherwise samples an action from a softmax distribution.
    """
    weights = choice_weights(values, temperature)
    share = weights[chosen] / sum(weights)
    return error_probability / len(values) + (1 - error_probability) * share


def chances_of_lead(points: Sequence[float], scale: float) -> list[float]:
    """Return each side's probability of finishing ahead of an opponent, averaged over its
    opponents.

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
