"""How it is measured what a decision of Brides & Bribes gains, and how strangers play."""

import random

import numpy as np

from arena.match.in_process import class_of, play_in_process
from benchmarks.brides_decisions import gain, place_at_end, with_true_tiles
from benchmarks.brides_strangers import stranger
from bots.brides_and_bribes.model import Model
from engine import get_variant
from engine.brides_and_bribes.state import BridesAndBribesState
from tests.bots.boards import PATIENT, make_game


def placed(seed: int) -> BridesAndBribesState:
    """Return a state of the second round in which some tiles are placed."""
    variant = get_variant("brides-and-bribes/3")
    state = variant.start(variant.deal(random.Random(seed)))
    assert isinstance(state, BridesAndBribesState)
    model = Model(3)
    while state.position.round < 2 or not any(state.position.delegations):
        state.apply(model.best(state, state.legal_actions()))
    return state


def test_tiles_stay_where_they_are_and_decks_do_not() -> None:
    state = placed(1)
    world = with_true_tiles(state, 0, random.Random(2))
    assert world.position.delegations == state.position.delegations
    assert world.position.hands == state.position.hands
    assert world.position.decks != state.position.decks
    assert [sorted(deck) for deck in world.position.decks] == [
        sorted(deck) for deck in state.position.decks
    ]


def test_the_places_that_an_action_leads_to_add_up() -> None:
    state = placed(3)
    models = [Model(3)] * 3
    action = state.legal_actions()[0]
    places = [place_at_end(state, action, seat, models) for seat in range(3)]
    assert sum(places) == 1.5
    assert state.legal_actions()[0] == action  # the state is not played on


def test_the_gain_is_that_of_the_better_action_if_worlds_agree() -> None:
    rng = np.random.default_rng(1)
    values = np.array([[0.5, 1.0]] * 12)
    assert gain(values, values, 2, rng) == 0.5
    assert gain(values[:, ::-1], values, 2, rng) == 0.0
    noise = rng.normal(size=(12, 2))
    assert abs(gain(noise, values, 2, rng)) <= 0.5


def test_strangers_of_a_game_differ_but_always_play_alike() -> None:
    game = make_game("brides-and-bribes/3", 2)
    first, again, others = [
        play_in_process(game, [stranger(number, 1)] * 3, PATIENT) for number in (1, 1, 2)
    ]
    doges = play_in_process(game, [class_of("doge")] * 3, PATIENT)
    assert first.faults == ()
    assert first.actions == again.actions
    assert len({tuple(one.actions) for one in (first, others, doges)}) == 3
