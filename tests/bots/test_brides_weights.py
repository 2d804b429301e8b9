"""The weights of the bots for Brides & Bribes, and how those of `champion` are measured."""

import random

import pytest

from arena.extras.bench.head_to_head import play_board, share_ahead
from benchmarks.brides_weights import Seat, changed, effects, play
from bots.brides_and_bribes.doge import DogeBot
from bots.brides_and_bribes.model import Model
from bots.brides_and_bribes.weights import TUNED, Weights
from engine import get_variant
from engine.brides_and_bribes.state import BridesAndBribesState

FIELDS = Weights.__struct_fields__


class TunedBot(DogeBot):
    """Plays by the weights of `champion`, without search."""

    name = "tuned"
    weights = TUNED


def test_the_weights_of_champion_beat_those_of_doge() -> None:
    variant = get_variant("brides-and-bribes/3")
    scores = [play_board(variant, TunedBot, DogeBot, number) for number in range(2)]
    assert share_ahead(scores).mean > 0.5


def test_all_seats_of_a_model_play_by_its_weights() -> None:
    variant = get_variant("brides-and-bribes/3")
    state = variant.start(variant.deal(random.Random(1)))
    assert isinstance(state, BridesAndBribesState)
    greedy = Weights(workers=3.0)
    for _ in range(variant.seats):
        legal = state.legal_actions()
        usual, more = [Model(3, one).values(state, legal) for one in (Weights(), greedy)]
        assert list(Model(3).values(state, legal)) == list(usual)
        assert sum(more) > sum(usual)  # each seat chooses its first worker
        state.apply(legal[0])


@pytest.mark.parametrize("start", [TUNED, Weights()])
def test_weights_without_changes_stay_as_they_are(start: Weights) -> None:
    assert changed(start, [0.0] * len(FIELDS)) == start
    more = changed(start, [1.0] * len(FIELDS))
    assert all(getattr(more, name) > getattr(start, name) for name in FIELDS)


def test_the_seats_of_a_game_are_compared_with_each_other() -> None:
    for number, seats in enumerate((3, 4)):
        game = play(number, TUNED, seed=1)
        assert len(game) == seats
        assert sum([seat.place for seat in game]) == pytest.approx(0)
        for changes in zip(*[seat.changes for seat in game], strict=True):
            assert sum(changes) == pytest.approx(0)


def test_effects_are_recovered_from_the_places_that_they_made() -> None:
    rng = random.Random(3)
    true = [0.1, 0.0, -0.2]
    seats = []
    for _ in range(3_000):
        changes = [rng.gauss(0, 1) for _ in true]
        place = sum([effect * change for effect, change in zip(true, changes, strict=True)])
        seats.append(Seat(changes, place + rng.gauss(0, 0.5)))
    found, errors = effects(seats)
    assert found == pytest.approx(true, abs=0.04)
    assert all(0.005 < error < 0.02 for error in errors)
