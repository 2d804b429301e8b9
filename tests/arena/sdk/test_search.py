"""The search: that it finds what is known to be best."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.base.protocol import Limits
from arena.sdk.search import Budget, Guide, Search, placement_values
from arena.tournament.in_process import play_in_process
from engine import State, get_variant
from tests.arena.nim import Heaps, NimVariant, winning_actions
from tests.arena.searching import think
from tests.bots.boards import make_game
from tests.engine.high_card import HighCard


@pytest.mark.parametrize("heaps", [(1, 2, 4), (1, 1, 3), (2, 3, 0), (5, 3, 0), (1, 3, 3)])
@pytest.mark.parametrize("seats", [2, 4])
def test_finds_optimum_of_a_solved_game(heaps: tuple[int, ...], seats: int) -> None:
    choice = think(NimVariant(seats).start(Heaps(heaps)), 1200)
    assert choice.action in winning_actions(heaps)
    assert choice.best(1)[0].value > 0.8


def test_beats_random_play_with_hidden_cards() -> None:
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


def test_tries_only_the_likeliest_of_many_actions() -> None:
    state = NimVariant().start(Heaps((200, 200, 1)))
    choice = think(state, 50)
    tried = [one for one in choice.statistics if one.visits]
    assert len(choice.statistics) == 401
    assert 1 < len(tried) <= 12 + 2 * 50**0.5


def test_estimate_replaces_the_rest_of_a_game() -> None:
    class Estimating(Guide):
        def estimate(self, state: State, steps: int) -> Sequence[float] | None:
            return [0.25, 0.75]

        def play(self, state: State, legal: Sequence[str], rng: random.Random) -> str:
            raise AssertionError("no game is played on")

    choice = think(NimVariant().start(Heaps((9, 9, 9))), 20, guide=Estimating())
    assert {one.value for one in choice.statistics if one.visits} == {0.25}


class TellsHighestCard(Guide):
    """Games are worth 1 to all sides if the second seat was dealt the highest card, else 0."""

    def estimate(self, state: State, steps: int) -> Sequence[float] | None:
        return [second_seat_has_highest(state)] * 3


class SureOfHighestCard(TellsHighestCard):
    """It knows who has that card."""

    def likelihood(self, world: State) -> float:
        return second_seat_has_highest(world)


def second_seat_has_highest(state: State) -> float:
    """Return 1 if the second seat was dealt the highest card, else 0."""
    view: Any = state.view(1)
    return float(12 in (*view.hand, view.hidden, *[cards[1] for cards in view.shown]))


def test_weights_worlds_by_likelihood() -> None:
    variant = HighCard()
    deal = next(
        deal
        for number in range(99)
        if 12 in (deal := variant.deal(random.Random(number))).cards[8:]
    )
    state = variant.start(deal)
    shares = []
    for guide in (TellsHighestCard(), SureOfHighestCard()):
        tried = think(state, 300, guide=guide).statistics
        shares.append(sum([one.visits * one.value for one in tried]) / 300)
    assert 0.3 < shares[0] < 0.7  # it may as well be the third seat
    assert shares[1] > 0.95


def test_resumes_tree_after_actions_of_all_seats() -> None:
    state = NimVariant().start(Heaps((2, 3, 4)))
    searching = Search(0, Guide(), random.Random(3))
    first = searching.choose(state, Budget(500))
    state.apply(first.action)
    answer = state.legal_actions()[0]
    state.apply(answer)
    searching.advance([first.action, answer])
    second = searching.choose(state, Budget(10))
    assert second.iterations == 10
    assert sum([one.visits for one in second.statistics]) > 10
    searching.forget()
    third = searching.choose(state, Budget(10))
    assert sum([one.visits for one in third.statistics]) == 10


def test_bot_of_the_docs_plays_any_game() -> None:
    page = (Path(__file__).parents[3] / "docs/bots.md").read_text("utf-8")
    program = page.partition("```python\n")[2].partition("```")[0]
    names: dict[str, Any] = {"__name__": "my_bot"}
    exec(compile(program, "bots.md", "exec"), names)
    for variant_id in ("pot-de-vin/4-teams", "brides-and-bribes/3"):
        seats = get_variant(variant_id).seats
        record = play_in_process(
            make_game(variant_id, 1), [names["MyBot"]] * seats, Limits(move_ms=3)
        )
        assert record.faults == ()
