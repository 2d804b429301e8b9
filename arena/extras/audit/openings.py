"""Openings: does the first action of a game depend on who else sits at the table?

Opponents are anonymous, and before the first action no bot has shown anything. So an opening that
depends on the others shows that something outside the game tells the bot who they are. Nothing else
does: deals, seats and tables are drawn without regard to it. The test is a permutation test over
boards, which is exact.
"""

import math
import random
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from arena.extras.audit.situations import Decision

MIN_OPENINGS = 4
"""Openings with and without another bot, below which nothing is said of the pair."""
ENOUGH_EXCEEDED = 10
"""Permutations with a statistic as great, after which the p-value is exact enough."""
PARTS = 3
"""Parts in which the place of an action among the legal ones is divided."""

LegalKinds = tuple[str, ...]
"""The kinds of actions that are legal. Kinds are first words."""
OpeningKind = tuple[str, int]
"""The kind of an action, and the part of the legal actions of its kind that it is in."""


class Opening(NamedTuple):
    """An opening of a bot, and the bots with which it sat."""

    decision: Decision
    others: frozenset[str]


def opening_p_value(
    openings: Sequence[Opening], other: str, least: float, rng: random.Random
) -> float:
    """Return the p-value of the openings of a bot having nothing to do with `other`.

    Permutations are drawn until the value is known well enough, or clearly below `least`.
    """
    seen = [(_legal_kinds(opening.decision), _choice(opening.decision)) for opening in openings]
    together = [index for index, opening in enumerate(openings) if other in opening.others]
    statistic = _Statistic(seen)
    observed = statistic.value(together)
    exceeded = 0
    permutations = math.ceil(2 / least)
    for number in range(1, permutations + 1):
        drawn = rng.sample(range(len(seen)), len(together))
        exceeded += statistic.value(drawn) >= observed - 1e-9
        if exceeded == ENOUGH_EXCEEDED:
            return exceeded / number
    return (1 + exceeded) / (1 + permutations)


class _Statistic:
    """The sum over situations of Pearson's chi-squared, between choice and some of the openings."""

    def __init__(self, seen: Sequence[tuple[LegalKinds, OpeningKind]]) -> None:
        numbers = {action: index for index, action in enumerate(dict.fromkeys(seen))}
        situations = {situation: index for index, (situation, _) in enumerate(numbers)}
        self._cell_of = [numbers[opening] for opening in seen]
        self._situation_of = [situations[situation] for situation, _ in numbers]
        counts = Counter(self._cell_of)
        self._cells = [counts[index] for index in range(len(numbers))]
        self._totals = [0] * len(numbers)
        for situation, count in zip(self._situation_of, self._cells, strict=True):
            self._totals[situation] += count

    def value(self, chosen: Sequence[int]) -> float:
        """Return the statistic of the openings with the indices `chosen`."""
        found = [0] * len(self._cells)
        within = [0] * len(self._cells)
        for index in chosen:
            cell = self._cell_of[index]
            found[cell] += 1
            within[self._situation_of[cell]] += 1
        total = 0.0
        for cell, (own, count) in enumerate(zip(found, self._cells, strict=True)):
            situation = self._situation_of[cell]
            part, whole = within[situation], self._totals[situation]
            if 0 < part < whole:
                excess = own - count * part / whole
                total += excess * excess * whole * whole / (count * part * (whole - part))
        return total


def _legal_kinds(decision: Decision) -> LegalKinds:
    return tuple(sorted({action.partition(" ")[0] for action in decision.legal}))


def _choice(decision: Decision) -> OpeningKind:
    kind = decision.action.partition(" ")[0]
    alike = sorted([action for action in decision.legal if action.partition(" ")[0] == kind])
    return kind, PARTS * alike.index(decision.action) // len(alike)
