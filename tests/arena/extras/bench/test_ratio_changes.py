"""Comparisons of ratios with those of before, with made-up figures."""

from collections.abc import Sequence

import pytest

from arena.base.errors import BenchError
from arena.extras.bench.figures import (
    PLAIN,
    SCHEMA_VERSION,
    BenchReport,
    BenchRow,
    Better,
    Figure,
    Missing,
    Samples,
    compare,
    figure_of,
)

TOLERANCE = 0.3


def row(name: str, better: Better = "more") -> BenchRow:
    return BenchRow(name, f"the speed of {name}", "games/s" if better == "more" else "us")


def figure(
    name: str, ratio: float, better: Better = "more", reference: str = "the driver"
) -> Figure:
    """Return a figure whose ratio lies between 0.9 and 1.1 times `ratio`."""
    ratios = [0.8 * ratio, 0.9 * ratio, ratio, 1.1 * ratio, 1.2 * ratio]
    if better == "more":  # of times
        ratios = [1 / each for each in ratios]
    return figure_of(row(name, better), Samples(ratios, [1.0] * 5, reference), PLAIN)


def missing(name: str) -> Figure:
    return figure_of(row(name), Missing("needs two cores"), PLAIN)


def before(*figures: Figure) -> BenchReport:
    return BenchReport(SCHEMA_VERSION, "1.0", "3.11.7", PLAIN, 2, list(figures))


class Measurements:
    """Gives made-up figures, those of the first measurement first, and notes what was asked for."""

    def __init__(self, *figures: Sequence[Figure]) -> None:
        self._left = list(figures)
        self.asked: list[list[str]] = []

    def __call__(self, rows: Sequence[BenchRow]) -> Sequence[Figure]:
        self.asked.append([each.name for each in rows])
        return self._left.pop(0)


@pytest.mark.parametrize(
    ("better", "now", "is_worse"),
    [
        ("more", 0.71, False),
        ("more", 0.69, True),
        ("more", 5.0, False),
        ("less", 1.29, False),
        ("less", 1.31, True),
        ("less", 0.2, False),
    ],
)
def test_a_row_is_worse_when_its_ratio_is_by_more_than_the_tolerance(
    better: Better, now: float, is_worse: bool
) -> None:
    measure = Measurements([figure("a", now, better)])
    found = compare(before(figure("a", 1.0, better)), [row("a", better)], measure, TOLERANCE, 0)
    assert [change.name for change in found.worse(TOLERANCE)] == ["a"] * is_worse
    [change] = found.changes
    assert change.change.median == pytest.approx(now)
    assert change.change.low == pytest.approx(now * 0.9 / 1.1)
    assert change.change.high == pytest.approx(now * 1.1 / 0.9)


def test_a_row_that_seems_worse_is_measured_again_and_the_best_counts() -> None:
    measure = Measurements(
        [figure("a", 0.5), figure("b", 1.0)], [figure("a", 0.4)], [figure("a", 0.9)]
    )
    found = compare(
        before(figure("a", 1.0), figure("b", 1.0)), [row("a"), row("b")], measure, TOLERANCE, 2
    )
    assert measure.asked == [["a", "b"], ["a"], ["a"]]
    assert not found.worse(TOLERANCE)


def test_a_row_that_stays_worse_is_worse() -> None:
    measure = Measurements([figure("a", 0.5)], [figure("a", 0.6)], [figure("a", 0.4)])
    found = compare(before(figure("a", 1.0)), [row("a")], measure, TOLERANCE, 2)
    assert [change.now.median for change in found.worse(TOLERANCE)] == [0.6]


def test_a_row_that_could_not_be_measured_again_keeps_its_measurement() -> None:
    measure = Measurements([figure("a", 0.5)], [missing("a")])
    found = compare(before(figure("a", 1.0)), [row("a")], measure, TOLERANCE, 1)
    assert [change.now.median for change in found.worse(TOLERANCE)] == [0.5]


def test_rows_that_only_one_side_has_are_left_out_with_the_reason() -> None:
    measure = Measurements([figure("a", 1.0), missing("b"), figure("c", 1.0)])
    former = before(figure("a", 1.0), figure("b", 1.0), missing("c"))
    found = compare(former, [row(name) for name in "abcd"], measure, TOLERANCE)
    assert measure.asked == [["a", "b", "c"]]
    assert [change.name for change in found.changes] == ["a"]
    assert set(found.left_out) == {"b", "c", "d"}
    assert "needs two cores" in found.left_out["b"]


def test_ratios_to_different_references_are_not_compared() -> None:
    measure = Measurements([figure("a", 0.1, reference="the driver in C")])
    found = compare(before(figure("a", 1.0)), [row("a")], measure, TOLERANCE)
    assert not found.changes
    assert "the driver in C" in found.left_out["a"]


def test_a_comparison_without_a_common_row_is_refused() -> None:
    with pytest.raises(BenchError, match="none of the chosen rows"):
        compare(before(figure("a", 1.0)), [row("b")], Measurements(), TOLERANCE)
