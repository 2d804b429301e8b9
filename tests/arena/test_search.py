"""The search: what it may never do, and that it finds what is known to be best."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import search as module
from arena.match.in_process import play_in_process
from arena.protocol import Limits
from arena.search import Budget, Choice, Guide, Search, placement_values
from engine import State, get_variant
from tests.arena.nim import Heaps, NimVariant, winning_actions
from tests.bots.boards import make_game
from tests.engine.high_card import HighCard, HighCardTeams

TOYS = [HighCard(), HighCardTeams(), NimVariant(), NimVariant(4)]
VARIANTS = ["pot-de-vin/3", "pot-de-vin/6-teams", "bribery/2", "bribery/4-teams-advanced"]
seeds = st.integers(0, 2**32)
few = settings(max_examples=25, deadline=None)


def some_state(variant: module.Variant, seed: int) -> State:
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


def think(state: State, games: int, seed: int = 0, guide: Guide | None = None) -> Choice:
    """Return the choice of the seat to act after a number of simulated games."""
    assert state.seat_to_act is not None
    searching = Search(state.seat_to_act, guide or Guide(), random.Random(seed))
    return searching.choose(state, Budget(games))


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


@few
@given(seeds, st.sampled_from(TOYS), st.integers(0, 40))
def test_it_chooses_a_legal_action_after_any_number_of_games(
    seed: int, variant: module.Variant, games: int
) -> None:
    state = some_state(variant, seed)
    legal = state.legal_actions()
    choice = think(state, games, seed)
    assert choice.action in legal
    assert [one.action for one in choice.statistics] == legal
    assert choice.iterations == (0 if len(legal) == 1 else games)
    assert sum([one.visits for one in choice.statistics]) == choice.iterations
    assert state.legal_actions() == legal  # the state is not played on


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_it_plays_the_bundled_games(variant_id: str) -> None:
    state = get_variant(variant_id).start(get_variant(variant_id).deal(random.Random(1)))
    rng = random.Random(2)
    while state.seat_to_act is not None:
        state.apply(think(state, 3, rng.getrandbits(32)).action)
    assert state.legal_actions() == []


@few
@given(seeds, st.sampled_from(TOYS), st.integers(0, 300))
def test_it_does_nothing_more_when_the_time_is_over(
    seed: int, variant: module.Variant, stop: int
) -> None:
    state = some_state(variant, seed)
    clock = Ticks()
    guide = CountingGuide(clock)
    assert state.seat_to_act is not None
    searching = Search(state.seat_to_act, guide, random.Random(seed))
    choice = searching.choose(state, Budget(stop=stop, clock=clock))
    assert choice.action in state.legal_actions()
    assert clock.now <= max(1, stop)
    assert all(time < max(1, stop) for time in guide.times)


@few
@given(seeds, st.sampled_from(TOYS))
def test_the_same_number_of_games_gives_the_same_choice(seed: int, variant: module.Variant) -> None:
    state = some_state(variant, seed)
    assert think(state, 30, seed) == think(state, 30, seed)


@pytest.mark.parametrize("heaps", [(1, 2, 4), (1, 1, 3), (2, 3, 0), (5, 3, 0), (1, 3, 3)])
@pytest.mark.parametrize("seats", [2, 4])
def test_it_finds_the_optimum_of_a_solved_game(heaps: tuple[int, ...], seats: int) -> None:
    choice = think(NimVariant(seats).start(Heaps(heaps)), 1200)
    assert choice.action in winning_actions(heaps)
    assert choice.best(1)[0].value > 0.8


def test_more_games_bring_it_nearer_to_the_value_of_a_lost_position() -> None:
    state = NimVariant().start(Heaps((1, 2, 3)))  # lost against an opponent without errors
    few_games, many = [think(state, games).best(1)[0].value for games in (20, 1500)]
    assert many < few_games
    assert many < 0.3


def test_it_is_better_than_chance_where_cards_are_hidden() -> None:
    variant = get_variant("bribery/2")
    shares = []
    for number in range(4):
        rng = random.Random(number)
        state = variant.start(variant.deal(rng))
        while state.seat_to_act is not None:
            own = state.seat_to_act == number % 2
            legal = state.legal_actions()
            state.apply(think(state, 30, number).action if own else rng.choice(legal))
        shares.append(placement_values(state)[number % 2])
    assert sum(shares) / len(shares) > 0.75


class OnlyFirst(Guide):
    """A guide that expects every seat to play the first legal action."""

    def priors(self, state: State, legal: Sequence[str]) -> Sequence[float]:
        return [1.0] + [0.0] * (len(legal) - 1)


def test_without_a_simulated_game_it_plays_the_likeliest_action() -> None:
    state = NimVariant().start(Heaps((1, 2, 4)))
    assert think(state, 0, guide=OnlyFirst()).action == state.legal_actions()[0]


def test_it_tries_the_likeliest_of_many_actions_only() -> None:
    state = NimVariant().start(Heaps((200, 200, 1)))
    choice = think(state, 50)
    tried = [one for one in choice.statistics if one.visits]
    assert len(choice.statistics) == 401
    assert 1 < len(tried) <= 12 + 2 * 50**0.5


def test_an_estimate_takes_the_place_of_the_rest_of_a_game() -> None:
    class Estimating(Guide):
        def estimate(self, state: State, steps: int) -> Sequence[float] | None:
            return [0.25, 0.75]

        def play(self, state: State, legal: Sequence[str], rng: random.Random) -> str:
            raise AssertionError("no game is played on")

    choice = think(NimVariant().start(Heaps((9, 9, 9))), 20, guide=Estimating())
    assert {one.value for one in choice.statistics if one.visits} == {0.25}


def test_worlds_count_as_much_as_they_are_likely() -> None:
    class SureOfAces(Guide):
        """It knows that the second seat has the highest card, and so cannot be beaten in it."""

        def likelihood(self, world: State) -> float:
            return float(12 in world.view(1).hand)  # type: ignore[attr-defined]

    variant = HighCard()
    deal = next(
        deal
        for number in range(99)
        if 12 in (deal := variant.deal(random.Random(number))).cards[8:]
    )
    state = variant.start(deal)
    expected = think(state, 300).best(1)[0].value
    assert think(state, 300, guide=SureOfAces()).best(1)[0].value < expected + 0.1


def test_it_resumes_its_tree_after_the_actions_of_all_seats() -> None:
    state = NimVariant().start(Heaps((2, 3, 4)))
    searching = Search(0, Guide(), random.Random(3))
    first = searching.choose(state, Budget(500))
    state.apply(first.action)
    answer = state.legal_actions()[0]
    state.apply(answer)
    searching.advance([first.action, answer])
    kept = searching.known_visits
    assert kept > 0
    second = searching.choose(state, Budget(10))
    assert second.iterations == 10
    assert sum([one.visits for one in second.statistics]) == kept + 10
    searching.forget()
    assert searching.known_visits == 0


def test_it_refuses_what_makes_no_sense() -> None:
    state = NimVariant().start(Heaps((1, 2, 3)))
    with pytest.raises(ValueError, match="seat 1"):
        Search(1, Guide(), random.Random(0)).choose(state, Budget(5))
    with pytest.raises(ValueError, match="iterations"):
        Search(0, Guide(), random.Random(0)).choose(state, Budget())


def test_the_bot_of_the_page_plays_any_game() -> None:
    page = (Path(__file__).parents[2] / "docs/search.md").read_text("utf-8")
    program = page.partition("```python\n")[2].partition("```")[0]
    names: dict[str, Any] = {"__name__": "my_bot"}
    exec(compile(program, "search.md", "exec"), names)
    for variant_id in ("pot-de-vin/4-teams", "brides-and-bribes/3"):
        seats = get_variant(variant_id).seats
        record = play_in_process(
            make_game(variant_id, 1), [names["MyBot"]] * seats, Limits(move_ms=3)
        )
        assert record.faults == ()
