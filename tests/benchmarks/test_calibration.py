"""A small calibration, and the aims of the large one (`benchmarks/calibration.py`)."""

import pytest

from arena.rating.certificate import Certificate, Neighbours
from arena.rating.sequential_test import DELTA
from benchmarks.calibration_lines import (
    certificate_line,
    compare_line,
    coverage_line,
    is_too_often,
    says_what_is_false,
    upper_bound,
)
from benchmarks.simulated import SimulatedField, rare_crash, simulated_fields

FOUR = simulated_fields(4, 3)


@pytest.mark.parametrize("name", ["equal", "gaps", "cyclic", "faults"])
def test_intervals_contain_the_truth(name: str) -> None:
    line = coverage_line(FOUR[name], 75, 40)
    assert not line.missed
    assert line.cells[:4] == (name, "4 bots, 3 seats", "75", "40")
    held = float(line.cells[4].split()[0])
    assert held > 99 if name == "cyclic" else 90 < held < 99


@pytest.mark.slow
@pytest.mark.parametrize("field", [FOUR["gaps"], rare_crash(2)], ids=lambda field: field.name)
def test_certificates_are_true(field: SimulatedField) -> None:
    line = certificate_line(field, 2)
    assert not line.missed
    assert line.cells[4:6] == ("100.0", "0")


@pytest.mark.parametrize("effect", [0.0, float(DELTA / 2), float(DELTA), float(2 * DELTA)])
def test_verdicts_are_true(effect: float) -> None:
    line = compare_line(3, effect, 0.0, 8)
    assert not line.missed


# -- the aims ------------------------------------------------------------------------------------


def certificate(*borders: str) -> Certificate:
    """Return what is said of a, b, c ... in this order."""
    names = "abcd"[: len(borders) + 1]
    pairs = zip(names, names[1:], borders, strict=False)
    neighbours = tuple(Neighbours(one, other, border, None) for one, other, border in pairs)
    return Certificate(neighbours, 0.95, 0.05, 100, 1)


TRUTH = {"a": 0.6, "b": 0.56, "c": 0.4}


def test_finds_wrong_lines_and_close_pairs() -> None:
    assert not says_what_is_false(certificate("line", "line"), TRUTH)
    assert not says_what_is_false(certificate("close", "line"), TRUTH)
    assert not says_what_is_false(certificate("undecided", "undecided"), {"a": 0, "b": 1, "c": 2})
    assert says_what_is_false(certificate("line", "close"), TRUTH), "b and c differ by 0.16"
    assert says_what_is_false(certificate("line", "line"), TRUTH | {"b": 0.6}), "equals"
    assert says_what_is_false(certificate("close", "line"), TRUTH | {"c": 0.57}), "c is above b"


def test_bound_equals_clopper_pearson() -> None:
    assert upper_bound(0, 2000) == pytest.approx(0.0015, abs=1e-5)
    assert upper_bound(76, 2000) == pytest.approx(0.0458, abs=1e-4)
    assert upper_bound(3, 3) == 1.0


@pytest.mark.parametrize(
    ("events", "trials", "expected"),
    [(0, 10, False), (2, 12, False), (4, 12, True), (76, 2000, False), (90, 2000, True)],
)
def test_reports_aims_missed_beyond_chance(events: int, trials: int, *, expected: bool) -> None:
    assert is_too_often(events, trials) == expected
