"""Tests of the search guide for Brides & Bribes: how seats play, and how games are simulated."""

import random
from collections.abc import Iterator, Sequence

import msgspec
import pytest

from arena.tournament.in_process import class_of, play_in_process
from bots.brides_and_bribes.guide import BridesGuide, make_guide
from bots.brides_and_bribes.model import Model
from bots.brides_and_bribes.styles import DogeBot
from bots.brides_and_bribes.view import View
from bots.champion.champion import from_command_line
from engine import State, get_variant
from engine.state import GameState
from tests.bots.boards import PATIENT, make_game

VARIANTS = ["brides-and-bribes/3", "brides-and-bribes/4", "brides-and-bribes/5"]
each_variant = pytest.mark.parametrize("variant_id", VARIANTS)


def start(variant_id: str, seed: int) -> GameState:
    """Return the state before the first decision of the game with this seed."""
    variant = get_variant(variant_id)
    state = variant.start(variant.deal(random.Random(seed)))
    assert isinstance(state, GameState)
    return state


def game(variant_id: str, seed: int, errors: float = 0.1) -> Iterator[GameState]:
    """Yield the states of a game of `doge` with a share of random actions."""
    rng, state = random.Random(seed), start(variant_id, seed)
    model = Model(state.variant.seats)
    while state.seat_to_act is not None:
        yield state
        legal = state.legal_actions()
        state.apply(rng.choice(legal) if rng.random() < errors else best(model, state, legal))
    yield state


def best(model: Model, state: GameState, legal: Sequence[str]) -> str:
    values = list(model.values(state, legal))
    return legal[values.index(max(values))]


# -- how seats play -----------------------------------------------------------------------------


@each_variant
def test_model_values_actions_like_doge(variant_id: str) -> None:
    doges = [DogeBot() for _ in range(get_variant(variant_id).seats)]
    model = Model(len(doges))
    for state in game(variant_id, 5):
        seat = state.seat_to_act
        if seat is not None:
            legal = state.legal_actions()
            view = msgspec.json.decode(msgspec.json.encode(state.view(seat)), type=View)
            expected = doges[seat].values(view, legal)
            assert list(model.values(state, legal)) == pytest.approx(expected)
            assert list(model.values(state, legal)) == pytest.approx(expected)  # those it kept


@each_variant
def test_cached_values_are_valid_in_other_worlds(variant_id: str) -> None:
    rng = random.Random(2)
    kept = Model(get_variant(variant_id).seats)
    for number, state in enumerate(game(variant_id, 6)):
        seat = state.seat_to_act
        if seat is None or number % 17:
            continue
        for _ in range(3):
            world = state.determinize(seat, rng)
            while world.seat_to_act is not None and world.position.window in ("place", "tile"):
                legal = world.legal_actions()
                fresh = Model(world.variant.seats).values(world, legal)
                assert list(kept.values(world, legal)) == pytest.approx(list(fresh))
                world.apply(rng.choice(legal))


# -- the guide in a search ----------------------------------------------------------------------


def test_seats_play_the_best_action_without_observations() -> None:
    state = start("brides-and-bribes/3", 4)
    guide = make_guide(state.variant)
    assert len({tuple(played(guide, state.clone(), seed)) for seed in range(3)}) == 1
    assert guide.prior_worlds(state) > 10
    assert guide.draw(state, 0, random.Random(1)).view(0) == state.view(0)


def played(guide: BridesGuide, state: State, seed: int) -> Iterator[str]:
    """Yield the actions of the rest of a game, as the guide plays it."""
    rng = random.Random(seed)
    while state.seat_to_act is not None:
        action = guide.play(state, state.legal_actions(), rng)
        yield action
        state.apply(action)


@pytest.mark.parametrize(
    "variant_id",
    [VARIANTS[0], *[pytest.param(variant, marks=[pytest.mark.slow]) for variant in VARIANTS[1:]]],
)
def test_champion_plays_without_fault(variant_id: str) -> None:
    hasty = from_command_line(["--iterations", "4"])
    seats = get_variant(variant_id).seats
    bots = [hasty, *[class_of("doge")] * (seats - 1)]
    record = play_in_process(make_game(variant_id, 1), bots, PATIENT)
    assert record.faults == ()
    notes = [note.text for note in record.notes]
    assert any(note.endswith("without search") for note in notes)
    assert any(" in 2; " in note for note in notes)  # each action in two worlds
