"""Tests of the results of each entrant against each other."""

import pytest

from arena.rating.board_model import fit_boards
from arena.rating.board_sums import BoardSums
from arena.rating.complete_boards import read_boards
from arena.rating.pairs import Pair, pair_gap, pairs
from arena.record import GameRecord
from engine import get_variant
from tests.arena.rating.made_boards import (
    TEAMS,
    THREE,
    board_won_by,
    partners_won,
    results_in,
    tied_board,
)
from tests.arena.runs import hand_made


def test_the_share_of_boards_ahead_counts_a_tie_half() -> None:
    records = [*board_won_by("a", 1), *board_won_by("a", 2), *board_won_by("b", 3), *tied_board(4)]
    found = {
        (pair.bot, pair.opponent): pair for pair in pairs(results_in(records, {THREE.id: THREE}))
    }
    assert list(found) == [("a", "b"), ("a", "c"), ("b", "a"), ("b", "c"), ("c", "a"), ("c", "b")]
    assert {pair.boards for pair in found.values()} == {4}
    assert found["a", "b"].ahead == (2 + 0 + 0.5) / 4
    assert found["b", "a"].ahead == (0 + 1 + 0.5) / 4
    assert found["b", "c"].ahead == (0.5 + 0.5 + 1 + 0.5) / 4


def test_partners_are_no_pair() -> None:
    found = pairs(results_in(partners_won(), {TEAMS.id: TEAMS}))
    assert found == [
        *[Pair(bot, opponent, 1, 1.0) for bot in "a" for opponent in "bd"],
        *[Pair(bot, opponent, 1, 0.0) for bot in "b" for opponent in "ac"],
        *[Pair(bot, opponent, 1, 1.0) for bot in "c" for opponent in "bd"],
        *[Pair(bot, opponent, 1, 0.0) for bot in "d" for opponent in "ac"],
    ]


def test_only_complete_boards_count() -> None:
    complete = pairs(results_in(board_won_by("a", 1), {THREE.id: THREE}))
    assert (
        pairs(results_in([*board_won_by("a", 1), *board_won_by("b", 2)[:2]], {THREE.id: THREE}))
        == complete
    )
    assert pairs(results_in(board_won_by("a", 1)[:2], {THREE.id: THREE})) == []


def test_boards_of_all_variants_are_added() -> None:
    found = pairs(
        results_in([*board_won_by("a", 1), *partners_won()], {THREE.id: THREE, TEAMS.id: TEAMS})
    )
    boards = {(pair.bot, pair.opponent): pair.boards for pair in found}
    assert boards["a", "b"] == 2
    assert boards["a", "c"] == boards["a", "d"] == 1


# -- the gap between two bots, beside the scores of the board model --------------------------


VARIANTS = {"pot-de-vin/3": get_variant("pot-de-vin/3")}
NAMES = ["a", "b", "c", "d", "e"]


def board(number: int, *entrants: str) -> list[GameRecord]:
    """Return the games of a board, in which the entrants end in this order."""
    return [
        hand_made(
            [1 + (seat - rotation) % 3 for seat in range(3)],
            entrants=entrants,
            board=number,
            rotation=rotation,
        )
        for rotation in range(3)
    ]


RECORDS = [
    *board(1, "a", "b", "c"),
    *board(2, "b", "a", "d"),
    *board(3, "a", "c", "d"),
    *board(4, "d", "b", "c"),
    *board(5, "a", "c", "d"),
    *board(6, "a", "b", "c")[:2],
]
BOARDS = [board.shares for board in read_boards(RECORDS, VARIANTS)]


def test_the_gap_is_that_of_the_board_model() -> None:
    found = pair_gap(BOARDS, NAMES, ("a", "c"))
    model = fit_boards(BoardSums(NAMES, BOARDS))
    scores = {one.bot: one for one in model.scores}
    gap = model.gaps["a", "c"]
    assert gap.is_known
    assert [one.score for one in found.bots] == [scores["a"].score, scores["c"].score]
    assert [one.boards for one in found.bots] == [4, 4]
    assert found.boards_together == 3
    assert found.gap == gap.mean
    assert (found.low, found.high) == (max(-1.0, gap.interval()[0]), min(1.0, gap.interval()[1]))
    assert found.certainty == model.certainty("a", "c")


def test_the_other_way_round_it_is_mirrored() -> None:
    found = pair_gap(BOARDS, NAMES, ("a", "c"))
    mirrored = pair_gap(BOARDS, NAMES, ("c", "a"))
    assert [mirrored.gap, mirrored.high, mirrored.certainty] == pytest.approx(
        [-(found.gap or 0.0), -(found.low or 0.0), 1 - (found.certainty or 0.0)]
    )


def test_little_is_said_of_few_boards_and_nothing_of_none() -> None:
    few = pair_gap(BOARDS[:2], NAMES, ("a", "b"))
    assert few.gap is not None
    assert (few.low, few.high, few.certainty) == (None, None, None)
    none = pair_gap(BOARDS, NAMES, ("a", "e"))
    assert (none.gap, none.bots[1].score, none.boards_together) == (None, None, 0)
