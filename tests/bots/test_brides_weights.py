"""The weights of the bots for Brides & Bribes."""

import random

from benchmarks.head_to_head import play_board, share_ahead
from bots.brides_and_bribes.doge import DogeBot
from bots.brides_and_bribes.model import Model
from bots.brides_and_bribes.weights import TUNED, Weights
from engine import get_variant
from engine.brides_and_bribes.state import BridesAndBribesState


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
        usual, more = [Model(3, weights).values(state, legal) for weights in (Weights(), greedy)]
        assert list(Model(3).values(state, legal)) == list(usual)
        assert sum(more) > sum(usual)  # each seat chooses its first worker
        state.apply(legal[0])
