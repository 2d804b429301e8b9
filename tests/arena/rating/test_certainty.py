"""The stop rule: lines, close neighbours, and when a table is certain."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.board_model import BoardModel, fit_boards
from arena.rating.board_sums import BoardSums
from arena.rating.certificate import Certificate, Neighbours
from arena.rating.complete_boards import BoardShares
from arena.rating.stop_rule import Looks, half_width
from tests.arena.rating.made_tables import drawn_boards

FIELD = {"ann": 0.0, "ben": 0.0, "cy": 3.0, "dan": 3.0}


def model_of(boards: list[BoardShares]) -> BoardModel:
    """Return what boards say of the field."""
    return fit_boards(BoardSums(FIELD, boards))


@pytest.fixture(scope="module")
def certificates() -> list[Certificate]:
    """Return what looks after each 20 boards say, until everything is certain."""
    boards = drawn_boards(FIELD, 1000)
    looks = Looks(epsilon=0.1)
    found = []
    for played in range(20, 1001, 20):
        found.append(looks.look(model_of(boards[:played])))
        if found[-1].is_certain:
            break
    return found


def test_pairs_of_equals_end_as_close_with_a_line_between(certificates: list[Certificate]) -> None:
    last = certificates[-1]
    assert last.is_certain
    assert [one.border for one in last.neighbours] == ["close", "line", "close"]
    assert {last.neighbours[0].better, last.neighbours[0].worse} == {"cy", "dan"}
    assert last.rank_ranges() == dict.fromkeys(("cy", "dan"), (1, 2)) | dict.fromkeys(
        ("ann", "ben"), (3, 4)
    )
    assert last.undecided == ()
    assert (last.looks, last.boards) == (len(certificates), 20 * len(certificates))


def test_lines_come_before_close_pairs_and_stay(certificates: list[Certificate]) -> None:
    borders = [[one.border for one in each.neighbours] for each in certificates]
    first_line = next(number for number, each in enumerate(borders) if each[1] == "line")
    assert all(each[1] == "line" for each in borders[first_line:])
    assert "undecided" in borders[0]
    first = certificates[0]
    assert set(first.undecided) == {
        name
        for one in first.neighbours
        if one.border == "undecided"
        for name in (one.better, one.worse)
    }


def test_what_was_certain_at_one_look_stays_so() -> None:
    """A gap that was surely above 0 is so for good, even if later boards are all turned round."""
    boards = drawn_boards({"a": 0.0, "b": 3.0}, 60, seats=2)
    turned = [
        board._replace(before=tuple(zip(*board.before, strict=True))) for board in boards[:20]
    ]
    sums = BoardSums("ab", boards)
    looks = Looks()
    first = looks.look(fit_boards(sums))
    assert [one.border for one in first.neighbours] == ["line"]
    later = looks.look(fit_boards(BoardSums("ab", [*boards, *turned])))
    assert [one.border for one in later.neighbours] == ["line"]
    assert [one.border for one in Looks().look(fit_boards(BoardSums("ab", turned))).neighbours] == [
        "line"
    ], "b is now below a"


def test_few_boards_and_bots_that_never_met_are_undecided() -> None:
    few = Looks().look(model_of(drawn_boards(FIELD, 2)))
    assert {one.border for one in few.neighbours} == {"undecided"}
    apart = Looks().look(
        fit_boards(
            BoardSums(
                "abxy",
                [
                    *drawn_boards({"a": 0.0, "b": 3.0}, 200, seats=2),
                    *[
                        board._replace(number=board.number + 500)
                        for board in drawn_boards({"x": 0.0, "y": 3.0}, 200, seats=2)
                    ],
                ],
            )
        )
    )
    assert "undecided" in [one.border for one in apart.neighbours]
    assert apart.neighbours[0].certainty is None or not apart.is_certain


def test_everything_is_close_within_a_large_epsilon() -> None:
    certificate = Looks(epsilon=2.0).look(model_of(drawn_boards(FIELD, 60)))
    assert certificate.is_certain
    assert {one.border for one in certificate.neighbours} <= {"close", "line"}


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
def test_the_half_width_is_that_of_the_mixture(error: float, k: int, epsilon: float) -> None:
    """The mixture of normal densities reaches k/alpha exactly at the half width (section 5)."""
    half = half_width(error, k, epsilon, 0.05)
    q = (epsilon / error) ** 2
    z = half / error
    log_mixture = -0.5 * math.log1p(q) + 0.5 * z * z * q / (1 + q)
    assert log_mixture == pytest.approx(math.log(k / 0.05), rel=1e-9)
