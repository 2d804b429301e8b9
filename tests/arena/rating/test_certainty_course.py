"""The portions of a variant until its order is certain, and what is said of it."""

import pytest

from arena.rating.board_model import fit_boards
from arena.rating.board_sums import BoardSums
from arena.rating.certificate import Certificate, Neighbours, StopRule, certainty_text
from arena.rating.stop_rule import CertaintyCourse, Looks
from tests.arena.rating.made_tables import drawn_boards

EQUAL = {"ann": 0.0, "ben": 0.0, "cy": 0.0}


def portions_of(course: CertaintyCourse, strengths: dict[str, float], most: int) -> list[int]:
    """Play a course to its end, and return the sizes of its portions."""
    boards = iter(drawn_boards(strengths, most))
    sizes = []
    while size := course.portion_boards:
        sizes.append(size)
        for _ in range(size):
            course.add(next(boards))
    return sizes


def test_portions_grow_by_a_quarter_up_to_the_budget() -> None:
    course = CertaintyCourse(EQUAL, 400, StopRule(epsilon=0.001))
    assert portions_of(course, EQUAL, 400) == [25, 25, 25, 25, 25, 31, 39, 48, 60, 75, 22]
    assert course.is_over
    assert course.certificate
    assert not course.certificate.is_certain
    assert (course.certificate.boards, course.certificate.looks) == (400, 11)


def test_the_first_portion_has_a_board_for_each_bot_and_none_is_too_large() -> None:
    field = {f"bot-{number:02}": 0.0 for number in range(40)}
    course = CertaintyCourse(field, 300, StopRule(epsilon=0.001), (25, 50))
    assert portions_of(course, field, 300) == [40, 25, 25, 25, 28, 35, 44, 50, 28]


def test_a_course_is_over_when_its_order_is_certain() -> None:
    strengths = {"ann": 0.0, "ben": 3.0, "cy": 6.0}
    course = CertaintyCourse(strengths, 400, StopRule())
    sizes = portions_of(course, strengths, 400)
    assert course.certificate
    assert course.certificate.is_certain
    looks = Looks()
    boards = drawn_boards(strengths, 400)
    expected = [
        looks.look(fit_boards(BoardSums(strengths, boards[: sum(sizes[:number])])))
        for number in range(1, len(sizes) + 1)
    ]
    assert [one.is_certain for one in expected] == [False] * (len(sizes) - 1) + [True]
    assert course.certificate == expected[-1]


def test_there_is_no_look_within_a_portion() -> None:
    course = CertaintyCourse(EQUAL, 400, StopRule())
    for board in drawn_boards(EQUAL, 24):
        course.add(board)
        assert course.certificate is None
        assert course.portion_boards == 25


def test_a_lower_confidence_needs_fewer_boards() -> None:
    ends = []
    for confidence in (50, 99.9):
        course = CertaintyCourse(EQUAL, 2000, StopRule(0.2, confidence))
        ends.append(sum(portions_of(course, EQUAL, 2000)))
        assert course.certificate
        assert course.certificate.confidence == confidence / 100
    assert ends[0] < ends[1]


# -- in words ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("borders", "text"),
    [
        ("l u", "1 of 2 lines; b1-b2 0.50"),
        ("l c l", "2 of 3 lines, 1 close"),
        ("u n u u u", "0 of 5 lines; b1-b2, b0-b1 0.50, b2-b3 0.50 and 2 more"),
    ],
)
def test_a_certificate_in_a_line(borders: str, text: str) -> None:
    kinds = {"l": "line", "c": "close", "u": "undecided", "n": "undecided"}
    neighbours = [
        Neighbours(f"b{place}", f"b{place + 1}", kinds[one], None if one == "n" else 0.5)  # type: ignore[arg-type]
        for place, one in enumerate(borders.split())
    ]
    assert certainty_text(Certificate(tuple(neighbours), 0.95, 0.05, 25, 1)) == text
