"""Figures, whether they meet their aims, and the JSON of reports."""

import msgspec
import pytest

from arena.base.errors import BenchError
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
    read_report,
    spread_of,
    write_report,
)

ROW = BenchRow("run/processor", "a run of {games} games", "games/s", Aim(0.85))
DRIVER = "the bare driver"
SAMPLES = Samples([1 / 100, 1 / 110, 1 / 120], [0.8 / 100, 0.9 / 110, 1.0 / 120], DRIVER)
AS_TIMES = Samples([100e-6, 110e-6, 120e-6], [100e-6 / 0.8, 110e-6 / 0.9, 120e-6], DRIVER)


def report(*samples: Samples | Missing) -> BenchReport:
    figures = [figure_of(ROW, sample, PLAIN) for sample in samples]
    return BenchReport(SCHEMA_VERSION, "1.0", "3.11.7", PLAIN, 2, figures)


def test_a_spread_is_the_median_and_the_middle_half() -> None:
    assert spread_of([5.0, 1.0, 2.0, 4.0, 3.0]) == Spread(2.0, 3.0, 4.0)
    assert spread_of([7.0]) == Spread(7.0, 7.0, 7.0)


@pytest.mark.parametrize(
    ("unit", "value", "ratio"),
    [
        ("us", 2e6, 4.0),
        ("ms", 2e3, 4.0),
        ("%", 200, 4.0),
        ("MiB", 2.0, 4.0),
        ("games/s", 0.5, 0.25),
    ],
)
def test_units_say_what_becomes_of_times(unit: str, value: float, ratio: float) -> None:
    row, rounds = ROW._replace(unit=unit), Samples([1.0, 2.0, 3.0], [0.5, 0.5, 0.5], "a loop")
    for times in (1, 3):
        figure = figure_of(row, rounds._replace(times=times), PLAIN)
        assert figure.value
        assert figure.ratio
        scale = 1 / times if row.better == "more" else times
        assert figure.value.median == pytest.approx(value * scale, rel=1e-3)
        assert figure.ratio.median == ratio


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
    samples = SAMPLES if better == "more" else AS_TIMES
    assert figure_of(row, samples, build).is_met is is_met


def test_a_figure_names_the_size_of_its_measurement() -> None:
    assert figure_of(ROW, SAMPLES, PLAIN, USUAL._replace(games=7)).what == "a run of 7 games"


def test_a_row_that_was_not_measured_keeps_its_aim_and_says_why() -> None:
    figure = figure_of(ROW, Missing("needs two cores"), PLAIN)
    assert (figure.missing, figure.aim) == ("needs two cores", ">= 0.85")
    assert figure.value is figure.ratio is figure.is_met is None


def test_a_report_is_read_as_it_was_written() -> None:
    written = report(Samples([1 / 100, 1 / 200], [1.0, 2.0], DRIVER))
    assert read_report(write_report(written).encode(), "file") == written


def test_only_ratios_has_no_figure_of_this_machine() -> None:
    missing = Missing("needs two cores")
    kept = only_ratios(report(SAMPLES, missing)).figures
    assert [figure.ratio for figure in kept] == [Spread(0.85, 0.9, 0.95)]
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
