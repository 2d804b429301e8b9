"""What an action was worth by what its seat knew, against the best that a search finds.

The seat knows its view and all that it was told. The search looks for the best action in worlds
that agree with that. If it is another one than was played, both are played on in further worlds to
the end of the game, with the same dice, by the guide of the game at all seats. So the search cannot
flatter its own choice, and two ways of looking ahead have to agree on a mistake. Worlds count by
the likelihood that the guide gives them.
"""

import math
import random
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import NamedTuple

from arena.plugins import guides
from arena.sdk.race import Race
from arena.sdk.search import Budget, Guide, Search, sides_of
from engine import State, Variant

EVEN = 0.5
"""The share before anything is known."""
SEARCHED, RACED = 200, 120
"""The simulated games of the search for the best action, in a tree and in a race."""
PORTION, PORTIONS = 24, 8
"""The worlds in which it is compared with the one that was played, by and by."""
VALUED = 2
"""The portions that show what an action is worth to which none is better."""
CLEAR = 1e-4
"""A loss with a smaller chance needs no further portion. So rare are they that certainty stays."""
MAX_COST = 6
"""Where simulated games are long, as the guide says, worlds are fewer by this factor at most."""

_Play = Callable[[State, Sequence[str], random.Random], str]


class Judgement(NamedTuple):
    """An action, and the best one. Shares are those of `JudgedDecision`."""

    best: str
    """The action itself if none was found that is better."""
    share: float
    """The expected share after the action."""
    loss: float
    """What the expected share after `best` is more."""
    error: float
    """The standard error of the loss."""
    chance: float
    """The probability of such a loss in these worlds if `best` were no better."""


class Mean(NamedTuple):
    """A mean of values in worlds of different likelihoods."""

    mean: float
    error: float
    """Its standard error."""
    freedom: float
    """Its degrees of freedom."""

    def chance(self) -> float:
        """Return the probability of such a mean if the true one were 0, by Student's t, one-sided.

        Its quantile as one of the normal distribution is by Wallace (1959).
        """
        if not self.error:
            return 0.0 if self.mean > 0 else 1.0
        normal = math.sqrt(self.freedom * math.log1p((self.mean / self.error) ** 2 / self.freedom))
        normal *= math.copysign((8 * self.freedom + 1) / (8 * self.freedom + 3), self.mean)
        return 0.5 * math.erfc(normal / math.sqrt(2))


class Judge:
    """Judges the decisions of a seat in one game, in their order."""

    def __init__(self, variant: Variant, seat: int, rng: random.Random) -> None:
        """Take the guide of the game, or one that plays by chance if the game has none."""
        found = guides.find(variant.game)
        self.guide: Guide = found.guide(variant) if found else Guide()
        races = found is not None and found.races
        self._search = (Race if races else Search)(seat, self.guide, rng)
        self._budget = Budget(iterations=RACED if races else SEARCHED)
        self._seat, self._rng = seat, rng

    def judge(self, known: State, action: str) -> Judgement:
        """Judge an action in a state that agrees with what the seat knows."""
        if isinstance(self._search, Search):
            self._search.forget()
        best = self._search.choose(known, self._budget).action
        self.guide.prepare(lambda: None)
        portion = self._worlds(known)
        tried = [action] if best == action else [action, best]
        weights: list[float] = []
        shares: list[list[float]] = []
        for _ in range(VALUED if best == action else PORTIONS):
            for _ in range(portion):
                world = self.guide.draw(known, self._seat, self._rng)
                weights.append(self.guide.likelihood(world))
                shares.append(self._shares(world, tried))
            lead = _mean([after[-1] - after[0] for after in shares], weights)
            chance = lead.chance()
            if best != action and (lead.mean <= 0 or chance < CLEAR):
                break
        share = _mean([after[0] for after in shares], weights).mean
        if lead.mean <= 0:
            return Judgement(action, share, 0.0, lead.error, 1.0)
        return Judgement(best, share, lead.mean, lead.error, chance)

    def dealt(self, start: State) -> float:
        """Return the share that the seat may expect of a deal, if all play as the guide.

        They play each action as often as the guide says, as one line of play says little of a deal.
        """

        def likely(state: State, legal: Sequence[str], rng: random.Random) -> str:
            return rng.choices(legal, self.guide.priors(state, legal))[0]

        games = PORTIONS * self._worlds(start)
        return fmean([self._play_on(start.clone(), self._rng, likely) for _ in range(games)])

    def _worlds(self, state: State) -> int:
        """Return the number of worlds of a portion."""
        return PORTION // min(self.guide.cost(state), MAX_COST)

    def _shares(self, world: State, tried: Sequence[str]) -> list[float]:
        """Return the share at the end after each action in a world, with the same dice."""
        seed, shares = self._rng.getrandbits(32), []
        for action in tried:
            after = world.clone()
            after.apply(action)
            shares.append(self._play_on(after, random.Random(seed), self.guide.play))
        return shares

    def _play_on(self, state: State, rng: random.Random, play: _Play) -> float:
        """Play to the end, and return the share of the seat."""
        while state.seat_to_act is not None:
            legal = state.legal_actions()
            state.apply(legal[0] if len(legal) == 1 else play(state, legal, rng))
        outcome = state.outcome()
        return share_of(outcome.ranks, outcome.win_weight, state.variant, self._seat)


def share_of(ranks: Sequence[int], weight: int, variant: Variant, seat: int) -> float:
    """Return the share of a seat at the end of a game, with the ranks by seat."""
    own, side = ranks[seat], sides_of(variant)[seat]
    others = [ranks[seats[0]] for at, seats in enumerate(variant.sides) if at != side]
    placed = fmean([1.0 if own < other else 0.5 if own == other else 0.0 for other in others])
    return EVEN + weight * (placed - EVEN)


def _mean(values: Sequence[float], weights: Sequence[float]) -> Mean:
    """Return the mean of values with weights."""
    pairs, whole = list(zip(values, weights, strict=True)), math.fsum(weights)
    mean = math.fsum([weight * value for value, weight in pairs]) / whole
    squares = math.fsum([(weight * (value - mean)) ** 2 for value, weight in pairs])
    freedom = max(1.0, whole**2 / math.fsum([weight**2 for weight in weights]) - 1)
    return Mean(mean, math.sqrt(squares * (1 + 1 / freedom)) / whole, freedom)
