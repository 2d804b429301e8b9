"""Tests of the worst boards of a bot."""

import pytest
from msgspec.structs import replace

from arena.publish.notable_games import (
    WORST_BOARDS,
    RotationResult,
    Scale,
    WorstBoards,
    margins_of_bots,
    worst_boards,
)
from arena.record import GameRecord
from engine import get_variant
from tests.arena.playing import make_game
from tests.arena.runs import play_out

NAMES = ("ann", "bob", "cy")


def rotations(points: tuple[int, int, int], board: int = 1) -> list[GameRecord]:
    """Return a board on which the first bot of each game has the first number of points."""
    first = play_out(make_game("pot-de-vin/3", 7, NAMES))
    return [
        replace(
            first,
            key=f"{board}-{number}",
            board=board,
            rotation=number,
            entrants=NAMES[-number:] + NAMES[:-number],
            points=points,
            ranks=(3, 2, 1),
        )
        for number in range(3)
    ]


def test_the_margin_of_a_board_is_that_of_a_game() -> None:
    margins = margins_of_bots(rotations((1, 4, 6)), get_variant("pot-de-vin/3"))
    assert margins == pytest.approx(dict.fromkeys(NAMES, (-5 - 2 + 2) / 3))


def test_a_board_shows_each_bot_in_each_rotation() -> None:
    worst = WorstBoards()
    worst.add(-2.0, rotations((1, 4, 6), board=5))
    (board,) = worst.boards
    assert board.title == "pot-de-vin/3 board 5"
    assert board.lines == [
        ("ann", [RotationResult(0, 1, 3), RotationResult(1, 4, 2), RotationResult(2, 6, 1)]),
        ("bob", [RotationResult(1, 4, 2), RotationResult(2, 6, 1), RotationResult(0, 1, 3)]),
        ("cy", [RotationResult(2, 6, 1), RotationResult(0, 1, 3), RotationResult(1, 4, 2)]),
    ]


def test_the_heaviest_defeats_are_kept_and_no_board_without_one() -> None:
    worst = WorstBoards()
    for number, margin in enumerate([-1.0, 3.0, -9.0, 0.0, -4.0, -9.0, -2.0]):
        worst.add(margin, rotations((1, 4, 6), board=number))
    assert [(one.margin, one.board) for one in worst.boards] == [(-9.0, 2), (-9.0, 5), (-4.0, 4)]
    assert len(worst.boards) == WORST_BOARDS


def test_boards_of_variants_are_compared_in_deviations() -> None:
    one, other = WorstBoards(), WorstBoards()
    one.add(-10.0, rotations((1, 4, 6)))
    other.add(-4.0, [replace(game, variant="bribery/3") for game in rotations((1, 4, 6))])
    scales = {"pot-de-vin/3": Scale(0.0, 10.0), "bribery/3": Scale(0.0, 2.0)}
    found = worst_boards([one, other], scales)
    assert [board.variant for board in found] == ["bribery/3", "pot-de-vin/3"]
