"""Near copies: pairs of bots that decide alike where others decide otherwise."""

import math
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from arena.extras.audit.gains import Pair
from arena.extras.audit.situations import Situation

MIN_SITUATIONS = 10
"""Situations of a pair in which others decided otherwise, below which nothing is said of it."""


class Agreement(NamedTuple):
    """How often two bots decided alike in situations that both were in."""

    alike: int
    situations: int
    """Only those in which not all bots decided alike."""
    later_alike: int
    later: int
    """Situations after the first decision of a game, also those in which all decided alike."""
    usual: float
    """The share of `situations` in which other pairs of bots decided alike."""
    p_value: float
    """The probability that a pair that decides alike as often as usual does so as often."""


def agreements(situations: Iterable[Situation]) -> dict[Pair, Agreement]:
    """Return the agreement of each pair of bots that was in enough situations.

    Only situations with at least three bots that did not all decide alike count, since to agree
    there tells something.
    """
    alike: Counter[Pair] = Counter()
    both: Counter[Pair] = Counter()
    later_alike: Counter[Pair] = Counter()
    later: Counter[Pair] = Counter()
    for is_first, actions in situations:
        tells = len(actions) > 2 and len(set(actions.values())) > 1
        for pair in combinations(sorted(actions), 2):
            agree = actions[pair[0]] == actions[pair[1]]
            both[pair] += tells
            alike[pair] += tells and agree
            later[pair] += not is_first
            later_alike[pair] += agree and not is_first
    found = {}
    for pair, number in both.items():
        rest = both.total() - number
        if number >= MIN_SITUATIONS and rest:
            usual = (alike.total() - alike[pair] + 1) / (rest + 2)  # never 0 or 1
            p_value = _binomial_tail(alike[pair], number, usual)
            found[pair] = Agreement(
                alike[pair], number, later_alike[pair], later[pair], usual, p_value
            )
    return found


def _binomial_tail(successes: int, trials: int, probability: float) -> float:
    """Return the probability of at least this number of successes."""
    return math.fsum(
        [
            math.comb(trials, count) * probability**count * (1 - probability) ** (trials - count)
            for count in range(successes, trials + 1)
        ]
    )
