"""The scores against Bradley-Terry as fitted by `choix`, on games of two where its model holds."""

import math
import random
from itertools import combinations, permutations
from statistics import NormalDist

import numpy as np
import pytest

from arena.rating.scores import BoardLog, fit_boards
from tests.arena.rating.made_tables import shares_of

STRENGTH = {name: 0.25 * number for number, name in enumerate("abcdefgh")}
"""Of the Bradley-Terry model: the logarithm of the odds in a game is the difference."""
NAMES = sorted(STRENGTH)


class Played:
    """A round-robin of boards for two, fitted by the arena and by `choix`."""

    def __init__(self, seed: int, boards_of_a_pair: int) -> None:
        import choix  # here, since it imports all of SciPy, which takes a while

        rng = random.Random(seed)
        wins = np.zeros((len(NAMES), len(NAMES)))
        sums = BoardLog(NAMES)
        pairs = list(combinations(range(len(NAMES)), 2)) * boards_of_a_pair
        for number, (one, other) in enumerate(pairs):
            chance = 1 / (1 + math.exp(STRENGTH[NAMES[other]] - STRENGTH[NAMES[one]]))
            games = []
            for _ in range(2):
                won = rng.random() < chance
                games.append(((1, 2) if won else (2, 1), 1))
                wins[(one, other) if won else (other, one)] += 1
            sums.add(shares_of([(NAMES[one],), (NAMES[other],)], games, number))
        self.model = fit_boards(sums)
        self.strengths = choix.ilsr_pairwise_dense(wins)
        self.games = wins + wins.T

    def chance(self, one: int, other: int) -> float:
        """Return the probability by `choix` that one wins a game."""
        import choix

        return float(choix.probabilities([one, other], self.strengths)[0])

    def covariance(self) -> np.ndarray:
        """Return that of the strengths: the inverse of their Fisher information."""
        information = np.zeros(self.games.shape)
        for one, other in combinations(range(len(NAMES)), 2):
            chance = self.chance(one, other)
            pair = np.zeros(len(NAMES))
            pair[[one, other]] = 1, -1
            information += self.games[one, other] * chance * (1 - chance) * np.outer(pair, pair)
        return np.linalg.pinv(information)


@pytest.fixture(scope="module", params=[1, 2, 3])
def played(request: pytest.FixtureRequest) -> Played:
    """Return a round-robin of 12 boards a pair."""
    return Played(request.param, 12)


def test_the_order_is_that_of_bradley_terry(played: Played) -> None:
    """In a round-robin both are ordered by the number of wins; equal scores have no order."""
    scores = {row.bot: row.score or 0.0 for row in played.model.scores}
    for one, other in permutations(range(len(NAMES)), 2):
        if scores[NAMES[one]] > scores[NAMES[other]] + 1e-9:
            assert played.strengths[one] > played.strengths[other]


def test_the_certainty_is_that_of_bradley_terry(played: Played) -> None:
    covariance = played.covariance()
    for one, other in combinations(range(len(NAMES)), 2):
        variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
        gap = played.strengths[one] - played.strengths[other]
        expected = NormalDist().cdf(gap / math.sqrt(variance))
        found = played.model.certainty(NAMES[one], NAMES[other])
        assert found == pytest.approx(expected, abs=0.05)


def test_the_score_is_the_mean_probability_to_win(played: Played) -> None:
    for row in played.model.scores:
        own = NAMES.index(row.bot)
        chances = [played.chance(own, other) for other in range(len(NAMES)) if other != own]
        assert row.score == pytest.approx(sum(chances) / len(chances), abs=1e-6)
