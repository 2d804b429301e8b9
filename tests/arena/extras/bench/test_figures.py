"""Figures, whether they meet their aims, and the JSON of reports."""

import msgspec
import pytest

from arena.errors import BenchError
from arena.extras.bench.figures import (
    COMPILED,
    PLAIN,
    SCHEMA_VERSION,
    USUAL,
    Aim,
    BenchReport,
    BenchRow,
    Missing,
    Samples,
    Spread,
    figure_of,
    only_ratios,
    ratios,
    read_report,
    spread_of,
    write_report,
)

ROW = BenchRow("run/processor", "a run of {games} games", "games/s", Aim(0.85))
SAMPLES = Samples([100.0, 110.0, 120.0], [0.8, 0.9, 1.0], "the bare driver")


def report(*samples: Samples) -> BenchReport:
    figures = [figure_of(ROW, sample, PLAIN) for sample in samples]
    return BenchReport(SCHEMA_VERSION, "1.0", "3.11.7", PLAIN, 2, figures)


def test_a_spread_is_the_median_and_the_middle_half() -> None:
    assert spread_of([5.0, 1.0, 2.0, 4.0, 3.0]) == Spread(2.0, 3.0, 4.0)
    assert spread_of([7.0]) == Spread(7.0, 7.0, 7.0)


def test_ratios_are_those_of_the_rounds() -> None:
    assert ratios([1.0, 20.0, 9.0], [1.0, 10.0, 3.0]) == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("better", "aim", "build", "is_met"),
    [
        ("more", Aim(0.9), PLAIN, True),
        ("more", Aim(0.91), PLAIN, False),
        ("less", Aim(0.9), PLAIN, True),
        ("less", Aim(0.89), PLAIN, False),
        ("more", Aim(0.5, 0.95), PLAIN, True),
        ("more", Aim(0.5, 0.95), COMPILED, False),
        ("less", Aim(110, of="value"), PLAIN, True),
        ("less", Aim(109, of="value"), PLAIN, False),
        ("less", None, PLAIN, None),
    ],
)
def test_an_aim_is_met_by_the_median(
    better: str, aim: Aim | None, build: str, is_met: bool | None
) -> None:
    row = ROW._replace(unit="games/s" if better == "more" else "us", aim=aim)
    assert figure_of(row, SAMPLES, build).is_met is is_met


def test_a_figure_names_the_size_of_its_measurement() -> None:
    assert figure_of(ROW, SAMPLES, PLAIN, USUAL._replace(games=7)).what == "a run of 7 games"


def test_a_row_that_was_not_measured_keeps_its_aim_and_says_why() -> None:
    figure = figure_of(ROW, Missing("needs two cores"), PLAIN)
    assert (figure.missing, figure.aim) == ("needs two cores", ">= 0.85")
    assert figure.value is figure.ratio is figure.is_met is None


def test_a_report_is_read_as_it_was_written() -> None:
    written = report(Samples([100.0, 200.0], [0.5, 1.5], "the bare driver"))
    assert read_report(write_report(written).encode(), "file") == written


def test_only_ratios_has_no_figure_of_this_machine() -> None:
    without_ratio = Samples([1.0])
    kept = only_ratios(report(SAMPLES, without_ratio)).figures
    assert [figure.ratio for figure in kept] == [spread_of(SAMPLES.ratios)]
    assert not [figure for figure in kept if figure.value or figure.aim]


def test_a_report_of_another_version_is_refused() -> None:
    other = msgspec.structs.replace(report(SAMPLES), schema=SCHEMA_VERSION + 1)
    with pytest.raises(BenchError, match=f"version {SCHEMA_VERSION + 1}") as raised:
        read_report(msgspec.json.encode(other), "old.json")
    assert str(raised.value).startswith("old.json ")


@pytest.mark.parametrize("text", [b"", b"[]", b'{"schema": 1}', b"\xff"])
def test_what_is_no_report_is_refused(text: bytes) -> None:
    with pytest.raises(BenchError, match=r"old\.json"):
        read_report(text, "old.json")
