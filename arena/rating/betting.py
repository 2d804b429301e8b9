"""Two versions of a bot compared: better, not better, or undecided.

Each board gives one difference: what the new version scores above the old one in the same seats.
The evidence for both answers is a mean over bets, which stays below 20 in 95 % of comparisons in
which the answer would be wrong, whenever one looks. `docs/scores.md`, section 6, has the formulas.
"""

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

import msgspec

from arena.rating.board_model import ALPHA
from arena.rating.stop_rule import half_width

BETS = tuple([Fraction(parts, 32) for parts in (1, 2, 4, 8, 16, 24)])
THRESHOLD = 1 / ALPHA
"""The evidence at which an answer is given."""
DELTA = Fraction(1, 20)
"""A version that is better by less counts as not better."""

Verdict = Literal["better", "not better", "undecided"]


class Comparison(msgspec.Struct, frozen=True):
    """The comparison of two versions after a number of boards."""

    verdict: Verdict
    boards: int
    """Boards that were used, up to the verdict."""
    difference: float
    """The mean difference of the score, new less old; 0 without boards."""
    low: float
    high: float
    """Bounds of the difference that hold at all looks together in 95 % of comparisons."""
    evidence_better: float
    evidence_not_better: float


class BettingEvidence:
    """The evidence of boards in board order."""

    def __init__(self, delta: Fraction = DELTA) -> None:
        """Begin without boards.

        A version that is better by less than `delta`, which is above 0, counts as not better.
        """
        self.delta = delta
        self._ups = [1.0] * len(BETS)
        self._downs = [1.0] * len(BETS)
        self._differences: list[Fraction] = []
        self.verdict: Verdict = "undecided"

    def add(self, difference: Fraction) -> Verdict:
        """Add the next board, unless there is a verdict, and return the verdict so far.

        `difference` is between -1 and 1.
        """
        if self.verdict != "undecided":
            return self.verdict
        self._differences.append(difference)
        own, whole = difference.as_integer_ratio()
        less, less_whole = (self.delta - difference).as_integer_ratio()
        for index, bet in enumerate(BETS):  # whole numbers, divided once
            stake, parts = bet.as_integer_ratio()
            self._ups[index] *= (parts * whole + stake * own) / (parts * whole)
            self._downs[index] *= (parts * less_whole + stake * less) / (parts * less_whole)
        if self.better >= THRESHOLD:
            self.verdict = "better"
        elif self.not_better >= THRESHOLD:
            self.verdict = "not better"
        return self.verdict

    @property
    def boards(self) -> int:
        """The boards that were used."""
        return len(self._differences)

    @property
    def better(self) -> float:
        """The evidence that the new version is better."""
        return math.fsum(self._ups) / len(BETS)

    @property
    def not_better(self) -> float:
        """The evidence that it is better by less than delta, or worse."""
        return math.fsum(self._downs) / len(BETS)

    def comparison(self) -> Comparison:
        """Return what the boards so far say."""
        boards = self.boards
        if not boards:
            return Comparison("undecided", 0, 0.0, -1.0, 1.0, 1.0, 1.0)
        mean = sum(self._differences, Fraction()) / boards
        squares = sum([(each - mean) ** 2 for each in self._differences], Fraction())
        error = math.sqrt(squares / (boards - 1) / boards) if boards > 1 else 0.0
        half = half_width(max(error, 1 / boards), 1, float(self.delta), ALPHA)
        return Comparison(
            self.verdict,
            boards,
            float(mean),
            max(-1.0, float(mean) - half),
            min(1.0, float(mean) + half),
            self.better,
            self.not_better,
        )


def compare(differences: Iterable[Fraction], delta: Fraction = DELTA) -> Comparison:
    """Return what boards in board order say; those after the verdict do not count."""
    evidence = BettingEvidence(delta)
    for difference in differences:
        if evidence.add(difference) != "undecided":
            break
    return evidence.comparison()
