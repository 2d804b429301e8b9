"""What neither a search nor a race may ever do: break a rule, its budget, or its word."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.sdk.race import Race
from arena.sdk.search import Budget, Guide, Search
from engine import Variant
from tests.arena.nim import Heaps, NimVariant
from tests.arena.searching import TOYS, CountingGuide, Ticks, some_state, think

seeds = st.integers(0, 2**32)
few = settings(max_examples=25)
each_way = pytest.mark.parametrize("way", [Search, Race])


@each_way
@few
@given(seed=seeds, variant=st.sampled_from(TOYS), games=st.integers(0, 40))
def test_chooses_legal_action_within_the_budget(
    way: type[Search | Race], seed: int, variant: Variant, games: int
) -> None:
    state = some_state(variant, seed)
    legal = state.legal_actions()
    choice = think(state, games, seed, way=way)
    assert choice.action in legal
    assert [one.action for one in choice.statistics] == legal
    assert choice.iterations <= games
    assert sum([one.visits for one in choice.statistics]) == choice.iterations
    assert choice.best(1)[0].action == choice.action
    assert state.legal_actions() == legal  # the state is not played on


@each_way
@few
@given(seed=seeds, variant=st.sampled_from(TOYS), stop=st.integers(0, 300))
def test_stops_when_the_time_is_over(
    way: type[Search | Race], seed: int, variant: Variant, stop: int
) -> None:
    state = some_state(variant, seed)
    clock = Ticks()
    guide = CountingGuide(clock)
    assert state.seat_to_act is not None
    thinking = way(state.seat_to_act, guide, random.Random(seed))
    choice = thinking.choose(state, Budget(stop=stop, clock=clock))
    assert choice.action in state.legal_actions()
    assert clock.now <= max(1, stop)
    assert all(time < max(1, stop) for time in guide.times)


@each_way
@few
@given(seed=seeds, variant=st.sampled_from(TOYS))
def test_same_budget_gives_the_same_choice(
    way: type[Search | Race], seed: int, variant: Variant
) -> None:
    state = some_state(variant, seed)
    assert think(state, 30, seed, way=way) == think(state, 30, seed, way=way)


@each_way
def test_rejects_invalid_budgets(way: type[Search | Race]) -> None:
    state = NimVariant().start(Heaps((1, 2, 3)))
    with pytest.raises(ValueError, match="seat 1"):
        way(1, Guide(), random.Random(0)).choose(state, Budget(5))
    with pytest.raises(ValueError, match="iterations"):
        way(0, Guide(), random.Random(0)).choose(state, Budget())
