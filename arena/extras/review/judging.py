"""Compare a player's action with the best action that a search finds, given what the player knew.

A world is a complete position that is consistent with everything that the player has seen. To
find the best action, the search plays simulated games from randomly drawn worlds. If the search
prefers another action, both actions are compared in new worlds: for each world and action, the
game is simulated to its end, with the same random numbers and with the game's guide (a heuristic
player) in all seats. Worlds in which the players' past decisions are more likely get more
weight.
"""

import math
import random
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import NamedTuple

import msgspec

from arena.plugins import guides
from arena.sdk.race import Race
from arena.sdk.search import Budget, Guide, Search, sides_of
from engine import State, Variant

EVEN = 0.5  # a player beats half of the opponents on average
MAX_BATCHES = 8  # of simulated positions, per comparison of two actions
# A comparison can stop early at this p-value. It is low, because the test is repeated after each
# batch of worlds.
CLEAR = 1e-5
# Minimum cost of a mistake, as a fraction of opponents. Smaller losses are unreliable, because
# players do not play exactly like the guide.
SLIGHT = 0.03
PATIENCE = 3  # the loss must exceed SLIGHT by one more standard error every 3 batches
MAX_COST = 4


class Effort(NamedTuple):
    searched: int
    """Number of simulated games in the search for the best action."""
    batch: int
    """Number of simulated positions in a batch."""
    precision: float  # a comparison can stop at this standard error


# Races are for games that take long to simulate.
IN_TREE, IN_RACE = Effort(400, 48, 0.05), Effort(60, 24, 0.1)

_Play = Callable[[State, Sequence[str], random.Random], str]


class Judgement(msgspec.Struct, frozen=True):
    """The estimated value of an action, compared with that of the best action found.

    An action's value is the expected fraction of opponents that the player beats. A tie counts
    as half.
    """

    action: str
    best: str
    share: float
    loss: float = 0.0
    """Estimated value of the best action minus the estimated value of the chosen action."""
    error: float = 0.0
    chance: float = 1.0  # p-value of the one-sided test for a loss greater than SLIGHT


class Mean(NamedTuple):
    mean: float
    error: float
    freedom: float

    def chance(self, true: float) -> float:
        """Return the p-value of a one-sided t-test of whether the mean exceeds a given value."""
        # Wallace (1959) approximates the t quantile by a normal quantile.
        distance, freedom = (self.mean - true) / self.error, self.freedom
        normal = math.sqrt(freedom * math.log1p(distance**2 / freedom))
        normal *= math.copysign((8 * freedom + 1) / (8 * freedom + 3), distance)
        return 0.5 * math.erfc(normal / math.sqrt(2))


class Judge:
    def __init__(self, variant: Variant, seat: int, rng: random.Random) -> None:
        registered = guides.find(variant.game)
        self.guide: Guide = registered.guide(variant) if registered else Guide()
        races = registered is not None and registered.races
        self._search = (Race if races else Search)(seat, self.guide, rng)
        self._effort = IN_RACE if races else IN_TREE
        self._seat, self._rng = seat, rng

    def judge(self, known: State, action: str, share: float | None = None) -> Judgement:
        """Compare an action with the best action that the search finds.

        `known` can be any state that is consistent with the player's information.
        """
        if isinstance(self._search, Search):
            self._search.forget()
        budget = Budget(iterations=self._effort.searched)
        best = self._search.choose(known, budget).action
        return self.compare(known, action, best, share)

    def compare(
        self, known: State, action: str, best: str, known_share: float | None = None
    ) -> Judgement:
        """Estimate how much worse an action is than `best`, the search's best action."""
        self.guide.prepare(lambda: None)
        tried = [action, best] if best != action else [action]
        weights: list[float] = []
        shares: list[list[float]] = []
        for batch in range(MAX_BATCHES):
            if tried == [action] and known_share is not None:
                return Judgement(action, action, known_share)
            for _ in range(self._batch(known)):
                world = self.guide.draw(known, self._seat, self._rng)
                weights.append(self.guide.likelihood(world))
                shares.append(self._shares(world, tried))
            share = mean_of([after[0] for after in shares], weights)
            loss = mean_of([after[-1] - after[0] for after in shares], weights)
            if loss.mean <= (SLIGHT + loss.error * (batch - 1) / PATIENCE if batch else 0.0):
                tried = [action]
            is_clear = tried == [action] or loss.chance(SLIGHT) < CLEAR
            if is_clear and max(share.error, loss.error) <= self._effort.precision:
                break
        if tried == [action]:
            return Judgement(action, action, share.mean)
        return Judgement(action, best, share.mean, loss.mean, loss.error, loss.chance(SLIGHT))

    def dealt(self, start: State) -> float:
        """Estimate the player's result by simulating games. The guide plays all seats."""

        def likely(state: State, legal: Sequence[str], rng: random.Random) -> str:
            return rng.choices(legal, self.guide.priors(state, legal))[0]

        games = MAX_BATCHES * self._batch(start)
        return fmean([self._play_on(start.clone(), self._rng, likely) for _ in range(games)])

    def _batch(self, state: State) -> int:
        return self._effort.batch // min(self.guide.cost(state), MAX_COST)

    def _shares(self, world: State, tried: Sequence[str]) -> list[float]:
        seed, shares = self._rng.getrandbits(32), []
        for action in tried:
            after = world.clone()
            after.apply(action)
            shares.append(self._play_on(after, random.Random(seed), self.guide.play))
        return shares

    def _play_on(self, state: State, rng: random.Random, play: _Play) -> float:
        while state.seat_to_act is not None:
            legal = state.legal_actions()
            state.apply(legal[0] if len(legal) == 1 else play(state, legal, rng))
        outcome = state.outcome()
        return share_of(outcome.ranks, outcome.win_weight, state.variant, self._seat)


def share_of(ranks: Sequence[int], weight: int, variant: Variant, seat: int) -> float:
    own, side = ranks[seat], sides_of(variant)[seat]
    others = [ranks[seats[0]] for at, seats in enumerate(variant.sides) if at != side]
    placed = fmean([1.0 if own < other else 0.5 if own == other else 0.0 for other in others])
    return EVEN + weight * (placed - EVEN)


def mean_of(values: Sequence[float], weights: Sequence[float]) -> Mean:
    """Return the weighted mean of `values` and its standard error."""
    whole = math.fsum(weights)
    worlds = whole**2 / math.fsum([weight**2 for weight in weights])
    pairs = list(zip(values, weights, strict=True))
    mean = math.fsum([weight * value for value, weight in pairs]) / whole
    squares = math.fsum([(weight * (value - mean) / whole) ** 2 for value, weight in pairs])
    freedom = max(1.0, worlds - 1)
    # One more world, whose value differs from the mean by 1, keeps the error positive.
    error = math.sqrt((squares + 1 / worlds**2) * (1 + 1 / freedom))
    return Mean(mean, error, freedom)
