"""The benchmark of scale measures each step and prints how its costs grow."""

from pathlib import Path

from benchmarks.scale import STEPS, measure, table


def test_last_row_has_growth_exponents(tmp_path: Path) -> None:
    line = measure(tmp_path, 3, 6)
    assert (line["games"], {f"{step} s" for step in STEPS} - line.keys()) == (6, set())
    double = {column: 2 * value for column, value in line.items()}
    *_, growth = table([line, double], "bots").splitlines()
    assert growth.count("^1.00") == len(line)
