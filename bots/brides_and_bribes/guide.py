"""Search heuristics for Brides & Bribes, in which bots play simulated games to the end.

In simulations, the searching bot plays with the champion bot's weights. A simulated opponent
imitates a bundled bot that would probably have placed the opponent's tiles in the same way.
"""

import math
import random
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from arena.sdk.search import Guide
from bots.brides_and_bribes.belief import OWN, STYLES, UNKNOWN, Belief
from bots.brides_and_bribes.model import Model
from bots.brides_and_bribes.tiles import END_INFLUENCE, LAST_ROUND
from engine import State, Variant
from engine.brides_and_bribes.position.position import Position
from engine.state import GameState

TEMPERATURE: Final = 0.5  # of a softmax over values in points of influence
# Scale of the Gumbel noise in the decisions of opponents with an unknown style.
NOISE: Final = 0.3
GAIN_PER_ROUND: Final = 3.5
KNOWN_WORLDS, UNKNOWN_WORLDS = 2.0, 40.0  # weights of the priors in a race


class BridesGuide(Guide):
    min_width: ClassVar[int] = 12
    min_prior: ClassVar[float] = 0.01
    prior_value: ClassVar[float] = 0.01

    def __init__(self, variant: Variant) -> None:
        self._seats = variant.seats
        self._models = [Model(variant.seats, weights) for weights in STYLES]
        self._belief: Belief | None = None
        self._styles = [OWN] * variant.seats

    def priors(self, state: State, legal: Sequence[str]) -> Sequence[float]:
        assert isinstance(state, GameState)
        values = self._models[OWN].values(state, legal)
        best = max(values)
        return [math.exp((value - best) / TEMPERATURE) for value in values]

    def play(self, state: State, legal: Sequence[str], rng: random.Random) -> str:
        assert isinstance(state, GameState)
        assert state.seat_to_act is not None
        style = self._styles[state.seat_to_act]
        if style != UNKNOWN:
            return self._models[style].best(state, legal)
        return self._models[OWN].best(state, legal, lambda: gumbel(rng))

    def cost(self, state: State) -> int:
        assert isinstance(state, GameState)
        position: Position = state.position
        to_go = END_INFLUENCE[self._seats] - max(position.influence)
        rounds = min(LAST_ROUND - position.round, math.ceil(to_go / GAIN_PER_ROUND) - 1)
        return 1 + max(0, rounds)

    def prior_worlds(self, state: State) -> float:
        known = self._belief.certainty() if self._belief else 0.0
        return KNOWN_WORLDS + (UNKNOWN_WORLDS - KNOWN_WORLDS) * (1 - known)

    def observe(self, state: State, events: Sequence[Any]) -> None:
        assert isinstance(state, GameState)
        assert state.seat_to_act is not None
        if self._belief is None:
            self._belief = Belief(self._seats, state.seat_to_act, self._models)
        self._belief.observe(state, events)

    def prepare(self, check: Callable[[], None]) -> None:
        if self._belief is not None:
            self._belief.learn(check)

    def draw(self, state: State, seat: int, rng: random.Random) -> State:
        assert isinstance(state, GameState)
        if self._belief is None:
            return state.determinize(seat, rng)
        world, self._styles = self._belief.draw(state, rng)
        return world


def gumbel(rng: random.Random) -> float:
    return -NOISE * math.log(-math.log(1 - rng.random() or 0.5))


def make_guide(variant: Variant) -> BridesGuide:
    return BridesGuide(variant)


def actions_in(events: Sequence[Any]) -> list[str] | None:
    """Return None. Events do not reveal which actions the opponents have played."""
    return None
