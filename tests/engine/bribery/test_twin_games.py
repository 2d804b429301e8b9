"""Invariants 12 and 13 of section 13: two games that must agree, move by move.

Invariant 11, that views do not show hidden cards, is checked of all games by `check_determinize`.
"""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import GameVariant
from tests.engine.bribery.play import (
    BASIC,
    any_game,
    check_as_basic_in_advanced,
    forced_game,
    random_game,
)
from tests.engine.games import SEEDS, Game, as_json


def rotated(thing: Any, r: int, n: int, sides: int) -> Any:
    """Return a view or result as it is when every seat has moved by r."""
    seats = {"seat", "turn_seat", "to_act", "leader", "start"}
    by_seat = {"hand_sizes", "deck_sizes", "seat_points", "places"}
    side, by_side = {"side", "controller", "free_placement"}, {"totals", "points"}

    def turn(key: str, value: Any) -> Any:
        if value is None:
            return None
        if key in seats:
            return (value + r) % n
        if key in side:
            return (value + r) % sides
        if key in by_seat:
            return [value[(seat - r) % n] for seat in range(n)]
        if key in by_side or (key == "votes" and isinstance(value, list)):
            return (
                [value[(each - r) % sides] for each in range(sides)]
                if isinstance(value, list)
                else value
            )
        if key == "winners":
            return sorted((seat + r) % n for seat in value)
        if key == "to_ask":
            return [(seat + r) % n for seat in value]
        if isinstance(value, dict):
            return {name: turn(name, each) for name, each in value.items()}
        if isinstance(value, list):
            return [turn("", each) for each in value]
        return value

    return turn("", thing)


@settings(max_examples=10)
@given(game=any_game, r=st.integers(1, 3))
def test_invariant_12_replay_and_rotation(game: Game, r: int) -> None:
    """The same deal and actions give the same game; with seats moved, the same moved."""
    variant, raw = game.variant, as_json(game.deal)
    n, sides = variant.seats, len(variant.sides)
    again = variant.start(variant.read_deal(raw))
    decks = [raw["decks"][(seat - r) % n] for seat in range(n)]
    turned = raw | {"decks": decks, "start": (raw["start"] + r) % n}
    moved = variant.start(variant.read_deal(turned))
    for state, action in zip(game.moments(), [*game.actions, None], strict=True):
        assert again.view(0) == state.view(0)
        assert as_json(moved.view(r % n)) == rotated(as_json(state.view(0)), r, n, sides)
        if action is not None:
            again.apply(action)
            moved.apply(action)
    assert again.outcome().detail == game.end().outcome().detail
    assert as_json(moved.outcome().detail) == rotated(
        as_json(game.end().outcome().detail), r, n, sides
    )


@settings(max_examples=15)
@given(variant=st.sampled_from(BASIC), seed=SEEDS, forced=st.booleans())
def test_invariant_13_basic_in_advanced(variant: GameVariant, seed: int, forced: bool) -> None:
    check_as_basic_in_advanced(forced_game(variant, seed) if forced else random_game(variant, seed))
