"""How points came about: the parts of each side add up to its points."""

import random

import pytest

from arena.narration.points import explain_points, in_words
from arena.narration.words import Words
from engine import State, variants

each_variant = pytest.mark.parametrize("variant", list(variants()))
NAMES = ("ann", "bob", "cy", "dee", "eve", "flo")


def finished(variant: str, seed: int) -> State:
    """Return the end of a random game."""
    rng = random.Random(seed)
    one = variants()[variant]
    state = one.start(one.deal(rng))
    while state.seat_to_act is not None:
        state.apply(rng.choice(state.legal_actions()))
    return state


@each_variant
def test_the_parts_of_each_side_add_up_to_its_points(variant: str) -> None:
    for seed in range(4):
        state = finished(variant, seed)
        words = Words(state.variant.game, NAMES[: state.variant.seats])
        sides = explain_points(state)
        assert [side.seats for side in sides] == [tuple(one) for one in state.variant.sides]
        points = state.outcome().points
        for side in sides:
            assert side.points == points[side.seats[0]]
            assert sum(item.points for item in side.items) == side.points, in_words(side, words)


@pytest.mark.parametrize(
    ("variant", "texts"),
    [
        ("pot-de-vin/4-teams", ("ann and cy: ", " points: ", " card", "break ties")),
        ("bribery/3", ("votes ", "spades (")),
        ("brides-and-bribes/3", ("workshops", "coins +")),
    ],
)
def test_points_in_words_say_what_they_are_for(variant: str, texts: tuple[str, ...]) -> None:
    state = finished(variant, 3)
    words = Words(state.variant.game, NAMES[: state.variant.seats])
    told = "\n".join(in_words(side, words) for side in explain_points(state))
    for text in texts:
        assert text in told
