"""A small calibration, and the aims of the large one (`benchmarks/calibration.py`)."""

import random

import pytest

from arena.rating.betting import DELTA
from arena.rating.board_model import fit_boards
from arena.rating.board_sums import BoardSums
from arena.rating.certificate import Certificate, Neighbours
from benchmarks.calibration import lines_of
from benchmarks.calibration_lines import (
    Coverage,
    Ended,
    adaptive_line,
    certificate_line,
    compare_line,
    coverage_line,
    is_too_often,
    play_with_both,
    says_what_is_false,
    upper_bound,
)
from benchmarks.simulated import (
    SimulatedField,
    Tournament,
    rare_crash,
    simulated_fields,
    true_scores,
)

FOUR = simulated_fields(4, 3)


@pytest.mark.parametrize("name", ["equal", "gaps", "cyclic", "faults"])
def test_intervals_hold_the_truth(name: str) -> None:
    line = coverage_line(FOUR[name], 75, 40)
    assert not line.missed
    assert line.cells[:4] == (name, "4 bots, 3 seats", "75", "40")
    held = float(line.cells[4].split()[0])
    assert held > 99 if name == "cyclic" else 90 < held < 99


@pytest.mark.parametrize("field", [FOUR["gaps"], rare_crash(2)], ids=lambda field: field.name)
def test_certificates_are_true(field: SimulatedField) -> None:
    line = certificate_line(field, 2)
    assert not line.missed
    assert line.cells[4:6] == ("100.0", "0")


@pytest.mark.long
def test_extra_boards_save_boards_where_one_pair_is_close() -> None:
    field = simulated_fields(10, 3)["close-pair"]
    balanced, adaptive = play_with_both(field, true_scores(field), 0)
    assert balanced.certificate.is_certain
    assert adaptive.certificate.is_certain
    assert not balanced.is_false
    assert not adaptive.is_false
    assert 0 < adaptive.certificate.boards < balanced.certificate.boards


@pytest.mark.parametrize("effect", [0.0, float(DELTA / 2), float(DELTA), float(2 * DELTA)])
def test_verdicts_are_true(effect: float) -> None:
    line = compare_line(3, effect, 0.0, 8)
    assert not line.missed


def test_fields_and_sizes_can_be_chosen() -> None:
    head, *lines = lines_of("coverage", 3, ["4/3"], ["gaps"])
    assert [line.cells[:3] for line in lines] == [
        ("gaps", "4 bots, 3 seats", "15"),
        ("gaps", "4 bots, 3 seats", "75"),
    ]
    assert all(len(line.cells) == len(head.cells) for line in lines)


# -- the aims ------------------------------------------------------------------------------------


def certificate(*borders: str) -> Certificate:
    """Return what is said of a, b, c ... in this order."""
    names = "abcd"[: len(borders) + 1]
    pairs = zip(names, names[1:], borders, strict=False)
    neighbours = tuple(Neighbours(one, other, border, None) for one, other, border in pairs)
    return Certificate(neighbours, 0.95, 0.05, 100, 1)


TRUTH = {"a": 0.6, "b": 0.56, "c": 0.4}


def test_a_wrong_line_and_a_wrong_close_pair_are_found() -> None:
    assert not says_what_is_false(certificate("line", "line"), TRUTH)
    assert not says_what_is_false(certificate("close", "line"), TRUTH)
    assert not says_what_is_false(certificate("undecided", "undecided"), {"a": 0, "b": 1, "c": 2})
    assert says_what_is_false(certificate("line", "close"), TRUTH), "b and c differ by 0.16"
    assert says_what_is_false(certificate("line", "line"), TRUTH | {"b": 0.6}), "equals"
    assert says_what_is_false(certificate("close", "line"), TRUTH | {"c": 0.57}), "c is above b"


def test_the_bound_is_that_of_clopper_and_pearson() -> None:
    assert upper_bound(0, 2000) == pytest.approx(0.0015, abs=1e-5)
    assert upper_bound(76, 2000) == pytest.approx(0.0458, abs=1e-4)
    assert upper_bound(3, 3) == 1.0


@pytest.mark.parametrize(
    ("events", "trials", "expected"),
    [(0, 10, False), (2, 12, False), (4, 12, True), (76, 2000, False), (90, 2000, True)],
)
def test_an_aim_is_missed_beyond_chance(events: int, trials: int, *, expected: bool) -> None:
    assert is_too_often(events, trials) == expected


def test_a_saving_that_is_too_small_and_false_certificates_miss_the_aim() -> None:
    def ended(boards: int, *, is_false: bool) -> Ended:
        return Ended(Certificate((), 0.95, 0.05, boards, 1), is_false)

    field = FOUR["gaps"]
    pairs = [
        (ended(100, is_false=False), ended(90 + number % 2, is_false=number < 4))
        for number in range(12)
    ]
    assert adaptive_line(field, pairs, 0.05).missed == ("false above 5 %",)
    assert adaptive_line(field, pairs[4:], 0.095).missed == ()
    assert adaptive_line(field, pairs[4:], 0.15).missed == ("saves less than 15%",)
    (head,) = lines_of("adaptive", 12, ["4/3"], [])
    assert len(head.cells) == len(adaptive_line(field, pairs, 0.1).cells)


def test_intervals_that_miss_the_truth_miss_the_aim() -> None:
    """The scores of the best and the worst are exchanged in what is taken for the truth."""
    field = FOUR["gaps"]
    found = Coverage(field, true_scores(field)[::-1])
    rng = random.Random(4)
    for _ in range(20):
        found.add(fit_boards(BoardSums(field.names, Tournament(field, rng).boards(100))))
    assert found.missed(75) == ("score below 93 %", "gap below 93 %", "ranks below 95 %")


def test_intervals_that_are_too_wide_miss_the_aim_where_there_are_many_boards() -> None:
    found = Coverage(FOUR["equal"], true_scores(FOUR["equal"]))
    found.tournaments = found.ranks_right = 2000
    found.scores = dict.fromkeys(found.scores, 1980)
    found.intervals = dict.fromkeys(found.scores, 2000)
    assert found.missed(75) == ("score above 97 %",)
    assert found.missed(15) == ()
