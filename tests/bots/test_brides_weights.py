"""The weights of the bots for Brides & Bribes."""

import random

from bots.brides_and_bribes.model import Model
from bots.brides_and_bribes.weights import Weights
from engine import get_variant
from engine.state import GameState


def test_all_seats_of_a_model_play_by_its_weights() -> None:
    variant = get_variant("brides-and-bribes/3")
    state = variant.start(variant.deal(random.Random(1)))
    assert isinstance(state, GameState)
    greedy = Weights(workers=3.0)
    for _ in range(variant.seats):
        legal = state.legal_actions()
        usual, more = [Model(3, weights).values(state, legal) for weights in (Weights(), greedy)]
        assert list(Model(3).values(state, legal)) == list(usual)
        assert sum(more) > sum(usual)  # each seat chooses its first worker
        state.apply(legal[0])
