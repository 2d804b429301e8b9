"""Grades as a file that Excel and other spreadsheets open."""

import io
from collections.abc import Sequence

import msgspec
from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from arena.contest.grades import COLUMNS, Grade, visible

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MAX_WIDTH = 40
"""Of a column, in characters."""
_TEXT, _NUMBER_FORMAT = "s", "0.0000"


def as_xlsx(rows: Sequence[Grade]) -> bytes:
    """Return grades as an .xlsx file with one sheet.

    Numbers are numbers. Each text has the type of a text, and the mark with which it stays one if
    it is edited or copied, so that none is read as a formula.
    """
    workbook = Workbook()
    sheet = workbook.active
    assert isinstance(sheet, Worksheet)
    sheet.title = "grades"
    for number, row in enumerate([COLUMNS, *map(msgspec.structs.astuple, rows)], 1):
        for column, value in enumerate(row, 1):
            _fill(sheet.cell(number, column), value)
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    for column, name in enumerate(COLUMNS, 1):
        lengths = [len(str(sheet.cell(row, column).value or "")) for row in range(2, len(rows) + 2)]
        width = min(MAX_WIDTH, max([len(name), *lengths]))
        sheet.column_dimensions[get_column_letter(column)].width = width + 2
    sheet.freeze_panes = "C2"
    sheet.auto_filter.ref = sheet.dimensions
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def _fill(cell: Cell, value: object) -> None:
    """Write a value to a cell of the type that it has."""
    if isinstance(value, bool):
        cell.value = "yes" if value else "no"
    elif isinstance(value, int | float):
        cell.value = value
        if isinstance(value, float):
            cell.number_format = _NUMBER_FORMAT
    elif isinstance(value, str) and value:
        cell.value = visible(value)
        cell.data_type = _TEXT
        cell.quotePrefix = True
