"""Games that look the same to a seat as the game being played, to check what seats are told."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from engine.changed_deals import similar_deals
from engine.contract import State
from engine.errors import IllegalAction

MAX_FOLLOWED = 40
"""Maximum number of lookalikes to follow. The oldest are dropped first."""

CONTINUATIONS = 4
"""Number of random continuations to search for a difference."""


@dataclass
class Lookalike:
    """A game that differs from the one being played in one deal value or one hidden action."""

    state: State
    seats: set[int]
    """Seats whose views so far do not reveal the difference."""


class Followed:
    """The lookalikes of a running game."""

    def __init__(self, state: State, deal: msgspec.Struct, rng: random.Random) -> None:
        """Start from deals that differ from `deal`, the deal of `state`, in one place."""
        self._rng = rng
        variant = state.variant
        self._seats = range(variant.seats)
        starts = [variant.start(other) for other in similar_deals(variant, deal, rng)]
        self.lookalikes = _that_look_like(state, [Lookalike(s, {*self._seats}) for s in starts])

    def follow(self, before: State, action: str, state: State) -> None:
        """Play `action` in all lookalikes and add one in which another action was played.

        `before` and `state` are the real game before and after the action.
        """
        played = [each for each in self.lookalikes if _can_apply(each.state, action)]
        others = [other for other in before.legal_actions() if other != action]
        if others:
            after = before.clone()
            after.apply(self._rng.choice(others))
            played.append(Lookalike(after, {*self._seats} - {before.seat_to_act}))
        self.lookalikes = _that_look_like(state, played)[-MAX_FOLLOWED:]

    def same(self, state: State, seat: int) -> list[State]:
        """Return the lookalikes of `state` that `seat` cannot tell from it, oldest first."""
        told = state.events(seat)
        found = [each.state for each in self.lookalikes if seat in each.seats]
        return [other for other in found if other.events(seat) == told]


def is_hidden(state: State, other: State, rng: random.Random) -> bool:
    """Return whether the difference between the states can still be seen or decide a game."""
    for _ in range(CONTINUATIONS):
        one, two = state.clone(), other.clone()
        for _ in range(state.variant.max_decisions):
            if _look(one) != _look(two):
                return True
            if one.seat_to_act is None:
                break
            action = rng.choice(one.legal_actions())
            one.apply(action)
            two.apply(action)
    return False


def _look(state: State) -> list[Any]:
    """Return legal actions and all views; at the end, where all may be revealed, the ranks."""
    if state.seat_to_act is None:
        return [state.outcome().ranks]
    views = [state.view(seat) for seat in range(state.variant.seats)]
    return [state.seat_to_act, state.legal_actions(), *views]


def _that_look_like(state: State, lookalikes: Sequence[Lookalike]) -> list[Lookalike]:
    """Drop seats that see a difference from `state`, and lookalikes with no seats left."""
    views = [state.view(seat) for seat in range(state.variant.seats)]
    for each in lookalikes:
        other = each.state
        if other.seat_to_act != state.seat_to_act:
            each.seats = set()
        each.seats = {seat for seat in each.seats if other.view(seat) == views[seat]}
    return [each for each in lookalikes if each.seats]


def _can_apply(state: State, action: str) -> bool:
    try:
        state.apply(action)
    except IllegalAction:
        return False
    return True
