"""Tests of the search guide for Bribery: how seats play, and what boards and hands are worth."""

import math
import random
from collections.abc import Iterator
from statistics import fmean

import msgspec
import pytest

from arena.sdk.search import Budget, Search
from bots.bribery.belief import Belief
from bots.bribery.fixer import FixerBot
from bots.bribery.forecast import Forecast
from bots.bribery.guide import BriberyGuide
from bots.bribery.plays import Plays
from bots.bribery.view import View
from engine import State, get_variant, variants
from engine.state import GameState

BRIBERY = [variant.id for variant in variants().values() if variant.game == "bribery"]
each_variant = pytest.mark.parametrize("variant_id", BRIBERY)


def game(variant_id: str, seed: int, errors: float = 0.3) -> Iterator[GameState]:
    """Yield the states with a choice in a game of seats that play as the guide expects.

    A share of the actions, `errors`, is random.
    """
    variant, rng = get_variant(variant_id), random.Random(seed)
    guide = BriberyGuide(variant)
    state = variant.start(variant.deal(rng))
    assert isinstance(state, GameState)
    while state.seat_to_act is not None:
        legal = state.legal_actions()
        if len(legal) == 1:
            state.apply(legal[0])
            continue
        yield state
        by_chance = rng.random() < errors
        state.apply(rng.choice(legal) if by_chance else guide.play(state, legal, rng))


def seen(state: GameState) -> View:
    """Return the parts of the acting seat's view that the bots read."""
    text = msgspec.json.encode(state.view(state.seat_to_act))
    return msgspec.json.decode(text, type=View)


# -- what others have played --------------------------------------------------------------------


def likelihoods(variant_id: str, seed: int, worlds: int) -> Iterator[tuple[float, list[float]]]:
    """Yield how well the true hands explain the plays, and how well sampled hands do."""
    rng = random.Random(seed)
    belief = Belief(Plays(Forecast(get_variant(variant_id))))
    for state in game(variant_id, seed, errors=0.1):
        position, seat = state.position, state.seat_to_act
        assert seat is not None
        belief.begin(position, position.log)
        drawn = [state.determinize(seat, rng).position for _ in range(worlds)]
        yield belief.likelihood(position), [belief.likelihood(world) for world in drawn]


def test_true_hands_are_more_likely_than_drawn_ones() -> None:
    gained = [
        math.log(true / fmean(drawn))
        for number in range(3)
        for true, drawn in likelihoods("bribery/2", number, 12)
    ]
    assert fmean(gained) > 0.05


def test_worlds_are_equally_likely_without_observed_plays() -> None:
    variant, rng = get_variant("bribery/3"), random.Random(13)
    guide, observing = BriberyGuide(variant), BriberyGuide(variant)
    since, likelihoods = 0, set()
    for state in game("bribery/3", 13):
        seat = state.seat_to_act or 0
        events = msgspec.json.decode(msgspec.json.encode(state.events(None, since)))
        since += len(events)
        observing.observe(state, events)
        world = state.determinize(seat, rng)
        assert guide.likelihood(world) == 1
        likelihoods.add(observing.likelihood(world))
    assert len(likelihoods) > 10


# -- how seats play -----------------------------------------------------------------------------


@each_variant
def test_guide_plays_like_fixer(variant_id: str) -> None:
    guide, fixer, rng = BriberyGuide(get_variant(variant_id)), FixerBot(), random.Random(9)
    same = decisions = 0
    for state in game(variant_id, 9):
        legal = state.legal_actions()
        same += guide.play(state, legal, rng) == fixer.choose(fixer.values(seen(state), legal))
        decisions += 1
    assert same > 0.85 * decisions


@each_variant
def test_best_action_has_prior_1(variant_id: str) -> None:
    guide, rng = BriberyGuide(get_variant(variant_id)), random.Random(10)
    for state in game(variant_id, 10):
        legal = state.legal_actions()
        priors = guide.priors(state, legal)
        assert max(priors) == pytest.approx(1)
        assert priors[legal.index(guide.play(state, legal, rng))] == pytest.approx(1)


# -- the end ------------------------------------------------------------------------------------


def minimax(state: State, action: str, seat: int) -> float:
    """Return the value of an action for `seat` when both decks are empty and nothing is hidden."""
    after = state.clone()
    after.apply(action)
    if after.seat_to_act is None:
        outcome = after.outcome()
        return outcome.win_weight * (outcome.ranks[1 - seat] - outcome.ranks[seat])
    values = [minimax(after, reply, seat) for reply in after.legal_actions()]
    return max(values) if after.seat_to_act == seat else min(values)


@pytest.mark.slow
def test_plays_optimally_near_the_end() -> None:
    checked = 0
    for number in range(6):
        for state in game("bribery/2", number):
            position = state.position
            is_open = position.round == position.parameters.rounds
            if sum(map(len, position.hands)) > 4 or not is_open:
                continue
            seat = position.seat_to_act or 0
            values = {action: minimax(state, action, seat) for action in state.legal_actions()}
            if max(values.values()) > min(values.values()):
                search = Search(seat, BriberyGuide(state.variant), random.Random(number))
                choice = search.choose(state, Budget(100))
                assert values[choice.action] == max(values.values())
                checked += 1
    assert checked >= 3
