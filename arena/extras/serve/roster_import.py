"""Read class lists from CSV files, Moodle and Canvas exports, and lists of names."""

import csv
from collections.abc import Callable

from arena.base.errors import SettingsError
from arena.base.text_file import decode_text
from arena.contest.roster import (
    KNOWN_COLUMNS,
    Student,
    StudentTable,
    display_name,
    name_in,
    read_csv,
    roster_column,
    safe_id,
)

MAX_ROWS = 5_000
_NAMING = ("name", "id", "last")
_NO_STUDENTS = ("points possible", "student, test")
"""Beginnings of rows in Canvas gradebooks that do not describe students."""


class StudentFile:
    def __init__(self, content: bytes) -> None:
        """Read a class list in UTF-8 or UTF-16. Raise `SettingsError` if the file can't be read."""
        self.table = table = _table(content)
        if len(table.rows) > MAX_ROWS:
            raise SettingsError(f"got more than {MAX_ROWS:,} rows, expected a class list")
        self.unknown_columns = [
            cell for cell in table.headings if cell and roster_column(cell) not in KNOWN_COLUMNS
        ]
        if not table.line:
            first = [cell for cell in table.rows[0].cells if cell] if table.rows else []
            if len(first) > 2:
                raise SettingsError(
                    f"line {table.rows[0].line}: got the columns {', '.join(first)}; expected "
                    "`name` and, optionally, `id`, `e-mail` and `team`"
                )
            self.table = table._replace(headings=["name", "e-mail"])

    def summary(self, students: list[Student]) -> str:
        table = self.table
        known = [
            f"{cell} as {column}" if cell.lower() != column else column
            for cell, column in zip(table.headings, table.columns, strict=True)
            if column in KNOWN_COLUMNS
        ]
        heading = f"headings in line {table.line}" if table.line else "no headings"
        first = f", the first {students[0].title}" if students else ""
        return f"{heading}; columns: {', '.join(known)}; students: {len(students)}{first}"

    def students(self, known: Callable[[str], str | None]) -> list[Student]:
        """Return the students in the file. Missing ids are derived from names."""
        found: dict[str, Student] = {}
        for row in self.table.rows:
            values = self.table.values(row)
            if not values or row.cells[0].lower().startswith(_NO_STUDENTS):
                continue
            student = _student(values, found, known)
            if student.id.casefold() in {one.casefold() for one in found}:
                raise SettingsError(f"line {row.line}: the id {student.id!r} appears twice")
            found[student.id] = student
        return list(found.values())


def _student(
    row: dict[str, str], found: dict[str, Student], known: Callable[[str], str | None]
) -> Student:
    name = display_name(name_in(row) or row.get("id", ""))
    student_id, number = row.get("id") or safe_id(name), 1
    if not row.get("id"):
        first = student_id
        while student_id in found or known(student_id) not in (None, name):
            number += 1
            student_id = f"{first}-{number}"
    return Student(student_id, name, row.get("e-mail", ""), " ".join(row.get("team", "").split()))


def _table(content: bytes) -> StudentTable:
    if content.startswith(b"PK"):
        raise SettingsError("got an Excel workbook, expected text: save it as CSV UTF-8")
    try:
        return read_csv(decode_text(content), _NAMING)
    except ValueError as error:
        raise SettingsError(f"the file {error}") from None
    except csv.Error as error:
        raise SettingsError(f"the file is not CSV: {error}") from None
