"""States, clocks and guides for the tests of searches and races."""

import random
from collections.abc import Sequence

from arena.sdk.race import Race
from arena.sdk.search import Budget, Choice, Guide, Search
from engine import State, Variant
from tests.arena.nim import NimVariant
from tests.engine.high_card import HighCard, HighCardTeams

TOYS = [HighCard(), HighCardTeams(), NimVariant(), NimVariant(4)]


def some_state(variant: Variant, seed: int) -> State:
    """Return a state in which a seat has to act, after a random number of random actions."""
    rng = random.Random(seed)
    state = variant.start(variant.deal(rng))
    for _ in range(rng.randrange(12)):
        after = state.clone()
        after.apply(rng.choice(after.legal_actions()))
        if after.seat_to_act is None:
            break
        state = after
    return state


def think(
    state: State,
    games: int,
    seed: int = 0,
    guide: Guide | None = None,
    way: type[Search | Race] = Search,
) -> Choice:
    """Return the choice of the seat to act after a number of simulated games."""
    assert state.seat_to_act is not None
    thinking = way(state.seat_to_act, guide or Guide(), random.Random(seed))
    return thinking.choose(state, Budget(games))


class Ticks:
    """A clock that goes on by one with each look at it."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> float:
        self.now += 1
        return self.now


class CountingGuide(Guide):
    """A guide by chance that notes at which times it was asked for an action."""

    def __init__(self, clock: Ticks) -> None:
        self.clock = clock
        self.times: list[int] = []

    def play(self, state: State, legal: Sequence[str], rng: random.Random) -> str:
        self.times.append(self.clock.now)
        return super().play(state, legal, rng)
