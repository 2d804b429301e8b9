"""How certainty grew over the boards of a run, beside fits of the same boards."""

from itertools import accumulate, pairwise

import pytest

from arena.rating.board_model import fit_boards
from arena.rating.board_sums import BoardSums
from arena.rating.certificate import StopRule
from arena.rating.stop_rule import CertaintyCourse, certainty_history
from tests.arena.rating.made_tables import drawn_boards

STRENGTHS = {"ann": 4.0, "ben": 2.0, "cy": 0.0, "dan": 0.0}
ORDER = sorted(STRENGTHS)
BOARDS = drawn_boards(STRENGTHS, 100)


@pytest.mark.parametrize(
    ("boards", "steps", "expected"), [(100, 4, [25, 50, 75, 100]), (10, 4, [3, 6, 9, 10])]
)
def test_looks_are_spread_evenly_and_the_last_one_is_at_the_end(
    boards: int, steps: int, expected: list[int]
) -> None:
    history = certainty_history(BOARDS[:boards], ORDER, steps)
    assert [one.games for one in history] == [3 * number for number in expected]
    for one, number in zip(history, expected, strict=True):
        model = fit_boards(BoardSums(ORDER, BOARDS[:number]))
        assert one.certainty == tuple([model.certainty(*pair) for pair in pairwise(ORDER)])
        assert one.borders == ("undecided",) * 3


def test_there_is_none_before_the_first_board() -> None:
    assert certainty_history([], ORDER, 4) == []


def test_with_a_stop_rule_looks_are_at_the_ends_of_portions() -> None:
    course = CertaintyCourse(ORDER, 90, StopRule(epsilon=0.1))
    history = certainty_history(BOARDS, ORDER, 4, course)
    assert [one.games for one in history] == [3 * 25, 3 * 50, 3 * 75, 3 * 90]
    assert course.certificate
    assert history[-1].borders == ("line", "line", "undecided")
    assert [one.borders.count("line") for one in history] == sorted(
        [one.borders.count("line") for one in history]
    )


def test_borders_are_those_of_each_certificate_also_when_the_order_was_another_one() -> None:
    backwards = [ORDER[0], ORDER[1], ORDER[3], ORDER[2]]
    forth = certainty_history(BOARDS, ORDER, 4, CertaintyCourse(ORDER, 90, StopRule()))
    back = certainty_history(BOARDS, backwards, 4, CertaintyCourse(ORDER, 90, StopRule()))
    assert [one.borders for one in back] == [one.borders for one in forth]
    for one, other in zip(forth, back, strict=True):
        assert one.certainty[2] == pytest.approx(1 - (other.certainty[2] or 0.0))


def test_close_neighbours_are_close_in_both_orders() -> None:
    names = ["ann", "ben"]
    boards = drawn_boards(dict.fromkeys(names, 0.0), 400, seats=2)
    rule = StopRule(epsilon=0.3)
    for order in (names, names[::-1]):
        course = CertaintyCourse(names, 400, rule)
        history = certainty_history(boards, order, 4, course)
        assert history[-1].borders == ("close",)


def test_games_are_counted_by_the_seats_of_each_board() -> None:
    sizes = [len([name for side in board.sides for name in side]) for board in BOARDS]
    history = certainty_history(BOARDS, ORDER, len(BOARDS))
    assert [one.games for one in history] == list(accumulate(sizes))
