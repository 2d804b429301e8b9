"""Tests of the mutants and of their sample."""

from pathlib import Path

import pytest

pytest.importorskip("cosmic_ray", reason="need Cosmic Ray (pip install -e '.[mutants]')")

from tests.mutants.mutations import make_mutant, module_changes

SOURCE = '''"""A module with 1 or 2 places."""


class Area(Struct, frozen=True):
    """No place."""


def area(width: int | None, height: int) -> int:
    """Return 1 * 2."""
    return (width or 3) * height
'''


def test_a_mutant_changes_one_operator_or_constant() -> None:
    changes = module_changes(Path("area.py"), SOURCE)
    mutants = [mutant for change in changes if (mutant := make_mutant(change, SOURCE))]
    lines = {" ".join(mutant.changed_line.split()) for mutant in mutants}
    assert "return (width and 3) * height" in lines
    assert "return (width or 3) + height" in lines
    assert lines & {"return (width or 4) * height", "return (width or 2) * height"}
    assert len(lines) == 3  # neither the text nor the type
    assert {mutant.line_number for mutant in mutants} == {10}


def test_other_lines_do_not_change_the_order_of_the_sample() -> None:
    before = sorted(change.digest for change in module_changes(Path("area.py"), SOURCE))
    longer = "SIZE = 4 < 5\n\n" + SOURCE
    after = {change.digest for change in module_changes(Path("area.py"), longer)}
    assert after.issuperset(before)
    assert len(after) > len(before)
