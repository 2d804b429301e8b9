"""The race: what it may never do, and that the luck of worlds does not decide it."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.race import CERTAIN_WORLDS, HEAT, Race
from arena.search import Budget, Choice, Guide, Search
from engine import State, Variant, get_variant
from tests.arena.nim import Heaps, NimVariant, winning_actions
from tests.arena.test_search import TOYS, CountingGuide, OnlyFirst, Ticks, some_state

seeds = st.integers(0, 2**32)
few = settings(max_examples=25, deadline=None)


def race(state: State, games: int, seed: int = 0, guide: Guide | None = None) -> Choice:
    """Return the choice of the seat to act after a number of simulated games."""
    assert state.seat_to_act is not None
    racing = Race(state.seat_to_act, guide or Guide(), random.Random(seed))
    return racing.choose(state, Budget(games))


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


@few
@given(seeds, st.sampled_from(TOYS), st.integers(0, 40))
def test_it_chooses_a_legal_action_and_plays_no_game_too_many(
    seed: int, variant: Variant, games: int
) -> None:
    state = some_state(variant, seed)
    legal = state.legal_actions()
    choice = race(state, games, seed)
    assert choice.action in legal
    assert [one.action for one in choice.statistics] == legal
    assert choice.iterations <= games
    assert sum([one.visits for one in choice.statistics]) == choice.iterations
    assert choice.best(1)[0].action == choice.action
    assert state.legal_actions() == legal  # the state is not played on


@pytest.mark.parametrize("variant_id", ["pot-de-vin/3", "bribery/4-teams-advanced"])
def test_it_plays_the_bundled_games(variant_id: str) -> None:
    state = get_variant(variant_id).start(get_variant(variant_id).deal(random.Random(1)))
    rng = random.Random(2)
    while state.seat_to_act is not None:
        state.apply(race(state, 10, rng.getrandbits(32)).action)
    assert state.legal_actions() == []


@few
@given(seeds, st.sampled_from(TOYS), st.integers(0, 300))
def test_it_does_nothing_more_when_the_time_is_over(seed: int, variant: Variant, stop: int) -> None:
    state = some_state(variant, seed)
    clock = Ticks()
    guide = CountingGuide(clock)
    assert state.seat_to_act is not None
    racing = Race(state.seat_to_act, guide, random.Random(seed))
    choice = racing.choose(state, Budget(stop=stop, clock=clock))
    assert choice.action in state.legal_actions()
    assert clock.now <= max(1, stop)
    assert all(time < max(1, stop) for time in guide.times)


@few
@given(seeds, st.sampled_from(TOYS))
def test_the_same_number_of_games_gives_the_same_choice(seed: int, variant: Variant) -> None:
    state = some_state(variant, seed)
    assert race(state, 30, seed) == race(state, 30, seed)


def test_it_takes_the_action_that_wins_in_every_world() -> None:
    heaps = (0, 4, 0)
    assert race(NimVariant().start(Heaps(heaps)), 400).action in winning_actions(heaps)


def test_small_differences_count_whatever_the_luck_of_worlds() -> None:
    state = NimVariant().start(Heaps((3, 4)))
    games = CERTAIN_WORLDS * len(state.legal_actions())
    assert {race(state, games, seed, LuckyGuide()).action for seed in range(20)} == {"1 4"}
    found = set()
    for seed in range(20):
        searching = Search(0, LuckyGuide(), random.Random(seed))
        found.add(searching.choose(state, Budget(games)).action)
    assert len(found) > 1  # a tree takes luck for a difference


def test_an_action_that_is_certainly_behind_leaves_the_games_to_others() -> None:
    state = NimVariant().start(Heaps((3, 4)))
    choice = race(state, 1_000, 5, LuckyGuide())
    assert choice.iterations < 1_000
    assert all(one.visits <= HEAT * CERTAIN_WORLDS for one in choice.statistics)


def test_a_game_that_costs_more_leaves_fewer_of_them() -> None:
    class Dear(Guide):
        def cost(self, state: State) -> int:
            return 10

    state = NimVariant().start(Heaps((3, 4)))
    assert race(state, 399, guide=Dear()).iterations <= 39
    assert race(state, 39, guide=Dear()).iterations == 0  # two actions in two worlds cost 40


def test_more_games_try_more_actions() -> None:
    state = NimVariant().start(Heaps((3, 4)))
    tried = [
        len([one for one in race(state, games, guide=LuckyGuide()).statistics if one.visits])
        for games in (4, HEAT * CERTAIN_WORLDS, 400)
    ]
    assert tried == [2, HEAT, len(state.legal_actions())]


def test_worlds_are_drawn_by_the_guide_and_each_serves_all_actions_that_are_left() -> None:
    class Drawing(LuckyGuide):
        drawn = 0

        def draw(self, state: State, seat: int, rng: random.Random) -> State:
            self.drawn += 1
            return super().draw(state, seat, rng)

    guide = Drawing()
    choice = race(NimVariant().start(Heaps((3, 4))), HEAT * CERTAIN_WORLDS, guide=guide)
    assert (choice.iterations, guide.drawn) == (HEAT * CERTAIN_WORLDS, CERTAIN_WORLDS)


def test_a_prior_that_counts_as_many_worlds_outweighs_few_games() -> None:
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


def test_unlikely_actions_are_not_tried() -> None:
    choice = race(NimVariant().start(Heaps((3, 4))), 50, guide=OnlyFirst())
    assert (choice.action, choice.iterations) == ("0 1", 0)


def test_the_prior_decides_where_games_do_not() -> None:
    class Undecided(Guide):
        prior_value = 0.01

        def priors(self, state: State, legal: Sequence[str]) -> Sequence[float]:
            return [1.0 + place for place in range(len(legal))]

        def estimate(self, state: State, steps: int) -> Sequence[float] | None:
            return [0.5, 0.5]

    state = NimVariant().start(Heaps((3, 4)))
    for games in (0, 5, 50):
        assert race(state, games, guide=Undecided()).action == state.legal_actions()[-1]


def test_it_refuses_what_makes_no_sense() -> None:
    state = NimVariant().start(Heaps((1, 2, 3)))
    with pytest.raises(ValueError, match="seat 1"):
        Race(1, Guide(), random.Random(0)).choose(state, Budget(5))
    with pytest.raises(ValueError, match="iterations"):
        Race(0, Guide(), random.Random(0)).choose(state, Budget())
