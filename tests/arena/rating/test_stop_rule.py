"""The stop rule: lines, close neighbours, blocks, and how certainty grew over a run."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.certificate import Certificate, Neighbours, StopRule, certainty_text
from arena.rating.complete_boards import BoardShares
from arena.rating.scores import BoardModel, fit_boards
from arena.rating.stop_rule import CertaintyCourse, InterimAnalyses, half_width
from arena.schedule.plan import BlockSizes
from tests.arena.rating.made_tables import drawn_boards

FIELD = {"ann": 0.0, "ben": 0.0, "cy": 3.0, "dan": 3.0}


def model_of(boards: list[BoardShares]) -> BoardModel:
    """Return what boards say of the field."""
    return fit_boards(FIELD, boards)


@pytest.fixture(scope="module")
def certificates() -> list[Certificate]:
    """Return what looks after each 20 boards say, until everything is certain."""
    boards = drawn_boards(FIELD, 1000)
    analyses = InterimAnalyses(epsilon=0.1)
    found = []
    for played in range(20, 1001, 20):
        found.append(analyses.analyze(model_of(boards[:played])))
        if found[-1].is_certain:
            break
    return found


def test_equal_pairs_are_close(certificates: list[Certificate]) -> None:
    last = certificates[-1]
    assert last.is_certain
    assert [one.border for one in last.neighbours] == ["close", "line", "close"]
    assert {last.neighbours[0].better, last.neighbours[0].worse} == {"cy", "dan"}
    assert last.rank_ranges() == dict.fromkeys(("cy", "dan"), (1, 2)) | dict.fromkeys(
        ("ann", "ben"), (3, 4)
    )
    assert (last.looks, last.boards) == (len(certificates), 20 * len(certificates))


def test_certain_statements_stay_certain() -> None:
    """A gap that was surely above 0 is so for good, even if later boards are all turned round."""
    boards = drawn_boards({"a": 0.0, "b": 3.0}, 60, seats=2)
    turned = [
        board._replace(before=tuple(zip(*board.before, strict=True))) for board in boards[:20]
    ]
    analyses = InterimAnalyses()
    first = analyses.analyze(fit_boards("ab", boards))
    assert [one.border for one in first.neighbours] == ["line"]
    later = analyses.analyze(fit_boards("ab", [*boards, *turned]))
    assert [one.border for one in later.neighbours] == ["line"]
    assert [
        one.border for one in InterimAnalyses().analyze(fit_boards("ab", turned)).neighbours
    ] == ["line"], "b is now below a"


def test_unmet_bots_are_undecided() -> None:
    few = InterimAnalyses().analyze(model_of(drawn_boards(FIELD, 2)))
    assert {one.border for one in few.neighbours} == {"undecided"}
    boards = drawn_boards({"a": 0.0, "b": 3.0}, 200, seats=2)
    others = drawn_boards({"x": 0.0, "y": 3.0}, 200, seats=2)
    boards += [board._replace(number=board.number + 500) for board in others]
    apart = InterimAnalyses().analyze(fit_boards("abxy", boards))
    assert "undecided" in [one.border for one in apart.neighbours]
    assert not apart.is_certain


@given(st.integers(1, 12), st.data())
def test_rank_ranges_end_at_lines(size: int, data: st.DataObject) -> None:
    names = [f"b{number:02}" for number in range(size + 1)]
    borders = data.draw(
        st.lists(st.sampled_from(["line", "close", "undecided"]), min_size=size, max_size=size)
    )
    pairs = zip(names, names[1:], borders, strict=False)
    certificate = Certificate(
        tuple(Neighbours(a, b, border, None) for a, b, border in pairs), 0.95, 0.05, 1, 1
    )
    ranges = certificate.rank_ranges()
    assert list(ranges) == names
    for number, border in enumerate(borders):
        above, below = ranges[names[number]], ranges[names[number + 1]]
        assert (above[1] == number + 1) == (border == "line")
        assert (above == below) == (border != "line")


@given(st.floats(1e-4, 0.5), st.integers(1, 500), st.floats(1e-3, 1))
def test_half_width_matches_the_formula(error: float, k: int, epsilon: float) -> None:
    """The mixture of normal densities reaches k/alpha exactly at the half width."""
    half = float(half_width(np.array(error), k, epsilon, 0.05))
    q = (epsilon / error) ** 2
    z = half / error
    log_mixture = -0.5 * math.log1p(q) + 0.5 * z * z * q / (1 + q)
    assert log_mixture == pytest.approx(math.log(k / 0.05), rel=1e-9)


# -- the blocks of a variant until its order is certain ------------------------------------------


EQUAL = {"ann": 0.0, "ben": 0.0, "cy": 0.0}


def blocks_of(course: CertaintyCourse, strengths: dict[str, float], most: int) -> list[int]:
    """Play a course to its end, and return the sizes of its blocks."""
    boards = iter(drawn_boards(strengths, most))
    sizes = []
    while size := course.block_boards:
        sizes.append(size)
        for _ in range(size):
            course.add(next(boards))
    return sizes


def test_blocks_grow_by_a_quarter_up_to_the_budget() -> None:
    course = CertaintyCourse(EQUAL, 400, StopRule(epsilon=0.001))
    assert blocks_of(course, EQUAL, 400) == [25, 25, 25, 25, 25, 31, 39, 48, 60, 75, 22]
    assert not course.block_boards
    assert course.certificate
    assert not course.certificate.is_certain
    assert (course.certificate.boards, course.certificate.looks) == (400, 11)


def test_first_block_has_one_board_per_bot() -> None:
    field = {f"bot-{number:02}": 0.0 for number in range(40)}
    course = CertaintyCourse(field, 300, StopRule(epsilon=0.001), BlockSizes(25, 50))
    assert blocks_of(course, field, 300) == [40, 25, 25, 25, 28, 35, 44, 50, 28]


def test_course_ends_with_certain_order() -> None:
    strengths = {"ann": 0.0, "ben": 3.0, "cy": 6.0}
    course = CertaintyCourse(strengths, 400, StopRule())
    sizes = blocks_of(course, strengths, 400)
    assert course.certificate
    assert course.certificate.is_certain
    analyses = InterimAnalyses()
    boards = drawn_boards(strengths, 400)
    expected = [
        analyses.analyze(fit_boards(strengths, boards[: sum(sizes[:number])]))
        for number in range(1, len(sizes) + 1)
    ]
    assert [one.is_certain for one in expected] == [False] * (len(sizes) - 1) + [True]
    assert course.certificate == expected[-1]


# -- in words ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("borders", "text"),
    [
        ("l u", "1 of 2 lines; b1-b2 0.50"),
        ("l c l", "2 of 3 lines, 1 close"),
        ("u n u u u", "0 of 5 lines; b1-b2, b0-b1 0.50, b2-b3 0.50 and 2 more"),
    ],
)
def test_summarizes_certificate(borders: str, text: str) -> None:
    kinds = {"l": "line", "c": "close", "u": "undecided", "n": "undecided"}
    neighbours = [
        Neighbours(f"b{place}", f"b{place + 1}", kinds[one], None if one == "n" else 0.5)  # type: ignore[arg-type]
        for place, one in enumerate(borders.split())
    ]
    assert certainty_text(Certificate(tuple(neighbours), 0.95, 0.05, 25, 1)) == text
