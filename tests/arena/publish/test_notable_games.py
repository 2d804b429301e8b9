"""Notable games, the worst boards of each bot, and which bots met."""

import pytest
from msgspec.structs import replace

from arena.base.record import GameRecord
from arena.publish.meetings import Meetings
from arena.publish.notable_games import (
    CLOSEST,
    DEFEAT,
    UPSET,
    WORST_BOARDS,
    Extremes,
    RotationResult,
    Scale,
    WorstBoards,
    games_of_bots,
    margins_of_bots,
    notable_games,
    worst_boards,
)
from engine import get_variant
from tests.arena.playing import make_game
from tests.arena.runs import play_out

NAMES = ("ann", "bob", "cy")


def board(*points: tuple[int, int, int], number: int = 1) -> list[GameRecord]:
    """Return a board with these points of ann, bob and cy in each rotation."""
    first = play_out(make_game("pot-de-vin/3", 7, NAMES))
    found = []
    for rotation, by_bot in enumerate(points):
        turn = 3 - rotation
        own = by_bot[turn:] + by_bot[:turn]
        found.append(
            replace(
                first,
                key=f"{number}-{rotation}",
                board=number,
                rotation=rotation,
                entrants=NAMES[turn:] + NAMES[:turn],
                points=own,
                ranks=tuple([1 + sum(other > mine for other in own) for mine in own]),
            )
        )
    return found


def rotations(points: tuple[int, int, int], number: int = 1) -> list[GameRecord]:
    """Return a board on which the first seat of each game has the first number of points."""
    return board(*[points[turn:] + points[:turn] for turn in range(3)], number=number)


def test_board_margin_is_per_game() -> None:
    margins = margins_of_bots(rotations((1, 4, 6)), get_variant("pot-de-vin/3"))
    assert margins == pytest.approx(dict.fromkeys(NAMES, (-5 - 2 + 2) / 3))


def test_board_shows_all_rotations() -> None:
    worst = WorstBoards()
    worst.add(-2.0, rotations((1, 4, 6), 5))
    (board,) = worst.boards
    assert board.title == "pot-de-vin/3 board 5"
    assert board.lines == [
        ("ann", [RotationResult(0, 1, 3), RotationResult(1, 4, 2), RotationResult(2, 6, 1)]),
        ("bob", [RotationResult(1, 4, 2), RotationResult(2, 6, 1), RotationResult(0, 1, 3)]),
        ("cy", [RotationResult(2, 6, 1), RotationResult(0, 1, 3), RotationResult(1, 4, 2)]),
    ]


def test_keeps_heaviest_defeats() -> None:
    worst = WorstBoards()
    for number, margin in enumerate([-1.0, 3.0, -9.0, 0.0, -4.0, -9.0, -2.0]):
        worst.add(margin, rotations((1, 4, 6), number))
    assert [(one.margin, one.board) for one in worst.boards] == [(-9.0, 2), (-9.0, 5), (-4.0, 4)]
    assert len(worst.boards) == WORST_BOARDS


def test_compares_boards_in_standard_deviations() -> None:
    one, other = WorstBoards(), WorstBoards()
    one.add(-10.0, rotations((1, 4, 6)))
    other.add(-4.0, [replace(game, variant="bribery/3") for game in rotations((1, 4, 6))])
    scales = {"pot-de-vin/3": Scale(0.0, 10.0), "bribery/3": Scale(0.0, 2.0)}
    found = worst_boards([one, other], scales)
    assert [board.variant for board in found] == ["bribery/3", "pot-de-vin/3"]


# -- which bots met, upsets and comebacks --------------------------------------------------------


SCALES = {"pot-de-vin/3": Scale(0.0, 2.0)}
VARIANT = get_variant("pot-de-vin/3")


def test_pair_page_shows_worst_boards_of_both() -> None:
    meetings = Meetings()
    meetings.add(board((1, 9, 0), (2, 8, 0), (5, 5, 0)), VARIANT)
    meetings.add(board((9, 1, 0), (1, 2, 0), (1, 2, 0), number=2), VARIANT)
    assert [*meetings.pages(SCALES, {("ann", "bob"), ("ann", "zoe")})] == [("ann", "bob")]
    page = meetings.pages(SCALES)["ann", "bob"]
    assert page.names == ("bob", "ann")
    assert page.boards == 2
    assert page.ahead == pytest.approx(4.5 / 6)
    (line,) = page.lines
    assert (line.variant, line.boards, line.margin) == ("pot-de-vin/3", 2, pytest.approx(8 / 6))
    shown = [
        (name, other, board.board, board.heaviest(name, other).key)
        for name, other, board in page.worst
    ]
    assert shown == [("ann", "bob", 1, "1-0"), ("bob", "ann", 2, "2-0")]


def test_upset_is_a_win_over_the_strongest() -> None:
    strengths = {"ann": 40.0, "bob": 30.0, "cy": 10.0}
    extremes = Extremes()
    for record in [*board((5, 4, 0), (5, 5, 0), (0, 3, 4)), *board((4, 0, 3), number=2)]:
        for name, game in games_of_bots(record, VARIANT, strengths):
            if name == "cy":
                extremes.add(game)
    notable = {one.why: one.game for one in notable_games([extremes], SCALES)}
    assert (notable[UPSET].key, notable[UPSET].upset) == ("1-2", 30.0)
    assert notable[CLOSEST].key == "1-2"
    assert notable[DEFEAT].key == "1-0"
    assert UPSET not in Extremes()
