"""The schedule is pure, and treats everybody alike."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.schedule import Board, plan, whole_rounds
from engine import Variant, get_variant, variants

MOST = 40
numbers = st.integers(3, MOST)
lengths = st.integers(1, 7)
seeds = st.integers(0, 3)


def names(number: int) -> list[str]:
    """Return the names of so many entrants."""
    return [f"e{each}" for each in range(number)]


def playable(number: int) -> list[Variant]:
    """Return the registered variants that so many entrants can play."""
    return [variant for variant in variants().values() if variant.seats <= number]


@cache
def schedule(number: int, rounds: int, seed: int) -> tuple[Board, ...]:
    """Return the boards of a run of all variants that so many entrants can play."""
    chosen = playable(number)
    entrants = {variant.id: names(number) for variant in chosen}
    return tuple(plan(chosen, entrants, rounds, seed))


def blocks(boards: Sequence[Board], variant: Variant) -> Iterator[list[Board]]:
    """Yield the boards of a variant that begin in the same round."""
    own = [board for board in boards if board.variant == variant.id]
    return (list(block) for _, block in groupby(own, key=lambda board: board.round))


def meetings(boards: Sequence[Board], number: int) -> list[int]:
    """Return how often each two entrants are on the same board."""
    met = Counter(pair for board in boards for pair in combinations(sorted(board.entrants), 2))
    return [met[pair] for pair in combinations(sorted(names(number)), 2)]


@settings(max_examples=8)
@given(numbers, lengths, seeds)
def test_the_same_settings_give_the_same_schedule(number: int, rounds: int, seed: int) -> None:
    again = schedule.__wrapped__(number, rounds, seed)
    assert again == schedule(number, rounds, seed)


@settings(max_examples=8)
@given(numbers, lengths, seeds, st.randoms(use_true_random=False))
def test_the_order_of_the_entrants_does_not_matter(
    number: int, rounds: int, seed: int, rng: random.Random
) -> None:
    chosen = playable(number)
    shuffled = {variant.id: rng.sample(names(number), number) for variant in chosen}
    assert tuple(plan(chosen, shuffled, rounds, seed)) == schedule(number, rounds, seed)


def test_another_seed_gives_another_schedule() -> None:
    assert len({schedule(12, 6, seed) for seed in range(4)}) == 4


def test_a_longer_run_begins_like_a_shorter_one() -> None:
    shorter = schedule(9, 6, 0)
    assert schedule(9, 12, 0)[: len(shorter)] == shorter


def test_a_variant_is_scheduled_alike_whatever_else_is_played() -> None:
    variant = get_variant("pot-de-vin/4")
    alone = tuple(plan([variant], {variant.id: names(9)}, 9, 0))
    assert alone == tuple(board for board in schedule(9, 9, 0) if board.variant == variant.id)


@settings(max_examples=12)
@given(numbers, lengths, seeds)
def test_boards_come_by_round_and_are_numbered_by_variant(
    number: int, rounds: int, seed: int
) -> None:
    boards = schedule(number, rounds, seed)
    order = [variant.id for variant in playable(number)]
    places = [(board.round, order.index(board.variant)) for board in boards]
    assert places == sorted(places)
    for variant in playable(number):
        own = [board for board in boards if board.variant == variant.id]
        assert [board.number for board in own] == list(range(1, len(own) + 1))
        starts = range(0, rounds, variant.seats)
        assert sorted({board.round for board in own}) == list(starts)


@settings(max_examples=12)
@given(numbers, lengths, seeds)
def test_everybody_sits_once_a_round_at_every_variant_but_for_byes(
    number: int, rounds: int, seed: int
) -> None:
    for variant in playable(number):
        for block in blocks(schedule(number, rounds, seed), variant):
            for rotation in range(variant.seats):  # the round of the block's first, plus this
                sitting = [name for board in block for name in board.seating(rotation)]
                assert len(sitting) == len(set(sitting)) == number - number % variant.seats
                assert set(sitting) <= set(names(number))


@settings(max_examples=12)
@given(numbers, seeds)
def test_at_no_time_does_anybody_have_two_byes_more_than_another(number: int, seed: int) -> None:
    for variant in playable(number):
        byes = Counter(names(number))
        for block in blocks(schedule(number, 13, seed), variant):
            playing = {name for board in block for name in board.entrants}
            byes.update(set(names(number)) - playing)
            assert max(byes.values()) - min(byes.values()) <= 1, variant.id


@settings(max_examples=12)
@given(numbers, lengths, seeds)
def test_over_a_board_everybody_sits_once_in_every_seat(
    number: int, rounds: int, seed: int
) -> None:
    for board in schedule(number, rounds, seed):
        seats = get_variant(board.variant).seats
        assert len(set(board.entrants)) == len(board.entrants) == seats
        seatings = [board.seating(rotation) for rotation in range(seats)]
        for by_seat in zip(*seatings, strict=True):
            assert sorted(by_seat) == sorted(board.entrants)
        for rotation, seating in enumerate(seatings):
            for place, name in enumerate(board.entrants):
                assert seating[(place + rotation) % seats] == name


@pytest.mark.parametrize(
    "variant", [each for each in variants().values() if each.teams], ids=lambda each: each.id
)
def test_partners_stay_partners_in_every_rotation(variant: Variant) -> None:
    board = Board(variant.id, 1, 0, tuple(names(variant.seats)))
    partners = {frozenset(board.entrants[place] for place in side) for side in variant.sides}
    for rotation in range(variant.seats):
        seating = board.seating(rotation)
        assert {frozenset(seating[seat] for seat in side) for side in variant.sides} == partners


@pytest.mark.parametrize("variant_id", list(variants()))
def test_meetings_are_reasonably_even(variant_id: str) -> None:
    """Where several tables can be filled, they differ by a few; else byes alone decide them."""
    variant = get_variant(variant_id)
    for number in range(variant.seats, 17):
        entrants = {variant.id: names(number)}
        met = meetings(list(plan([variant], entrants, 24 * variant.seats, 0)), number)
        spread, mean = max(met) - min(met), sum(met) / len(met)
        assert min(met) > 0, number
        assert spread <= (5 if number >= 2 * variant.seats else mean + 3), number


@pytest.mark.parametrize("variant_id", list(variants()))
def test_in_a_large_field_few_meet_again_soon(variant_id: str) -> None:
    variant = get_variant(variant_id)
    met = meetings(list(plan([variant], {variant.id: names(MOST)}, 2 * variant.seats, 0)), MOST)
    assert Counter(met)[2] <= MOST / 8
    assert max(met) <= 2


@given(st.integers(2, 12), st.integers(1, 500))
def test_rounds_are_rounded_up_to_whole_boards(seats: int, rounds: int) -> None:
    rounded = whole_rounds(seats, rounds)
    assert rounded % seats == 0
    assert rounds <= rounded < rounds + seats
