"""The points so far, in random games."""

import random
from collections.abc import Iterator

from arena.narration.turns import points_now
from engine import State, get_variant
from tests.engine.high_card import HighCard


def positions(variant_id: str, seed: int) -> Iterator[State]:
    """Yield the positions of a random game in which a seat is to act."""
    rng = random.Random(seed)
    variant = get_variant(variant_id)
    state = variant.start(variant.deal(rng))
    while state.seat_to_act is not None:
        yield state
        state.apply(rng.choice(state.legal_actions()))


def test_points_so_far_become_those_of_the_result() -> None:
    for variant_id in ("pot-de-vin/4-teams", "bribery/4-teams"):
        *_, state = positions(variant_id, 2)  # the last one is over by now
        assert state.seat_to_act is None
        points = points_now(state.variant.game, state.view(None))
        assert points is not None
        for side, seats in enumerate(state.variant.sides):
            assert [state.outcome().points[seat] for seat in seats] == [points[side]] * len(seats)


def test_influence_so_far_is_that_before_coins_are_changed() -> None:
    *_, state = positions("brides-and-bribes/3", 2)
    points = points_now("brides-and-bribes", state.view(0))
    assert points == [player.influence for player in state.view(0).players]  # type: ignore[attr-defined]


def test_a_game_of_a_plugin_has_no_points_so_far() -> None:
    variant = HighCard()
    state = variant.start(variant.deal(random.Random(1)))
    assert points_now("high-card", state.view(0)) is None
