"""Tests that boards are rated as by the library `trueskill`, to the last bit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trueskill import Rating, TrueSkill

from arena.rating.factor_graph import Numbers, rate
from arena.rating.trueskill import BETA, MU, SIGMA

MUS = st.floats(-20.0, 70.0)
SIGMAS = st.floats(0.05, SIGMA)
RATINGS = st.builds(Rating, MUS, SIGMAS)
SIDES = st.lists(st.lists(RATINGS, min_size=1, max_size=3), min_size=2, max_size=6)
Sides = list[list[Numbers]]


def environment_of(draw_probability: float) -> TrueSkill:
    return TrueSkill(MU, SIGMA, BETA, tau=0.0, draw_probability=draw_probability)


def by_the_library(sides: list[list[Rating]], is_tied: list[bool], environment: TrueSkill) -> Sides:
    ranks = [sum([not tied for tied in is_tied[:place]]) for place in range(len(sides))]
    return numbers(environment.rate([tuple(side) for side in sides], ranks=ranks))


def numbers(sides: list[list[Rating]]) -> Sides:
    return [[(rating.mu, rating.sigma) for rating in side] for side in sides]


@given(SIDES, st.lists(st.booleans(), min_size=5, max_size=5), st.floats(0.001, 0.999))
def test_ratings_are_those_of_the_library_to_the_last_bit(
    sides: list[list[Rating]], ties: list[bool], draw_probability: float
) -> None:
    is_tied, environment = ties[: len(sides) - 1], environment_of(draw_probability)
    try:
        expected = by_the_library(sides, is_tied, environment)
    except (ArithmeticError, ValueError) as error:  # numbers that floats cannot represent
        with pytest.raises(type(error)):
            rate(sides, is_tied, environment)
    else:
        assert rate(sides, is_tied, environment) == expected


@pytest.mark.parametrize("sizes", [(1, 1), (1, 1, 1, 1), (2, 2), (2, 2, 2), (3, 3)])
def test_ratings_stay_the_same_over_many_boards(sizes: tuple[int, ...]) -> None:
    """A difference in the last bit would grow from board to board."""
    environment = environment_of(0.1)
    own = [[Rating(MU, SIGMA)] * size for size in sizes]
    for number in range(100):
        is_tied = [number % (place + 3) == 0 for place in range(len(sizes) - 1)]
        ranks = [sum([not tied for tied in is_tied[:place]]) for place in range(len(sizes))]
        rated = environment.rate([tuple(side) for side in own], ranks=ranks)
        after = rate(own, is_tied, environment)
        assert after == numbers(rated)
        own = [[Rating(*one) for one in side] for side in after]
        turn = number % len(sizes)  # another side is best next time
        own = own[turn:] + own[:turn]


@pytest.mark.parametrize("is_tied", [True, False])
def test_ratings_that_are_too_far_apart_are_refused_as_by_the_library(is_tied: bool) -> None:
    sides = [[Rating(-1e4, 0.1)], [Rating(1e4, 0.1)]]
    with pytest.raises(FloatingPointError):
        by_the_library(sides, [is_tied], environment_of(0.1))
    with pytest.raises(FloatingPointError):
        rate(sides, [is_tied], environment_of(0.1))


def test_a_gap_beyond_the_digits_of_floats_changes_nothing() -> None:
    """The better side is so much better that the result says nothing."""
    sides = [[Rating(mu, 0.5)] for mu in (90.0, 30.0, 25.0)]
    rated = rate(sides, [False, False], environment_of(0.1))
    assert rated == by_the_library(sides, [False, False], environment_of(0.1))
    assert rated[0] == numbers(sides)[0]
