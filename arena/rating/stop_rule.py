"""Stop a run as soon as the order of its leaderboard is certain enough.

A horizontal line in the leaderboard means that every bot above the line is better than every bot
below it. Two bots in adjacent rows are close if their scores differ by less than epsilon. The
run stops when any two bots in adjacent rows are either known to be close or separated by a
horizontal line. By default, the probability of one or more false conclusions is at most 5%, no
matter how often the stop rule is checked. The formulas are explained in `docs/ratings.md`.
"""

import math
from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from arena.rating.certificate import EPSILON, Border, Certificate, Neighbours, StopRule
from arena.rating.complete_boards import BoardShares
from arena.rating.intervals import ALPHA
from arena.rating.score_equations import Array
from arena.rating.scores import BoardModel, fit_boards
from arena.schedule.plan import DEFAULT_SIZES, BlockSizes

# -- interim analyses ------------------------------------------------------------------------------


class InterimAnalyses:
    def __init__(self, epsilon: float = EPSILON, confidence: float = 1 - ALPHA) -> None:
        """Bots are called close if their scores differ by less than `epsilon`."""
        self.epsilon = epsilon
        self.confidence = confidence
        self.analyses = 0
        self._low: Array | float = -math.inf
        self._most: Array | float = math.inf

    def analyze(self, model: BoardModel) -> Certificate:
        self.analyses += 1
        size, gaps = len(model.scores), model.gaps
        error = np.where(gaps.is_known, gaps.error, 1.0)
        alpha = 1 - self.confidence
        low = gaps.mean - half_width(error, size, self.epsilon, alpha)
        pairs = size * (size - 1) / 2
        most = abs(gaps.mean) + half_width(error, pairs, self.epsilon, alpha)
        self._low = np.maximum(self._low, np.where(gaps.is_known, low, -math.inf))
        self._most = np.minimum(self._most, np.where(gaps.is_known, most, math.inf))
        names = [score.bot for score in model.scores]
        places = [gaps.places[name] for name in names]
        is_above = self._low[np.ix_(places, places)] > 0
        neighbours = []
        for place, (better, worse) in enumerate(pairwise(names), 1):
            border: Border = "undecided"
            if is_above[:place, place:].all():
                border = "line"
            elif self._most[places[place - 1], places[place]] < self.epsilon:
                border = "close"
            neighbours.append(Neighbours(better, worse, border, gaps.certainty(better, worse)))
        return Certificate(
            tuple(neighbours), self.confidence, self.epsilon, model.boards, self.analyses
        )


def half_width(error: Array, statements: float, epsilon: float, alpha: float) -> Array:
    """Return the half-widths of anytime-valid confidence intervals.

    The confidence intervals are computed with Robbins' method of normal mixtures. The total
    error probability of all intervals is `alpha`, and each interval gets an equal part of it.
    """
    q = (epsilon / error) ** 2
    spread = (1 + 1 / q) * (np.log1p(q) + 2 * math.log(statements / alpha))
    widths: Array = error * np.sqrt(spread)
    return widths


# -- the course of a variant in a run with a stop rule ---------------------------------------------


class CertaintyCourse:
    def __init__(
        self,
        entrants: Iterable[str],
        budget: int,
        rule: StopRule,
        sizes: BlockSizes = DEFAULT_SIZES,
    ) -> None:
        """Start without boards. The `budget` is the maximum number of boards."""
        self.budget = budget
        self.certificate: Certificate | None = None
        self._entrants = list(entrants)
        self._boards: list[BoardShares] = []
        self._analyses = InterimAnalyses(rule.epsilon, rule.confidence / 100)
        self._sizes = sizes
        self._before = 0
        self._added = 0

    @property
    def block_boards(self) -> int:
        if self.certificate and self.certificate.is_certain:
            return 0
        size = self._sizes.after(self._before, len(self._entrants))
        return min(size, self.budget - self._before)

    def add(self, board: BoardShares) -> None:
        self._boards.append(board)
        self._added += 1
        if self._added == self.block_boards:
            self._before += self._added
            self._added = 0
            self.certificate = self._analyses.analyze(fit_boards(self._entrants, self._boards))
