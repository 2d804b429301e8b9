"""Whole games of any variant, through the public contract, for the tests of all games."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st

from engine import State, Variant

SEEDS = st.integers(0, 2**32 - 1)

Json = dict[str, Any]

LONG_GAMES = (
    "bribery/3-advanced",
    "bribery/4-advanced",
    "bribery/4-teams-advanced",
    "brides-and-bribes/4",
    "brides-and-bribes/5",
    "pot-de-vin/6-teams",
)
"""Variants whose tests take long, and which have smaller sisters. Where that matters, they are
slow or long."""


def each_by_length(variants: Sequence[Variant]) -> pytest.MarkDecorator:
    """Return the parameters of a test for `variants`: those of `LONG_GAMES` are long.

    One of them is slow only, because its trump pile is like no other.
    """

    def marks(variant: Variant) -> list[pytest.MarkDecorator]:
        if variant.id not in LONG_GAMES:
            return []
        return [pytest.mark.slow if variant.id == "pot-de-vin/6-teams" else pytest.mark.long]

    cases = [pytest.param(variant, id=variant.id, marks=marks(variant)) for variant in variants]
    return pytest.mark.parametrize("variant", cases)


def as_json(thing: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(thing))


def raw_deal(variant: Variant, seed: int = 0) -> Json:
    raw: Json = as_json(variant.deal(random.Random(seed)))
    return raw


@dataclass(frozen=True)
class Game:
    variant: Variant
    deal: msgspec.Struct
    actions: tuple[str, ...]
    seats: tuple[int, ...]

    def moments(self, every: int = 1) -> Iterator[State]:
        """Yield the state before each action, or every `every`-th one, and at the end."""
        state = self.variant.start(self.deal)
        for number, action in enumerate(self.actions):
            if number % every == 0:
                yield state
            state.apply(action)
        yield state

    def end(self) -> State:
        *_, state = self.moments()
        return state


Chooser = Callable[[State], str]


def play(variant: Variant, deal: msgspec.Struct, choose: Chooser) -> Game:
    state = variant.start(deal)
    actions, seats = [], []
    while state.seat_to_act is not None:
        seats.append(state.seat_to_act)
        actions.append(choose(state))
        state.apply(actions[-1])
    return Game(variant, deal, tuple(actions), tuple(seats))


def seat_moments(games: Iterable[Game], every: int = 1) -> Iterator[tuple[Game, State, int]]:
    for game in games:
        for state in game.moments(every):
            for seat in range(game.variant.seats):
                yield game, state, seat


def sent_world(state: State, seat: int, rng: random.Random) -> Any:
    return state.variant.load(state.determinize(seat, rng).dump())


def finish(state: State, rng: random.Random) -> State:
    while state.seat_to_act is not None:
        state.apply(rng.choice(state.legal_actions()))
    return state
