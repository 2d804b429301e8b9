"""Tests of a seat's beliefs in Brides & Bribes: the opponents' styles and hidden tiles."""

import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.sdk.search import OutOfTimeError
from bots.brides_and_bribes.belief import OWN, STYLES, Belief
from bots.brides_and_bribes.model import Model
from engine import get_variant
from engine.brides_and_bribes.tiles import SEATS
from engine.state import GameState

VARIANTS = ["brides-and-bribes/3", "brides-and-bribes/4", "brides-and-bribes/5"]
each_variant = pytest.mark.parametrize("variant_id", VARIANTS)
DOGE, POISONER = 1, 3
CHANCE = None
SEAT = 0
"""The seat whose beliefs are tested."""


class Watched:
    """A game in which a seat forms its beliefs from its view and events."""

    def __init__(self, variant_id: str, seed: int, style: int | None, errors: float = 0.0) -> None:
        """Let the opponents play in a style, or randomly if it is None."""
        self.events: list[Any] = []
        """Events since our seat's last decision."""
        self.variant = get_variant(variant_id)
        self.rng = random.Random(seed)
        state = self.variant.start(self.variant.deal(self.rng))
        assert isinstance(state, GameState)
        self.state = state
        models = [Model(self.variant.seats, weights) for weights in STYLES]
        self.belief = Belief(self.variant.seats, SEAT, models)
        self._own, self._others = models[OWN], None if style is None else models[style]
        self._errors = errors
        self._told = 0

    def decisions(self) -> Iterator[GameState]:
        """Yield a world at each decision of our seat, and play on."""
        state = self.state
        while state.seat_to_act is not None:
            legal = state.legal_actions()
            model = self._others
            if state.seat_to_act == SEAT:
                model = self._own
                yield self._sent()
            chance = self.rng.random() < self._errors
            state.apply(
                self.rng.choice(legal) if chance or model is None else model.best(state, legal)
            )

    def _sent(self) -> GameState:
        events = json.loads(msgspec.json.encode(self.state.events(SEAT, self._told)))
        self.events = events
        self._told += len(events)
        state = self.variant.load(self.state.determinize(SEAT, self.rng).dump())
        assert isinstance(state, GameState)
        self.belief.observe(state, events)
        self.belief.learn(lambda: None)
        return state


def delegations(state: GameState) -> dict[tuple[int, int], Sequence[int]]:
    """Return the tiles of opponents' delegations, by borough and seat."""
    position = state.position
    return {
        (borough, seat): sorted(position.delegations[borough * SEATS + seat])
        for borough in position.in_play
        for seat in range(position.parameters.seats)
        if seat != SEAT and borough not in position.resolved
    }


# -- styles --------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", [OWN, DOGE, POISONER])
def test_infers_styles_of_opponents(style: int) -> None:
    watched = Watched("brides-and-bribes/4", 5, style)
    for _ in watched.decisions():
        pass
    for seat in range(1, 4):
        shares = watched.belief.shares(seat)
        assert sum(shares) == pytest.approx(1)
        assert shares.index(max(shares)) == style
    assert watched.belief.certainty() > 0.8


class Steps:
    """A check that interrupts after a number of steps."""

    def __init__(self, number: int) -> None:
        self.left = number

    def __call__(self) -> None:
        if self.left == 0:
            raise OutOfTimeError
        self.left -= 1


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 2**32), st.lists(st.integers(0, 30), min_size=1))
def test_resumes_learning_after_an_interruption(seed: int, steps: list[int]) -> None:
    watched = Watched("brides-and-bribes/3", seed, DOGE, errors=0.1)
    belief = Belief(3, SEAT, [Model(3, weights) for weights in STYLES])
    for number, state in enumerate(watched.decisions()):
        belief.observe(state, watched.events)
        check = Steps(steps[number % len(steps)])
        try:
            belief.learn(check)
        except OutOfTimeError:
            assert check.left == 0
        else:
            for seat in range(3):
                assert belief.shares(seat) == watched.belief.shares(seat)
        if state.position.round == 4:
            break
    belief.learn(lambda: None)
    for seat in range(3):
        assert belief.shares(seat) == watched.belief.shares(seat)
    world, _ = belief.draw(state, random.Random(1))
    assert world.view(1) == watched.belief.draw(state, random.Random(1))[0].view(1)


# -- hidden tiles --------------------------------------------------------------------------------


@each_variant
def test_infers_tiles_of_seats_with_a_known_style(variant_id: str) -> None:
    watched = Watched(variant_id, 7, DOGE)
    found = checked = 0
    for state in watched.decisions():
        world, styles = watched.belief.draw(state, random.Random(1))
        if state.position.round > 3 and set(styles[1:]) == {DOGE}:
            checked += 1
            found += delegations(world) == delegations(watched.state)
    assert checked > 5
    assert found > 0.9 * checked


@pytest.mark.parametrize(
    ("variant_id", "style"), [(VARIANTS[0], CHANCE), (VARIANTS[1], DOGE), (VARIANTS[2], CHANCE)]
)
def test_worlds_agree_with_the_view(variant_id: str, style: int | None) -> None:
    watched = Watched(variant_id, 8, style, errors=0.2)
    for number, state in enumerate(watched.decisions()):
        if number % 4 == 0:
            world, styles = watched.belief.draw(state, random.Random(number))
            assert world.view(SEAT) == state.view(SEAT)
            assert world.legal_actions() == state.legal_actions()
            assert styles[SEAT] == OWN
            again, _ = watched.belief.draw(state, random.Random(number))
            assert again.view(1) == world.view(1)
