"""Find the best action by simulating all candidate actions from the same random game states.

    race = Race(seat, Guide(), random.Random(7))
    choice = race.choose(state, Budget(iterations=100))
    choice.action                      # what to play

A world is a game state that is consistent with everything the player has seen. A tree search
tries each action in different worlds, so an action that is tried only a few times can look good
by luck. `Race` tries all candidate actions in the same worlds, which makes the comparison fair.
Actions that are clearly worse than the best are dropped.
"""

import math
import random
from collections.abc import Callable, Sequence
from operator import itemgetter
from statistics import fmean, stdev

from arena.sdk.search import (
    ActionStatistics,
    Budget,
    Choice,
    Guide,
    OutOfTimeError,
    play_out,
    require_sense,
    sides_of,
    time_check,
)
from engine import State

HEAT = 4
MIN_WORLDS = 2  # worlds required before a race can overrule the priors
CERTAIN_WORLDS = 4  # worlds required before a race can drop an action
TIED_WORLDS = (
    8  # worlds required before a race can drop an action that is about as good as the best
)
MARGIN = 0.02
"""Difference in value below which two actions are considered equal."""
CERTAINTY = 2.0  # an action that is dropped is worse by this many standard errors


class _Runner:
    def __init__(self, action: str, bonus: float) -> None:
        self.action = action
        self.bonus = bonus
        self.values: list[float] = []
        self.visits = 0
        self.total = 0.0

    def note(self, value: float) -> None:
        self.values.append(value)
        self.visits += 1
        self.total += value

    def score(self, prior_worlds: float) -> float:
        """Return the mean of the action's values. The bonus counts as `prior_worlds` values."""
        whole = math.fsum(self.values) + prior_worlds * self.bonus
        return whole / (len(self.values) + prior_worlds)

    def is_behind(self, leader: "_Runner") -> bool:
        """Return whether this action is clearly worse than the leading action."""
        worlds = len(self.values)
        if worlds < CERTAIN_WORLDS:
            return False
        gaps = [value - own for value, own in zip(leader.values, self.values, strict=True)]
        lead = fmean(gaps) + leader.bonus - self.bonus
        error = CERTAINTY * stdev(gaps) / math.sqrt(worlds)
        # After many worlds, a tie is enough to drop an action.
        return 0 < lead >= error or (worlds >= TIED_WORLDS and lead >= error - MARGIN)


class Race:
    """Finds the best action for one seat by simulating games from random worlds."""

    def __init__(self, seat: int, guide: Guide, rng: random.Random) -> None:
        self._seat = seat
        self._guide = guide
        self._rng = rng

    def choose(self, state: State, budget: Budget) -> Choice:
        """Simulate games to compare the legal actions, and return the best one.

        If the budget allows too few games to compare two actions, return the action with the
        highest prior. Raise `ValueError` if it is another seat's turn, or if `budget` has no
        limit.
        """
        require_sense(state, self._seat, budget)
        legal = state.legal_actions()
        priors = self._guide.priors(state, legal) if len(legal) > 1 else [1.0]
        runners = self._runners(legal, priors)
        chosen = self._race(runners, state, budget)
        tried = {runner.action: runner for runner in runners}
        whole = math.fsum(priors) or 1.0
        statistics = []
        for action, prior in zip(legal, priors, strict=True):
            own = tried.get(action) or _Runner(action, 0.0)
            mean = own.total / own.visits if own.visits else 0.0
            statistics.append(ActionStatistics(action, own.visits, mean, prior / whole))
        return Choice(chosen.action, sum([runner.visits for runner in runners]), statistics)

    def _runners(self, legal: Sequence[str], priors: Sequence[float]) -> list[_Runner]:
        guide, best = self._guide, max(priors)
        order = sorted(zip(legal, priors, strict=True), key=itemgetter(1), reverse=True)
        runners = []
        for action, prior in order[: guide.min_width]:
            part = prior / best if best else 1.0
            if part >= guide.min_prior and part > 0:
                runners.append(_Runner(action, guide.prior_value * math.log(part)))
        return runners

    def _race(self, runners: Sequence[_Runner], state: State, budget: Budget) -> _Runner:
        """Return the best action found before the budget is used up."""
        check = time_check(budget)
        most = math.inf
        if budget.iterations is not None:
            most = float(budget.iterations // self._guide.cost(state))
        leader, *waiting = runners
        while waiting:
            size = min(HEAT, most // MIN_WORLDS)
            if size < 2:
                break
            heat = [leader, *waiting[: int(size) - 1]]
            waiting = waiting[int(size) - 1 :]
            before = sum([runner.visits for runner in heat])
            leader, is_over = self._heat(heat, state, most, check)
            most -= sum([runner.visits for runner in heat]) - before
            if is_over:
                break
        return leader

    def _heat(
        self, heat: Sequence[_Runner], state: State, most: float, check: Callable[[], None]
    ) -> tuple[_Runner, bool]:
        """Compare candidate actions in a limited number of simulated games.

        Return the best action, and True if time ran out. If there are too few games to compare
        the actions, return the first candidate.
        """
        left, is_over = [*heat], False
        for runner in heat:
            runner.values = []
        try:
            self._guide.prepare(check)
            prior_worlds = self._guide.prior_worlds(state)
            while len(left) > 1 and len(left) <= most:
                check()
                world = self._guide.draw(state, self._seat, self._rng)
                seed = self._rng.getrandbits(32)
                values = [self._try(runner, world, random.Random(seed), check) for runner in left]
                most -= len(left)
                for runner, value in zip(left, values, strict=True):
                    runner.note(value)
                leader, *others = sorted(
                    left, key=lambda one: one.score(prior_worlds), reverse=True
                )
                left = [leader, *[runner for runner in others if not runner.is_behind(leader)]]
        except OutOfTimeError:
            is_over = True
        return left[0] if len(left[0].values) >= MIN_WORLDS else heat[0], is_over

    def _try(
        self, runner: _Runner, world: State, rng: random.Random, check: Callable[[], None]
    ) -> float:
        world = world.clone()
        side = sides_of(world.variant)[self._seat]
        world.apply(runner.action)
        check()
        return play_out(world, self._guide, rng, check)[side]
