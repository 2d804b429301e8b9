"""Whole games of any variant, through the public contract, for the tests of all games."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from hypothesis import strategies as st

from engine import State, Variant

SEEDS = st.integers(0, 2**32 - 1)


def as_json(thing: object) -> Any:
    """Return a view, event, deal or result as plain JSON data."""
    return msgspec.json.decode(msgspec.json.encode(thing))


@dataclass(frozen=True)
class Game:
    """A whole game: its deal, and its actions with the seats that chose them."""

    variant: Variant
    deal: msgspec.Struct
    actions: tuple[str, ...]
    seats: tuple[int, ...]

    def moments(self) -> Iterator[State]:
        """Yield the state before each action, and at the end."""
        state = self.variant.start(self.deal)
        for action in self.actions:
            yield state
            state.apply(action)
        yield state

    def end(self) -> State:
        *_, state = self.moments()
        return state


Chooser = Callable[[State], str]


def play(variant: Variant, deal: msgspec.Struct, choose: Chooser) -> Game:
    """Return the game in which every action is chosen so."""
    state = variant.start(deal)
    actions, seats = [], []
    while state.seat_to_act is not None:
        seats.append(state.seat_to_act)
        actions.append(choose(state))
        state.apply(actions[-1])
    return Game(variant, deal, tuple(actions), tuple(seats))


def finish(state: State, rng: random.Random) -> State:
    """Play a state uniformly at random to its end, and return it."""
    while state.seat_to_act is not None:
        state.apply(rng.choice(state.legal_actions()))
    return state
