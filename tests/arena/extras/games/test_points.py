"""How points came about and stand so far, and why seats rank as they do."""

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest

from arena.match.referee import final_ranks
from arena.narration.points import explain_ranks, in_words
from arena.narration.telling import telling_of
from arena.narration.words import Words
from engine import State, get_variant, variants
from tests.engine.games import finish
from tests.engine.high_card import HighCard

each_variant = pytest.mark.parametrize("variant", list(variants()))
NAMES = ("ann", "bob", "cy", "dee", "eve", "flo")


def finished(variant: str, seed: int) -> State:
    """Return the end of a random game."""
    rng, one = random.Random(seed), variants()[variant]
    return finish(one.start(one.deal(rng)), rng)


@each_variant
def test_parts_add_up_to_points(variant: str) -> None:
    for seed in range(4):
        state = finished(variant, seed)
        words = Words(state.variant.game, NAMES[: state.variant.seats])
        sides = telling_of(state.variant.game).points(state)
        assert [side.seats for side in sides] == [tuple(one) for one in state.variant.sides]
        points = state.outcome().points
        for side in sides:
            assert side.points == points[side.seats[0]]
            assert sum(item.points for item in side.items) == side.points, in_words(side, words)


# -- why seats rank as they do -------------------------------------------------------------------


def why(state: State, faulty: frozenset[int] = frozenset()) -> list[str]:
    ranks = final_ranks(state.outcome().ranks, state.variant.sides, faulty)
    words = Words(state.variant.game, NAMES[: state.variant.seats])
    return explain_ranks(state, ranks, faulty, words)


@pytest.mark.parametrize("variant", ["pot-de-vin/3", "pot-de-vin/4-teams", "brides-and-bribes/3"])
def test_explains_ranks_only_for_equal_points(variant: str) -> None:
    tied = 0
    for seed in range(30):
        state = finished(variant, seed)
        outcome, texts = state.outcome(), why(state)
        sides = sorted(state.variant.sides, key=lambda side: outcome.ranks[side[0]])
        for upper, lower in pairwise(sides):
            points = outcome.points[upper[0]], outcome.points[lower[0]]
            if points[0] <= points[1]:
                tied += 1
                name = " and ".join(NAMES[seat] for seat in lower)
                assert f"{name}" in texts[upper[0]]
                assert texts[lower[0]]
        if len(set(outcome.points)) == len(sides) and variant.startswith("pot"):
            assert set(texts) == {""}
    assert tied > 0


def test_marriage_decides_before_influence() -> None:
    texts = [text for seed in range(40) for text in why(finished("brides-and-bribes/3", seed))]
    assert any(text.endswith(", as only this one is married") for text in texts)


def test_shared_rank_in_bribery_has_no_tie_break() -> None:
    shared = [
        text
        for seed in range(40)
        for state in [finished("bribery/2", seed)]
        if len(set(state.outcome().points)) == 1
        for text in why(state)
    ]
    assert shared
    assert set(shared) == {"level with ann in points", "level with bob in points"}


def test_fault_explains_the_last_rank() -> None:
    state = finished("pot-de-vin/4-teams", 3)
    texts = why(state, frozenset([1]))
    assert texts[1] == "last because of its fault"
    assert texts[3] == "last because of the fault of bob"
    assert not any("bob" in texts[seat] for seat in (0, 2))
    everyone = why(state, frozenset([1, 2]))
    assert everyone[0] == "all sides had a fault, this one by the fault of cy"


# -- the points so far ---------------------------------------------------------------------------


def positions(variant_id: str, seed: int) -> Iterator[State]:
    """Yield the positions of a random game in which a seat is to act."""
    rng = random.Random(seed)
    variant = get_variant(variant_id)
    state = variant.start(variant.deal(rng))
    while state.seat_to_act is not None:
        yield state
        state.apply(rng.choice(state.legal_actions()))


def test_current_points_end_at_final_points() -> None:
    for variant_id in ("pot-de-vin/4-teams", "bribery/4-teams"):
        *_, state = positions(variant_id, 2)  # the last one is over by now
        assert state.seat_to_act is None
        points = telling_of(state.variant.game).points_now(state.view(None))
        assert points is not None
        for side, seats in enumerate(state.variant.sides):
            assert [state.outcome().points[seat] for seat in seats] == [points[side]] * len(seats)
    *_, state = positions("brides-and-bribes/3", 2)
    influence = telling_of("brides-and-bribes").points_now(state.view(0))
    players = state.view(0).players  # type: ignore[attr-defined]
    assert influence == [player.influence for player in players], "before coins are changed"
    other = HighCard()
    view = other.start(other.deal(random.Random(1))).view(0)
    assert telling_of("high-card").points_now(view) is None
