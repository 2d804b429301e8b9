"""The implementation of `State` for games that are declared with `engine.Game`."""
# compiled: see setup.py

import random
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from engine.contract import Outcome, Variant, play_at_random
from engine.errors import GameNotOver, IllegalAction
from engine.worlds import dump

Score = Any  # a number, or a tuple that begins with the points


class Rules:
    variant: Variant
    side_of: tuple[int, ...]
    legal_actions: Callable[[Any], list[str]]
    apply: Callable[[Any, str], None]
    view: Callable[[Any, int | None], Any]
    events: Callable[[Any, int | None, int], list[Any]]
    score: Callable[[Any], Sequence[Score]]
    points: Callable[[Any], Sequence[int]] | None
    result: Callable[[Any], msgspec.Struct] | None
    win_weight: Callable[[Sequence[Score]], int] | None
    redraw: Callable[[Any, int, random.Random], Any]
    play_out: Callable[[Any, random.Random], int] | None
    forget: Callable[[Any], None] | None

    def __reduce__(self) -> tuple[Any, tuple[Variant]]:
        return _rules_of, (self.variant,)


def _rules_of(variant: Any) -> Rules:
    rules: Rules = variant.rules
    return rules


class GameState:
    """A state of a declared game. Use `build_state` to create one."""

    __slots__ = ("position", "rules", "seat_to_act", "variant")

    variant: Variant
    rules: Rules
    position: Any
    seat_to_act: int | None

    def legal_actions(self) -> list[str]:
        list_legal = self.rules.legal_actions  # faster than calling the attribute directly
        return list_legal(self.position)

    def apply(self, action: object) -> None:
        position = self.position
        if not isinstance(action, str):
            raise IllegalAction(action, self.seat_to_act, self.legal_actions())
        apply = self.rules.apply
        apply(position, action)
        self.seat_to_act = position.seat_to_act

    def view(self, seat: int | None) -> Any:
        view = self.rules.view
        return view(self.position, seat)

    def events(self, seat: int | None, since: int = 0) -> list[Any]:
        events = self.rules.events
        return events(self.position, seat, since)

    def outcome(self) -> Outcome:
        if self.seat_to_act is not None:
            raise GameNotOver(f"no outcome yet: seat {self.seat_to_act} is to act")
        rules, position = self.rules, self.position
        scores = rules.score(position)
        ranks = rank(scores)
        if rules.points is not None:
            points = rules.points(position)
        else:
            points = scores if isinstance(scores[0], int) else [score[0] for score in scores]
        detail = None
        if (result := rules.result) is not None:
            make = result
            detail = lambda: make(position)  # noqa: E731  # mypyc cannot compile a nested function here
        return Outcome(
            tuple([points[side] for side in rules.side_of]),
            tuple([ranks[side] for side in rules.side_of]),
            detail,
            1 if rules.win_weight is None else rules.win_weight(scores),
        )

    def clone(self) -> "GameState":
        other = GameState()
        other.variant = self.variant
        other.rules = self.rules
        other.position = self.position.copy()
        other.seat_to_act = self.seat_to_act
        return other

    def play_out(self, rng: random.Random) -> int:
        if self.rules.play_out is None:
            return play_at_random(self, rng)
        actions = self.rules.play_out(self.position, rng)
        self.seat_to_act = None
        return actions

    def determinize(self, seat: int, rng: random.Random) -> "GameState":
        return build_state(self.variant, self.rules.redraw(self.position, seat, rng))

    def dump(self) -> bytes:
        position = self.position.copy()
        if (forget := self.rules.forget) is not None:
            forget(position)
        return dump(self.variant, position)


def build_state(variant: Any, position: Any) -> GameState:
    state = GameState()
    state.variant = variant
    state.rules = variant.rules
    state.position = position
    state.seat_to_act = position.seat_to_act
    return state


def rank(scores: Sequence[Score]) -> list[int]:
    """Return the rank of each side, which is 1 plus the number of sides with higher scores."""
    best_first = sorted(scores)
    best_first.reverse()
    return [1 + best_first.index(own) for own in scores]
