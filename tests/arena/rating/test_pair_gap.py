"""The gap between two bots of a run, beside the scores of the board model."""

import pytest

from arena.rating.board_model import fit_boards
from arena.rating.board_sums import BoardSums
from arena.rating.complete_boards import read_boards
from arena.rating.pairs import pair_gap
from arena.record import GameRecord
from engine import get_variant
from tests.arena.runs import hand_made

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
