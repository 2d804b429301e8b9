"""Decide whether the new version of a bot is better than the old version.

This is a sequential test by betting. The possible verdicts are "better" and "not better".
Imaginary gamblers with different bet sizes start with a capital of 1 and bet on one of the
verdicts before every board. The evidence for a verdict is the mean capital of the gamblers who
bet on it. The comparison ends when the gamblers betting on one of the verdicts have a mean
capital of 20. The probability of a wrong verdict is at most 5%, no matter how often the evidence
is checked. The method is explained in `docs/ratings.md`.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Literal

import msgspec

from arena.rating.intervals import ALPHA

BETS = tuple([parts / 32 for parts in (1, 2, 4, 8, 16, 24)])
THRESHOLD = 1 / ALPHA
BISECTIONS = 50
# Larger exponents are cut off because `math.exp` would overflow.
MAX_LOG = 700.0
# The verdict "not better" means that the new version's score advantage is smaller than this.
DELTA = Fraction(1, 20)

Verdict = Literal["better", "not better", "undecided"]


class Comparison(msgspec.Struct, frozen=True):
    verdict: Verdict
    boards: int
    difference: float  # mean score of the new version minus that of the old one; 0 without boards
    low: float
    high: float
    """One-sided 95% upper confidence bound for the score difference between the two versions."""
    evidence_better: float
    evidence_not_better: float


class BettingEvidence:
    def __init__(self, delta: Fraction = DELTA) -> None:
        self.delta = delta
        self.boards = 0
        self.verdict: Verdict = "undecided"
        self._differences: Counter[Fraction] = Counter()

    def add(self, difference: Fraction) -> Verdict:
        """Update the evidence with the result of one board, and return the verdict so far.

        `difference` is the new version's score minus the old version's score, from -1 to 1.
        """
        if self.verdict == "undecided":
            self.boards += 1
            self._differences[difference] += 1
            if self.better >= THRESHOLD:
                self.verdict = "better"
            elif self.not_better >= THRESHOLD:
                self.verdict = "not better"
        return self.verdict

    @property
    def better(self) -> float:
        """Evidence that the new version is better."""
        return self.above(0.0)

    @property
    def not_better(self) -> float:
        """Evidence that the new version is not better than the old version by `delta` or more."""
        return self.below(float(self.delta))

    @property
    def mean(self) -> float:
        whole = sum([x * n for x, n in self._differences.items()], Fraction())
        return float(whole / max(1, self.boards))

    # Evidence that the true score difference is above `mean`, which must be greater than -1.
    def above(self, mean: float) -> float:
        return self._evidence(mean, 1 / (1 + mean))

    # Evidence that the true score difference is below `mean`, which must be less than 1.
    def below(self, mean: float) -> float:
        return self._evidence(mean, -(1 - float(self.delta)) / (1 - mean))

    def _evidence(self, mean: float, scale: float) -> float:
        # A single bet never loses more than three quarters of the capital.
        gains = [(scale * (float(x) - mean), n) for x, n in self._differences.items()]
        products = [math.fsum([n * math.log1p(bet * gain) for gain, n in gains]) for bet in BETS]
        return math.fsum([math.exp(min(product, MAX_LOG)) for product in products]) / len(BETS)

    def comparison(self) -> Comparison:
        low = _last_rejected(self.above, -1.0, 0.0)
        high = _last_rejected(self.below, 1.0, float(self.delta))
        return Comparison(
            self.verdict,
            self.boards,
            self.mean,
            low,
            high,
            self.better,
            self.not_better,
        )


def _last_rejected(evidence: Callable[[float], float], end: float, tested: float) -> float:
    rejected, kept, mean = end, -end, tested
    for _ in range(BISECTIONS):
        if evidence(mean) >= THRESHOLD:
            rejected = mean
        else:
            kept = mean
        mean = (rejected + kept) / 2
    return rejected


def compare(differences: Iterable[Fraction], delta: Fraction = DELTA) -> Comparison:
    """Compare two versions of a bot.

    `differences` contains the score difference between the versions on each board, in schedule
    order.
    """
    evidence = BettingEvidence(delta)
    for difference in differences:
        if evidence.add(difference) != "undecided":
            break
    return evidence.comparison()
