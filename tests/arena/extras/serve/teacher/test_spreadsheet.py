"""Grades in a file for Excel: numbers are numbers, and no name is a formula."""

import io
from datetime import UTC, datetime

import pytest

openpyxl = pytest.importorskip("openpyxl", reason="the extra `serve` is missing")

from arena.contest.grades import COLUMNS, Grade  # noqa: E402
from arena.extras.serve.class_overview import as_xlsx  # noqa: E402

FORMULA = '=HYPERLINK("http://example.org","me")'
AT = datetime(2026, 12, 1, 12, tzinfo=UTC).isoformat()
GRADES = [
    Grade(
        "s1", FORMULA, "@SUM(1)", "+1", "s1", rank=2, best_rank=1, worst_rank=3, rating=-22.5,
        score=0.5, points_per_game=10.25, win_share=0.5, games=60, faults=2, versions=3,
        submitted=AT, late=True,
    ),
    Grade("s2", "李\x00雷\x1b", "", "-cmd|' /C calc'!A0", ""),
]  # fmt: skip


def test_each_cell_has_the_type_of_its_value() -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(as_xlsx(GRADES))).active
    header, first, second = sheet.iter_rows()
    assert tuple([cell.value for cell in header]) == COLUMNS
    by_name = dict(zip(COLUMNS, first, strict=True))
    for column, value in {"rank": 2, "rating": -22.5, "points_per_game": 10.25}.items():
        assert (by_name[column].value, by_name[column].data_type) == (value, "n")
    assert (by_name["late"].value, by_name["withdrawn"].value) == ("yes", "no")
    assert second[COLUMNS.index("rank")].value is None


def test_no_text_is_a_formula() -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(as_xlsx(GRADES))).active
    cells = [cell for row in sheet.iter_rows() for cell in row]
    assert "f" not in {cell.data_type for cell in cells}
    texts = [cell for cell in cells[len(COLUMNS) :] if cell.data_type == "s"]
    assert all(cell.quotePrefix for cell in texts if cell.value not in ("yes", "no"))
    assert sheet.cell(2, 2).value == FORMULA, "it is shown as it was typed"
    assert sheet.cell(3, 2).value == "李 雷 "
