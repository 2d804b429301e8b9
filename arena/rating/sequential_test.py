"""Test sequentially whether the new version of a bot is better than the old version.

The test bets on the score differences with several strategies, and the mean capital of the
strategies is the evidence for an answer. An answer is accepted when its evidence reaches 20. In
95% of comparisons, no wrong answer is accepted, no matter how often the evidence is checked. The
method is explained in `docs/ratings.md`.
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
DELTA = Fraction(1, 20)
"""A new version that is better by less than this score difference counts as not better."""

Verdict = Literal["better", "not better", "undecided"]


class Comparison(msgspec.Struct, frozen=True):
    verdict: Verdict
    boards: int
    difference: float
    """Mean of the score differences, new minus old, or 0 without boards."""
    low: float
    high: float
    """Upper bound of the score difference, correct in 95% of comparisons."""
    evidence_better: float
    evidence_not_better: float


class BettingEvidence:
    def __init__(self, delta: Fraction = DELTA) -> None:
        self.delta = delta
        self.boards = 0
        self.verdict: Verdict = "undecided"
        self._differences: Counter[Fraction] = Counter()

    def add(self, difference: Fraction) -> Verdict:
        """Add a board's score difference, from -1 to 1, and return the current verdict."""
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
        """Evidence that the new version isn't better by `delta` or more."""
        return self.below(float(self.delta))

    @property
    def mean(self) -> float:
        whole = sum([x * n for x, n in self._differences.items()], Fraction())
        return float(whole / max(1, self.boards))

    def above(self, mean: float) -> float:
        """Return the evidence that the true mean difference is greater than `mean`, which must be
        above -1.
        """
        return self._evidence(mean, 1 / (1 + mean))

    def below(self, mean: float) -> float:
        """Return the evidence that the true mean difference is less than `mean`, which must be
        below 1.
        """
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
    """Compare two versions of a bot, given their score differences on boards in schedule order."""
    evidence = BettingEvidence(delta)
    for difference in differences:
        if evidence.add(difference) != "undecided":
            break
    return evidence.comparison()
