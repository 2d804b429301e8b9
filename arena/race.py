"""The best of few actions: each of them is tried in the same worlds.

    race = Race(seat, Guide(), random.Random(7))
    choice = race.choose(state, Budget(iterations=100))
    choice.action                      # what to play

A tree tries each action in other worlds. If few games fit into the time, the luck of these worlds
hides what the actions differ by. A race plays a game for each action in every world that it draws,
so only differences within a world count. An action that is certainly behind drops out, which
leaves the time to the others. Beyond the first action, all seats play as the guide does.
"""

import math
import random
from collections.abc import Callable, Sequence
from operator import itemgetter
from statistics import fmean, stdev

from arena.search import (
    ActionStatistics,
    Budget,
    Choice,
    Guide,
    OutOfTimeError,
    Worlds,
    play_out,
    require_sense,
    sides_of,
    time_check,
)
from engine import State

MIN_WORLDS = 4
"""The number of worlds before anything is concluded."""
CERTAINTY = 2.0
"""An action drops out when it is behind by this number of standard errors."""
DOUBT = 1.0
"""The likeliest action is chosen unless it is behind by this number of standard errors."""


class _Runner:
    """An action that is tried, and its value in each world."""

    def __init__(self, action: str, bonus: float) -> None:
        self.action = action
        self.bonus = bonus
        """What its prior adds to its value."""
        self.values: list[float] = []

    def score(self) -> float:
        """Return the mean value and the bonus."""
        return fmean(self.values) + self.bonus

    def is_behind(self, leader: "_Runner", errors: float) -> bool:
        """Return whether `leader` is ahead by this number of standard errors."""
        if len(self.values) < MIN_WORLDS:
            return False
        gaps = [one - own for one, own in zip(leader.values, self.values, strict=True)]
        lead = fmean(gaps) + leader.bonus - self.bonus
        return lead >= errors * stdev(gaps) / math.sqrt(len(gaps))


class Race:
    """The race of one seat between its actions. It keeps nothing from one decision to the next."""

    def __init__(self, seat: int, guide: Guide, rng: random.Random) -> None:
        self._seat = seat
        self._guide = guide
        self._rng = rng

    def choose(self, state: State, budget: Budget) -> Choice:
        """Return the action with the highest value and bonus after a race within `budget`.

        `state` is a state in which our seat is to act. What the seat cannot know of it is drawn
        again for each world. After a few worlds only, the likeliest action is chosen.

        Raises:
            ValueError: another seat is to act, or the budget has no end.
        """
        require_sense(state, self._seat, budget)
        legal = state.legal_actions()
        priors = self._guide.priors(state, legal) if len(legal) > 1 else [1.0]
        runners = self._runners(legal, priors)
        if not self._guide.is_worth_a_race(state):
            runners = runners[:1]
        games, chosen = self._race(runners, state, budget)
        values = {one.action: one.values for one in runners}
        whole = math.fsum(priors) or 1.0
        statistics = []
        for action, prior in zip(legal, priors, strict=True):
            own = values.get(action, [])
            mean = fmean(own) if own else 0.0
            statistics.append(ActionStatistics(action, len(own), mean, prior / whole))
        return Choice(chosen.action, games, statistics)

    def _runners(self, legal: Sequence[str], priors: Sequence[float]) -> list[_Runner]:
        """Return the actions that are worth a trial, the likeliest one first."""
        guide, best = self._guide, max(priors)
        order = sorted(zip(legal, priors, strict=True), key=itemgetter(1), reverse=True)
        runners = []
        for action, prior in order[: guide.min_width]:
            part = prior / best if best else 1.0
            if part >= guide.min_prior and part > 0:
                runners.append(_Runner(action, guide.prior_value * math.log(part)))
        return runners

    def _race(
        self, runners: Sequence[_Runner], state: State, budget: Budget
    ) -> tuple[int, _Runner]:
        """Draw worlds until the budget is over, and return the games played and the best."""
        worlds = Worlds(state, self._seat, self._guide, self._rng)
        check = time_check(budget)
        most = math.inf if budget.iterations is None else budget.iterations
        games, left = 0, [*runners]
        try:
            while len(left) > 1 and games + len(left) <= most:
                check()
                world, seed = worlds.draw(), self._rng.getrandbits(32)
                values = [self._try(one, world, random.Random(seed), check) for one in left]
                games += len(left)
                for one, value in zip(left, values, strict=True):
                    one.values.append(value)
                leader, *others = sorted(left, key=_Runner.score, reverse=True)
                left = [leader, *[one for one in others if not one.is_behind(leader, CERTAINTY)]]
        except OutOfTimeError:
            pass
        likeliest, leader = runners[0], left[0]
        doubtful = likeliest in left and not likeliest.is_behind(leader, DOUBT)
        return games, likeliest if doubtful else leader

    def _try(
        self, runner: _Runner, world: State, rng: random.Random, check: Callable[[], None]
    ) -> float:
        """Return the value of an action in `world`, with the dice of `rng`."""
        world = world.clone()
        side = sides_of(world.variant)[self._seat]
        world.apply(runner.action)
        check()
        return play_out(world, self._guide, rng, check)[side]
