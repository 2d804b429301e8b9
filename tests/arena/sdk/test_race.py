"""The race: that the luck of worlds does not decide it."""

import random
from collections.abc import Callable, Sequence

from arena.sdk.race import CERTAIN_WORLDS, HEAT, Race
from arena.sdk.search import Budget, Choice, Guide, Search
from engine import State
from tests.arena.nim import Heaps, NimVariant
from tests.arena.searching import Ticks, think


def race(state: State, games: int, seed: int = 0, guide: Guide | None = None) -> Choice:
    """Return the choice of the seat to act after a race of a number of simulated games."""
    return think(state, games, seed, guide, Race)


class LuckyGuide(Guide):
    """The fewer matches are left the better, by little; what dice say counts much more."""

    luck = 0.0

    def play(self, state: State, legal: Sequence[str], rng: random.Random) -> str:
        self.luck = rng.random()
        return legal[0]

    def estimate(self, state: State, steps: int) -> Sequence[float] | None:
        if steps == 0:
            return None
        left = sum(state.view(None).heaps)  # type: ignore[attr-defined]
        return [self.luck - 0.001 * left, 0.0]


def test_finds_small_differences_despite_luck() -> None:
    state = NimVariant().start(Heaps((3, 4)))
    games = CERTAIN_WORLDS * len(state.legal_actions())
    assert {race(state, games, seed, LuckyGuide()).action for seed in range(20)} == {"1 4"}
    found = set()
    for seed in range(20):
        searching = Search(0, LuckyGuide(), random.Random(seed))
        found.add(searching.choose(state, Budget(games)).action)
    assert len(found) > 1  # a tree takes luck for a difference


def test_drops_actions_that_are_certainly_worse() -> None:
    state = NimVariant().start(Heaps((3, 4)))
    choice = race(state, 1_000, 5, LuckyGuide())
    assert choice.iterations < 1_000
    assert all(one.visits <= HEAT * CERTAIN_WORLDS for one in choice.statistics)


def test_expensive_games_reduce_their_number() -> None:
    class Dear(Guide):
        def cost(self, state: State) -> int:
            return 10

    state = NimVariant().start(Heaps((3, 4)))
    assert race(state, 399, guide=Dear()).iterations <= 39
    assert race(state, 39, guide=Dear()).iterations == 0  # two actions in two worlds cost 40


def test_tries_all_actions_in_each_world() -> None:
    class Drawing(LuckyGuide):
        drawn = 0

        def draw(self, state: State, seat: int, rng: random.Random) -> State:
            self.drawn += 1
            return super().draw(state, seat, rng)

    guide = Drawing()
    choice = race(NimVariant().start(Heaps((3, 4))), HEAT * CERTAIN_WORLDS, guide=guide)
    assert (choice.iterations, guide.drawn) == (HEAT * CERTAIN_WORLDS, CERTAIN_WORLDS)


def test_preparation_of_the_guide_counts_as_time() -> None:
    class Preparing(LuckyGuide):
        needed = 100
        done = 0

        def prepare(self, check: Callable[[], None]) -> None:
            while self.done < self.needed:
                check()
                self.done += 1

        def draw(self, state: State, seat: int, rng: random.Random) -> State:
            assert self.done == self.needed
            return super().draw(state, seat, rng)

    state, guide = NimVariant().start(Heaps((3, 4))), Preparing()
    racing = Race(0, guide, random.Random(0))
    games = [racing.choose(state, Budget(stop=60, clock=Ticks())).iterations for _ in range(3)]
    assert games[0] == 0  # the time was over before all was prepared
    assert games[2] > games[1] > 0


def test_strong_prior_outweighs_few_games() -> None:
    class Sure(LuckyGuide):
        prior_value = 0.001
        worlds = 1.0

        def priors(self, state: State, legal: Sequence[str]) -> Sequence[float]:
            return [1.5 ** -len(legal[place:]) for place in range(len(legal))][::-1]

        def prior_worlds(self, state: State) -> float:
            return self.worlds

    state, guide = NimVariant().start(Heaps((3, 4))), Sure()
    assert race(state, 3 * HEAT, guide=guide).action != state.legal_actions()[0]
    guide.worlds = 1000.0
    assert race(state, 3 * HEAT, guide=guide).action == state.legal_actions()[0]
