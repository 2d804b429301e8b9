"""Students in the files of teachers: CSV, exports of Moodle and Canvas, Excel, lists of names."""

import csv
import io
import zipfile
from collections.abc import Callable, Iterator, Sequence

from arena.base.errors import SettingsError
from arena.contest.roster import (
    COLUMNS,
    Student,
    display_name,
    roster_column,
    roster_delimiter,
    safe_id,
)

MAX_ROWS = 5_000
_FOREIGN = {
    **{"first name": "first", "vorname": "first", "given name": "first", "prénom": "first"},
    **{"last name": "last", "surname": "last", "nachname": "last", "family name": "last"},
    **{"student": "name", "full name": "name", "student name": "name"},
    **{"sis login id": "id", "id number": "id", "username": "id", "login id": "id"},
    **{"email address": "e-mail", "groups": "team", "group": "team"},
}
"""Headings of exports, and the columns that they stand for."""
_KNOWN = (*COLUMNS, "first", "last")
_NO_STUDENTS = ("points possible", "student, test")
"""Beginnings of rows in gradebooks of Canvas that are no students."""


def students_in_file(content: bytes, known: Callable[[str], str | None]) -> list[Student]:
    """Return the students in a file.

    A first line without a known heading is the first name of a list. Students without an id get one
    that is made of the name; two of one name get two ids.

    Args:
        content: UTF-8 text, or a workbook of Excel, whose first sheet is read.
        known: returns the name of the person with an id on the roster, or None.

    Raises:
        SettingsError: it is no such file. The error names the line.
    """
    rows = list(_rows(content))
    header = [_column(cell) for cell in rows[0][1]] if rows else []
    if not {"name", "id", "last"} & set(header):
        if len([cell for cell in header if cell]) > 2:
            raise SettingsError(
                f"line 1: got the columns {', '.join(filter(None, header))}; expected `name` and, "
                "if you like, `id`, `e-mail` and `team`"
            )
        header = ["name", "e-mail"]
    else:
        del rows[0]
    found: dict[str, Student] = {}
    for number, cells in rows:
        row = {
            name: cell for name, cell in zip(header, cells, strict=False) if name in _KNOWN and cell
        }
        if not row or cells[0].lower().startswith(_NO_STUDENTS):
            continue
        student = _student(row, found, known)
        if student.id.casefold() in {one.casefold() for one in found}:
            raise SettingsError(f"line {number}: the id {student.id!r} stands there twice")
        found[student.id] = student
    return list(found.values())


def unknown_columns(content: bytes) -> list[str]:
    """Return the headings of a file that a roster has no meaning for. Raises `SettingsError`."""
    _, cells = next(_rows(content), (0, []))
    columns = [_column(cell) for cell in cells]
    if not {"name", "id", "last"} & set(columns):
        return []
    return [cell for cell, name in zip(cells, columns, strict=True) if name and name not in _KNOWN]


def _column(cell: str) -> str:
    column = roster_column(cell)
    return _FOREIGN.get(column, column)


def _student(
    row: dict[str, str], found: dict[str, Student], known: Callable[[str], str | None]
) -> Student:
    name = row.get("name") or " ".join(filter(None, (row.get("first"), row.get("last"))))
    if "," in name and "id" in row:  # as gradebooks have it
        name = " ".join(reversed([part.strip() for part in name.split(",", 1)]))
    name = display_name(name or row.get("id", ""))
    student_id, number = row.get("id") or safe_id(name), 1
    if not row.get("id"):
        first = student_id
        while student_id in found or known(student_id) not in (None, name):
            number += 1
            student_id = f"{first}-{number}"
    return Student(student_id, name, row.get("e-mail", ""), " ".join(row.get("team", "").split()))


def _rows(content: bytes) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the number and the cells of each row that is not empty."""
    lines = _sheet(content) if content.startswith(b"PK") else _text(content)
    for number, cells in enumerate(lines, 1):
        if number > MAX_ROWS:
            raise SettingsError(f"got more than {MAX_ROWS:,} rows, expected those of a class")
        if any(cell.strip() for cell in cells):
            yield number, [cell.strip() for cell in cells]


def _text(content: bytes) -> Iterator[list[str]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SettingsError("the file is not UTF-8: save it as “CSV UTF-8”, or as .xlsx") from None
    try:
        yield from csv.reader(
            io.StringIO(text, newline=""), delimiter=roster_delimiter(text), strict=True
        )
    except csv.Error as error:
        raise SettingsError(f"the file is no CSV: {error}") from None


def _sheet(content: bytes) -> Iterator[list[str]]:
    try:  # not above: `arena roster` works without the packages of the extra
        import openpyxl
        from openpyxl.utils.exceptions import InvalidFileException
    except ImportError:
        raise SettingsError(
            "an Excel file is read with the extra `serve` only; save it as CSV UTF-8"
        ) from None
    try:
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        for row in book.worksheets[0].iter_rows(max_row=MAX_ROWS + 1, max_col=64, values_only=True):
            yield ["" if cell is None else str(cell) for cell in row]
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, IndexError) as error:
        raise SettingsError(f"the workbook cannot be read: {error}; save it as CSV UTF-8") from None
