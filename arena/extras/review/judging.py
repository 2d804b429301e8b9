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

import msgspec

from arena.plugins import guides
from arena.sdk.race import Race
from arena.sdk.search import Budget, Guide, Search, sides_of
from engine import State, Variant

EVEN = 0.5
"""The share before anything is known."""
MAX_PORTIONS = 8
"""How often worlds are drawn at most."""
CLEAR = 1e-5
"""A loss with a smaller chance is clear. So rare are they that certainty stays."""
SLIGHT = 0.03
"""A loss that is not held against a bot, as others may play on in another way than the guide."""
PATIENCE = 3
"""The portions in which a loss has to grow by one of its standard errors, or it is dropped."""
MAX_COST = 4
"""Where simulated games are long, as the guide says, worlds are fewer by this factor at most."""


class Effort(NamedTuple):
    """How much is simulated for a decision."""

    searched: int
    """The simulated games of the search for the best action."""
    portion: int
    """The worlds that are drawn at a time, where simulated games are short."""
    precision: float
    """The standard error at which an expected share, or a clear loss, needs no further worlds."""


IN_TREE, IN_RACE = Effort(400, 48, 0.05), Effort(60, 24, 0.1)
"""The best action is looked for in a race where simulated games take long, else in a tree."""

_Play = Callable[[State, Sequence[str], random.Random], str]


class Judgement(msgspec.Struct, frozen=True):
    """What an action is worth, compared with the best one.

    A share is that of the opponents who are placed before at the end, from 0 to 1; a tie is half a
    place. In a game that counts twice it is twice as far from `EVEN`.
    """

    action: str
    best: str
    """The best action that was found; `action` if none was better."""
    share: float
    """The expected share after `action`."""
    loss: float = 0.0
    """What the expected share after `best` is more."""
    error: float = 0.0
    """The standard error of the loss."""
    chance: float = 1.0
    """The probability of such a loss in the worlds of the review if the true one were `SLIGHT`."""


class Mean(NamedTuple):
    """The mean of values in worlds of different likelihoods."""

    mean: float
    error: float
    """Its standard error."""
    freedom: float
    """Its degrees of freedom."""

    def chance(self, true: float) -> float:
        """Return the probability of such a mean if it were `true`, by Student's t, one-sided.

        Its quantile as one of the normal distribution is by Wallace (1959).
        """
        distance, freedom = (self.mean - true) / self.error, self.freedom
        normal = math.sqrt(freedom * math.log1p(distance**2 / freedom))
        normal *= math.copysign((8 * freedom + 1) / (8 * freedom + 3), distance)
        return 0.5 * math.erfc(normal / math.sqrt(2))


class Judge:
    """Judges the decisions of a seat in one game, in their order."""

    def __init__(self, variant: Variant, seat: int, rng: random.Random) -> None:
        """Take the guide of the game, or one that plays by chance if the game has none."""
        found = guides.find(variant.game)
        self.guide: Guide = found.guide(variant) if found else Guide()
        races = found is not None and found.races
        self._search = (Race if races else Search)(seat, self.guide, rng)
        self._effort = IN_RACE if races else IN_TREE
        self._seat, self._rng = seat, rng

    def judge(self, known: State, action: str, share: float | None = None) -> Judgement:
        """Judge an action in a state that agrees with what the seat knows.

        `share` is what the seat may expect, if that is known: as after its last action, if nothing
        has happened since.
        """
        if isinstance(self._search, Search):
            self._search.forget()
        budget = Budget(iterations=self._effort.searched)
        best = self._search.choose(known, budget).action
        return self.compare(known, action, best, share)

    def compare(
        self, known: State, action: str, best: str, known_share: float | None = None
    ) -> Judgement:
        """Compare an action with one that may be better, in worlds that agree with `known`.

        Worlds are drawn until the loss is clear and the share precise. An action that is not better
        at first, or later hardly has a chance to be certainly better in the end, is dropped.
        """
        self.guide.prepare(lambda: None)
        tried = [action, best] if best != action else [action]
        weights: list[float] = []
        shares: list[list[float]] = []
        for portion in range(MAX_PORTIONS):
            if tried == [action] and known_share is not None:
                return Judgement(action, action, known_share)
            for _ in range(self._portion(known)):
                world = self.guide.draw(known, self._seat, self._rng)
                weights.append(self.guide.likelihood(world))
                shares.append(self._shares(world, tried))
            share = mean_of([after[0] for after in shares], weights)
            loss = mean_of([after[-1] - after[0] for after in shares], weights)
            if loss.mean <= (SLIGHT + loss.error * (portion - 1) / PATIENCE if portion else 0.0):
                tried = [action]
            is_clear = tried == [action] or loss.chance(SLIGHT) < CLEAR
            if is_clear and max(share.error, loss.error) <= self._effort.precision:
                break
        if tried == [action]:
            return Judgement(action, action, share.mean)
        return Judgement(action, best, share.mean, loss.mean, loss.error, loss.chance(SLIGHT))

    def dealt(self, start: State) -> float:
        """Return the share that the seat may expect of a deal, if all play as the guide.

        They play each action as often as the guide says, as one line of play says little of a deal.
        """

        def likely(state: State, legal: Sequence[str], rng: random.Random) -> str:
            return rng.choices(legal, self.guide.priors(state, legal))[0]

        games = MAX_PORTIONS * self._portion(start)
        return fmean([self._play_on(start.clone(), self._rng, likely) for _ in range(games)])

    def _portion(self, state: State) -> int:
        """Return the number of worlds that are drawn at a time."""
        return self._effort.portion // min(self.guide.cost(state), MAX_COST)

    def _shares(self, world: State, tried: Sequence[str]) -> list[float]:
        """Return the share at the end after each action in a world, with the same dice."""
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
    """Return the share of a seat at the end of a game, with the ranks by seat."""
    own, side = ranks[seat], sides_of(variant)[seat]
    others = [ranks[seats[0]] for at, seats in enumerate(variant.sides) if at != side]
    placed = fmean([1.0 if own < other else 0.5 if own == other else 0.0 for other in others])
    return EVEN + weight * (placed - EVEN)


def mean_of(values: Sequence[float], weights: Sequence[float]) -> Mean:
    """Return the mean of `values` with `weights`.

    Equal values in a few worlds do not show that all worlds are equal. So the error is one as if
    another world had a value that differs by 1: the game that is won there is lost.
    """
    whole = math.fsum(weights)
    worlds = whole**2 / math.fsum([weight**2 for weight in weights])
    pairs = list(zip(values, weights, strict=True))
    mean = math.fsum([weight * value for value, weight in pairs]) / whole
    squares = math.fsum([(weight * (value - mean) / whole) ** 2 for value, weight in pairs])
    freedom = max(1.0, worlds - 1)
    error = math.sqrt((squares + 1 / worlds**2) * (1 + 1 / freedom))
    return Mean(mean, error, freedom)
