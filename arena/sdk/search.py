"""Find the best action in any game by information-set Monte Carlo tree search.

    search = Search(seat, Guide(), random.Random(7))
    choice = search.choose(state, Budget(iterations=500))
    choice.action                      # what to play
    choice.best(3)                     # the three most visited actions, with visits and values
    search.advance([choice.action])    # and the actions of others: the next search resumes here

A search simulates many games. Each game starts in a random *world*, which is a state that is
consistent with everything the seat has seen. All games share one search tree, so the value of an
action is its mean value over all worlds in which the action is legal. Each simulated player
maximizes its own team's value. The search tree assumes that players see their opponents' hidden
actions.

If the budget is a number of games, the search is deterministic: the same state, guide and random
generator lead to the same choice.
"""
# compiled: see setup.py

import math
import random
from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from arena.sdk.guide import Guide, placement_values
from engine import State, Variant

__all__ = [
    "ActionStatistics",
    "Budget",
    "Choice",
    "Guide",
    "OutOfTimeError",
    "Search",
    "Worlds",
    "placement_values",
    "play_out",
    "require_sense",
    "sides_of",
    "time_check",
]


class Budget(NamedTuple):
    """Limits the number of simulated games and the duration of a search."""

    iterations: int | None = None
    stop: float = math.inf
    """Value of `clock()` at which the search stops, even during a simulated game."""
    clock: Callable[[], float] | None = None


class ActionStatistics(NamedTuple):
    action: str
    visits: int
    value: float
    """Mean result of the simulated games that started with the action, or 0 if there were none."""
    prior: float
    """The action's prior probability. The probabilities of all legal actions sum to 1."""


class Choice(NamedTuple):
    action: str
    iterations: int
    """Number of simulated games."""
    statistics: Sequence[ActionStatistics]
    """Statistics of every legal action, in the order returned by `legal_actions`."""

    def best(self, count: int) -> list[ActionStatistics]:
        """Return up to `count` actions. The chosen action comes first, followed by the other
        actions with the most visits.
        """
        order = sorted(self.statistics, key=_preference, reverse=True)
        chosen = [tried for tried in order if tried.action == self.action]
        return [*chosen, *[tried for tried in order if tried.action != self.action]][:count]


def _preference(one: ActionStatistics) -> tuple[int, float, float]:
    return one.visits, one.value, one.prior


class _Node:
    __slots__ = ("children", "priors", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[str, _Node] = {}
        self.priors: dict[str, float] = {}
        self.total = 0.0  # of the values for the side that chose the action leading here
        self.visits = 0


class OutOfTimeError(Exception):
    """Raised when the time limit is reached during a simulated game."""


class Search:
    """A tree search for one seat. Later searches can reuse the tree."""

    def __init__(self, seat: int, guide: Guide, rng: random.Random) -> None:
        self._seat = seat
        self._guide = guide
        self._rng = rng
        self._root = _Node()
        self._side_of: dict[int, int] = {}

    def advance(self, actions: Iterable[str]) -> None:
        """Move the root of the search tree to the position reached by the given actions.

        `actions` must contain all actions of all seats since the last choice. If you don't know
        them, call `forget` instead.
        """
        for action in actions:
            self._root = self._root.children.get(action) or _Node()

    def forget(self) -> None:
        self._root = _Node()

    def choose(self, state: State, budget: Budget) -> Choice:
        """Simulate games until the budget is used up, and return the most visited action.

        If there is no time to simulate a game, the action with the highest prior probability is
        chosen. Raise `ValueError` if it is another seat's turn, or if `budget` has no limit.
        """
        require_sense(state, self._seat, budget)
        self._side_of = sides_of(state.variant)
        self._root.priors = {}  # the seat now knows its actual options
        games = 0 if len(state.legal_actions()) == 1 else self._search(state, budget)
        return self._choice(state, games)

    def _search(self, state: State, budget: Budget) -> int:
        worlds = Worlds(state, self._seat, self._guide, self._rng)
        check = time_check(budget)
        games = 0
        try:
            while games != budget.iterations:
                check()
                self._simulate(worlds.draw(), check)
                games += 1
        except OutOfTimeError:
            pass
        return games

    def _choice(self, state: State, games: int) -> Choice:
        legal = state.legal_actions()
        priors = self._priors_at(self._root, state, legal)
        whole = math.fsum(priors) or 1.0
        statistics = []
        for action, prior in zip(legal, priors, strict=True):
            child = self._root.children.get(action) or _Node()
            value = child.total / child.visits if child.visits else 0.0
            statistics.append(ActionStatistics(action, child.visits, value, prior / whole))
        return Choice(max(statistics, key=_preference).action, games, statistics)

    def _simulate(self, world: State, check: Callable[[], None]) -> None:
        """Simulate one game and update the values in the tree."""
        node = self._root
        path: list[tuple[int, _Node]] = []
        while (seat := world.seat_to_act) is not None:
            legal = world.legal_actions()
            action = legal[0] if len(legal) == 1 else self._select(node, world, legal)
            child = node.children.get(action)
            if child is None:
                child = node.children[action] = _Node()
            world.apply(action)
            path.append((self._side_of[seat], child))
            node = child
            if not child.visits and len(legal) > 1:
                break
            check()
        values = play_out(world, self._guide, self._rng, check)
        for side, child in path:
            child.visits += 1
            child.total += values[side]

    # -- the choice within the tree ---------------------------------------------------------------

    def _select(self, node: _Node, world: State, legal: Sequence[str]) -> str:
        # PUCT: the mean value plus a bonus for high priors and few visits
        guide, children = self._guide, node.children
        priors = self._priors_at(node, world, legal)
        tried = [child for action in legal if (child := children.get(action))]
        visits = sum([child.visits for child in tried])
        width = guide.min_width + int(guide.widening * math.sqrt(visits))
        if len(legal) > width:
            legal, priors = _likeliest(legal, priors, width)
        mean = sum([child.total for child in tried]) / visits if visits else 0.5
        first = mean - guide.first_visit_discount
        explore = guide.exploration * math.sqrt(visits + 1) / (sum(priors) or 1.0)
        best, chosen = -math.inf, legal[0]
        for action, prior in zip(legal, priors, strict=True):
            child = children.get(action)
            if child is None or not child.visits:
                score = first + explore * prior
            else:
                own = child.visits
                score = child.total / own + explore * prior / (1 + own)
            if score > best:
                best, chosen = score, action
        return chosen

    def _priors_at(self, node: _Node, world: State, legal: Sequence[str]) -> Sequence[float]:
        if world.seat_to_act != self._seat and self._guide.hidden_hands:
            return self._guide.priors(world, legal)
        known = node.priors
        new = [action for action in legal if action not in known]
        if new:
            known.update(zip(new, self._guide.priors(world, new), strict=True))
        return [known[action] for action in legal]


def require_sense(state: State, seat: int, budget: Budget) -> None:
    """Raise `ValueError` if it is another seat's turn, or if the search budget has no limit."""
    if state.seat_to_act != seat:
        raise ValueError(f"seat {seat} can't search: in this state, {state.seat_to_act} is to act")
    if budget.iterations is None and (budget.clock is None or budget.stop == math.inf):
        raise ValueError("a budget needs an end: give `iterations`, or `stop` and `clock`")


def play_out(
    world: State, guide: Guide, rng: random.Random, check: Callable[[], None]
) -> Sequence[float]:
    """Simulate a game until it ends or the guide estimates its result.

    Return each side's value.
    """
    steps = 0
    while world.seat_to_act is not None:
        values = guide.estimate(world, steps)
        if values is not None:
            return values
        legal = world.legal_actions()
        world.apply(legal[0] if len(legal) == 1 else guide.play(world, legal, rng))
        steps += 1
        check()
    return guide.result(world)


def _likeliest(
    legal: Sequence[str], priors: Sequence[float], width: int
) -> tuple[Sequence[str], Sequence[float]]:
    order = sorted(range(len(legal)), key=priors.__getitem__, reverse=True)[:width]
    return [legal[place] for place in order], [priors[place] for place in order]


def time_check(budget: Budget) -> Callable[[], None]:
    """Return a function that raises `OutOfTimeError` when the search has no time left."""
    clock, stop = budget.clock, budget.stop

    def check() -> None:
        if clock is not None and clock() >= stop:
            raise OutOfTimeError

    return check


def sides_of(variant: Variant) -> dict[int, int]:
    return {seat: side for side, seats in enumerate(variant.sides) for seat in seats}


class Worlds:
    """Samples game states that are consistent with everything a seat has seen."""

    def __init__(self, state: State, seat: int, guide: Guide, rng: random.Random) -> None:
        self._state = state
        self._seat = seat
        self._guide = guide
        self._rng = rng
        self._worlds: list[State] = []
        self._sums: list[float] = []  # cumulative sums of the likelihoods

    def draw(self) -> State:
        """Return a copy of a random game state. Likelier states are drawn more often."""
        if len(self._worlds) < self._guide.max_worlds:
            world = self._guide.draw(self._state, self._seat, self._rng)
            likelihood = self._guide.likelihood(world)
            self._sums.append((self._sums[-1] if self._sums else 0.0) + likelihood)
            self._worlds.append(world)
        place = bisect(self._sums, self._rng.random() * self._sums[-1])
        return self._worlds[min(place, len(self._worlds) - 1)].clone()
