"""The benchmark of scale measures each step and prints how its costs grow."""

from pathlib import Path

import pytest

from benchmarks.scale import STEPS, exponent, measure, table


def test_the_last_row_has_the_exponents_of_growth(tmp_path: Path) -> None:
    line = measure(tmp_path, 3, 6)
    assert (line["games"], {f"{step} s" for step in STEPS} - line.keys()) == (6, set())
    double = {column: 2 * value for column, value in line.items()}
    *_, growth = table([line, double], "bots").splitlines()
    assert growth.count("^1.00") == len(line)


@pytest.mark.parametrize("power", [0.5, 1, 2])
def test_an_exponent_is_the_slope_in_logarithms(power: float) -> None:
    sizes = [10.0, 30.0, 100.0]
    assert exponent(sizes, [size**power for size in sizes]) == pytest.approx(power)
