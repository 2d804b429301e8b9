"""Tests of means over boards and of the gain of duplicate play."""

import math
import random
import tracemalloc
from collections.abc import Sequence
from itertools import repeat

import pytest

from arena.contracts import Field
from arena.plugins import get_schedule
from arena.rating.board_points import BoardSample, BoardScores, duplicate_gain
from arena.schedule.chance import Chance
from arena.schedule.plan import Board, plan
from engine import get_variant

NAMES = tuple(f"e{number}" for number in range(7))
STRENGTH = {name: float(number) for number, name in enumerate(NAMES)}
THREE = get_variant("pot-de-vin/3")
TEAMS = get_variant("pot-de-vin/4-teams")


def scores(
    boards: Sequence[Board], rng: random.Random, *, luck: float = 0.0, dice: float = 0.0
) -> list[BoardScores]:
    """Return scores on boards where the points of a side are its strength less that of others."""
    found = []
    for board in boards:
        variant = get_variant(board.variant)
        cards = [rng.gauss(0, luck) for _ in range(variant.seats)]
        points: dict[str, list[float]] = {name: [0.0] * variant.seats for name in board.entrants}
        for rotation in range(variant.seats):
            seating = board.seating(rotation)
            bids = [
                STRENGTH[name] + card + rng.gauss(0, dice)
                for name, card in zip(seating, cards, strict=True)
            ]
            for side in variant.sides:
                own = sum(bids[seat] for seat in side)
                for seat in side:
                    points[seating[seat]][seat] = len(variant.sides) * own - sum(bids)
        sides = [tuple([board.entrants[place] for place in side]) for side in variant.sides]
        members = [name for side in sides for name in side]
        by_seat = [one for name in members for one in points[name]]
        found.append(BoardScores(tuple(sides), tuple(by_seat)))
    return found


def scheduled(variant_id: str, blocks: int) -> list[Board]:
    """Return the boards of seven entrants."""
    variant = get_variant(variant_id)
    fields = [Field(variant, NAMES)]
    return list(
        plan(get_schedule("round-robin"), fields, blocks * variant.seats, Chance(0).schedule)
    )


def means_of(boards: Sequence[BoardScores]) -> list[float]:
    """Return the points a game of each entrant on each board."""
    return [
        math.fsum(points) / len(points)
        for board in boards
        for points in zip(*[iter(board.points)] * len(board.names), strict=True)
    ]


@pytest.mark.parametrize("variant_id", [THREE.id, TEAMS.id])
def test_opponents_and_partners_add_no_error(variant_id: str) -> None:
    """Without luck, boards differ only by their entrants, which the estimate knows."""
    own = scores(scheduled(variant_id, 28), random.Random(1))
    names = [name for board in own for name in board.names]
    for name, estimate in BoardSample(own).estimates(means_of(own)).items():
        assert estimate
        plain = [mean for one, mean in zip(names, means_of(own), strict=True) if one == name]
        assert estimate.mean == pytest.approx(sum(plain) / len(plain))
        assert estimate.error < 0.1 * (max(plain) - min(plain))


def test_too_few_boards_give_no_estimate() -> None:
    own = scores(scheduled(THREE.id, 2), random.Random(1), dice=1.0)
    assert set(BoardSample(own).estimates(means_of(own)).values()) == {None}


def test_the_same_entrants_on_all_boards_get_plain_estimates() -> None:
    boards = [Board(THREE.id, number, 0, NAMES[:3]) for number in range(20)]
    own = scores(boards, random.Random(2), dice=1.0)
    for estimate in BoardSample(own).estimates(means_of(own)).values():
        assert estimate
        assert 10 < estimate.degrees <= 19


def test_intervals_contain_the_true_mean_at_their_confidence() -> None:
    """This is for large errors; `docs/ratings.md` has finer measurements."""
    rng = random.Random(3)
    boards = scheduled(THREE.id, 15)
    held = rows = 0
    for _ in range(60):
        own = scores(boards, rng, luck=3.0, dice=1.0)
        for name, estimate in BoardSample(own).estimates(means_of(own)).items():
            assert estimate
            others = (sum(STRENGTH.values()) - STRENGTH[name]) / (len(NAMES) - 1)
            low, high = estimate.interval()
            held += low <= 2 * (STRENGTH[name] - others) <= high
            rows += 1
    assert 0.92 <= held / rows <= 0.99


@pytest.mark.parametrize(
    ("luck", "dice", "least", "most"), [(0.0, 1.0, 0.8, 1.25), (2.0, 1.0, 3, 8)]
)
def test_the_gain_of_duplicate_play_grows_with_luck(
    luck: float, dice: float, least: float, most: float
) -> None:
    """With luck, a fifth of the variance is the dice's: the gain is about five."""
    own = scores(scheduled(THREE.id, 60), random.Random(4), luck=luck, dice=dice)
    gain = duplicate_gain(BoardSample(own))
    assert gain
    assert least < gain < most


def test_there_is_no_gain_without_boards_or_differences() -> None:
    assert duplicate_gain(BoardSample([])) is None
    boards = [Board(THREE.id, number, 0, NAMES[:3]) for number in range(40)]
    assert duplicate_gain(BoardSample(scores(boards, random.Random(1)))) in (
        None,
        pytest.approx(1 / 3),
    )


def test_a_score_takes_few_bytes() -> None:
    """So that the memory of a leaderboard hardly grows with the number of games."""

    def kept_bytes(number: int) -> int:
        board = BoardScores((("a",), ("b",), ("c",)), (1.0, 2.0, 3.0) * 3)
        tracemalloc.start()
        try:
            sample = BoardSample(repeat(board, number))
            assert len(sample) == 3 * number
            return tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()

    assert (kept_bytes(3000) - kept_bytes(1000)) / 6000 == pytest.approx(
        10 + 8 * 3 + 8 / 3, rel=0.15
    )


# -- means whose opponents differ on every board ---------------------------------------------


def met_once(boards: int) -> BoardSample:
    """Return scores of "a" against two new opponents on each board: its points are 1, 2, 3 ..."""
    return BoardSample(
        [
            BoardScores((("a",), (f"b{board}",), (f"c{board}",)), (float(board),) * 9)
            for board in range(1, boards + 1)
        ]
    )


@pytest.mark.parametrize("boards", [3, 4])
def test_opponents_met_once_leave_the_standard_error_of_a_plain_mean(boards: int) -> None:
    estimate = met_once(boards).points_per_game["a"]
    assert estimate
    mean = (boards + 1) / 2
    squares = sum((board + 1 - mean) ** 2 for board in range(boards))
    assert estimate.mean == mean
    assert estimate.degrees == boards - 1
    assert estimate.error == pytest.approx(math.sqrt(squares / (boards - 1) / boards))


def test_two_boards_are_too_few_for_a_plain_mean() -> None:
    assert met_once(2).points_per_game["a"] is None


def test_a_score_has_no_wins_unless_they_are_given() -> None:
    sample = met_once(1)
    assert list(sample.wins()) == [("a", 0.0, 0), ("b1", 0.0, 0), ("c1", 0.0, 0)]
