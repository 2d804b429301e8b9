"""`arena bench` as a table, as JSON, and compared with a file. No figure is judged."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.extras.bench.figures import BenchReport, Spread, only_ratios, read_report, write_report

ROW = "playouts/pot-de-vin/3"


def bench(*options: str) -> Result:
    return CliRunner().invoke(main, ["bench", "--only", ROW, "--rounds", "1", *options])


@pytest.fixture(scope="module")
def report() -> BenchReport:
    return read_report(bench("--json").stdout.encode(), "output")


def saved(folder: Path, report: BenchReport, times: float) -> str:
    """Return a file with a report in which each ratio is multiplied by `times`."""
    figures = []
    for figure in report.figures:
        assert figure.ratio
        ratio = Spread(*[times * part for part in msgspec.structs.astuple(figure.ratio)])
        figures.append(msgspec.structs.replace(figure, ratio=ratio))
    file = folder / "before.json"
    file.write_text(write_report(msgspec.structs.replace(report, figures=figures)))
    return str(file)


def test_the_table_has_name_figure_ratio_and_reference() -> None:
    result = bench()
    assert result.exit_code == 0
    [line] = [line for line in result.stdout.splitlines() if line.startswith(ROW)]
    assert "games/s" in line
    assert "a fixed Python loop" in line


def test_json_has_what_the_table_has(report: BenchReport) -> None:
    [figure] = report.figures
    assert figure.name == ROW
    assert figure.value
    assert figure.ratio


def test_ratios_have_no_absolute_figure(report: BenchReport) -> None:
    [figure] = read_report(bench("--ratios").stdout.encode(), "output").figures
    assert figure.ratio
    assert not figure.value
    assert only_ratios(report).figures[0].name == ROW


def test_a_figure_that_is_no_worse_is_no_error(tmp_path: Path, report: BenchReport) -> None:
    result = bench("--compare", saved(tmp_path, report, 0.001))
    assert result.exit_code == 0
    assert ROW in result.stdout


def test_a_figure_that_is_worse_is_exit_code_1(tmp_path: Path, report: BenchReport) -> None:
    result = bench("--compare", saved(tmp_path, report, 1000))
    assert result.exit_code == 1
    assert "WORSE" in result.stdout


def test_the_tolerance_is_a_percentage(tmp_path: Path, report: BenchReport) -> None:
    result = bench("--compare", saved(tmp_path, report, 1000), "--tolerance", "100")
    assert result.exit_code == 0


def test_another_python_is_pointed_out(tmp_path: Path, report: BenchReport) -> None:
    other = msgspec.structs.replace(report, python="3.9.0")
    result = bench("--compare", saved(tmp_path, other, 0.001))
    assert result.exit_code == 0
    assert "3.9.0" in result.stderr


def test_another_schema_is_refused_in_one_sentence(tmp_path: Path, report: BenchReport) -> None:
    other = msgspec.structs.replace(report, schema=99)
    result = bench("--compare", saved(tmp_path, other, 1))
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
    assert "99" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_an_unknown_row_is_refused() -> None:
    result = CliRunner().invoke(main, ["bench", "--only", "playout"])
    assert result.exit_code == 1
    assert "playouts" in result.stderr


def test_a_comparison_is_no_json(tmp_path: Path, report: BenchReport) -> None:
    result = bench("--json", "--compare", saved(tmp_path, report, 1))
    assert result.exit_code == 2
