"""Openings: does the first action of a game depend on who else sits at the table?

Opponents are anonymous, and before the first action nobody has shown anything. So an opening that
depends on the others shows that something outside the game tells the bot who they are. Nothing else
does: deals, seats and tables are drawn without regard to it. The test is a permutation test over
boards, which is exact.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from arena.rating.audit.situations import Decision

MAX_PERMUTATIONS = 50_000
ENOUGH_EXCEEDED = 10
"""Permutations with a greater statistic after which the p-value is exact enough."""
MIN_OPENINGS = 4
"""Openings with and without another bot, below which nothing is said of the pair."""
PARTS = 3
"""Parts in which the place of an action among the legal ones is divided."""


class Opening(NamedTuple):
    """An opening of a bot, and the bots with which it sat."""

    decision: Decision
    others: frozenset[str]


def opening_p_value(openings: Sequence[Opening], other: str, rng: random.Random) -> float:
    """Return the p-value of the openings of a bot having nothing to do with `other`."""
    classes = [_situation(one.decision) for one in openings]
    choices = [_choice(one.decision) for one in openings]
    present = [other in one.others for one in openings]
    observed = _statistic(classes, choices, present)
    if not observed:
        return 1.0
    exceeded = 0
    for number in range(1, MAX_PERMUTATIONS + 1):
        rng.shuffle(present)
        exceeded += _statistic(classes, choices, present) >= observed * (1 - 1e-12)
        if exceeded == ENOUGH_EXCEEDED:
            return exceeded / number
    return (1 + exceeded) / (1 + MAX_PERMUTATIONS)


def _situation(decision: Decision) -> tuple[str, ...]:
    """Return the kinds of actions that were legal. Kinds are first words."""
    return tuple(sorted({action.partition(" ")[0] for action in decision.legal}))


def _choice(decision: Decision) -> tuple[str, int]:
    """Return the kind of the action, and the part of the legal actions of its kind it is in."""
    kind = decision.action.partition(" ")[0]
    alike = sorted([one for one in decision.legal if one.partition(" ")[0] == kind])
    return kind, PARTS * alike.index(decision.action) // len(alike)


def _statistic(
    classes: Sequence[tuple[str, ...]],
    choices: Sequence[tuple[str, int]],
    present: Sequence[bool],
) -> float:
    """Return the sum over the classes of Pearson's chi-squared between choice and presence."""
    cells: dict[tuple[str, ...], Counter[tuple[tuple[str, int], bool]]] = defaultdict(Counter)
    for one, choice, is_there in zip(classes, choices, present, strict=True):
        cells[one][choice, is_there] += 1
    total = 0.0
    for table in cells.values():
        by_choice: Counter[tuple[str, int]] = Counter()
        by_presence: Counter[bool] = Counter()
        for (choice, is_there), number in table.items():
            by_choice[choice] += number
            by_presence[is_there] += number
        whole = table.total()
        for choice, chosen in by_choice.items():
            for is_there, boards in by_presence.items():
                expected = chosen * boards / whole
                total += (table[choice, is_there] - expected) ** 2 / expected
    return total
