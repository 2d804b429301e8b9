"""Read class lists: CSV files, Moodle or Canvas exports, and plain lists of names."""

import csv
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

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
# First words of rows in a Canvas gradebook.
_NO_STUDENTS = ("points possible", "student, test")


class ClassList(NamedTuple):
    students: list[Student]
    unusable: list[str]
    """Rows of the class list that can't be used, with line numbers and reasons."""
    unused: list[str]
    """Column headings that were ignored."""


def read_class_list(content: bytes, known: Callable[[str], str | None]) -> ClassList:
    """Read a class list in UTF-8 or UTF-16.

    `known` returns the name of the person with a given id, or None if no person has the id.
    Raise `SettingsError` if the class list can't be read.
    """
    table = _table(content)
    if len(table.rows) > MAX_ROWS:
        raise SettingsError(f"got more than {MAX_ROWS:,} rows, expected a class list")
    if not table.line:
        first = [cell for cell in table.rows[0].cells if cell] if table.rows else []
        if len(first) > 2:
            raise SettingsError(
                f"line {table.rows[0].line}: got the columns {', '.join(first)}; expected "
                "`name` and, optionally, `id`, `e-mail` and `team`"
            )
        table = table._replace(headings=["name", "e-mail"])

    def id_of(row: Mapping[str, str], taken: Collection[str]) -> str:
        if "id" in row:
            return row["id"]
        name = display_name(name_in(row))
        first = student_id = safe_id(name)
        number = 1
        while student_id in taken or known(student_id) not in (None, name):
            number += 1
            student_id = f"{first}-{number}"
        return student_id

    rows = [
        row
        for row in table.rows
        if table.values(row.cells) and not row.cells[0].lower().startswith(_NO_STUDENTS)
    ]
    students, reasons = table._replace(rows=rows).students(id_of)
    unusable = [f"Line {line}: {reason}." for line, reason in reasons.items()]
    unused = [cell for cell in table.headings if cell and roster_column(cell) not in KNOWN_COLUMNS]
    return ClassList(list(students.values()), unusable, unused)


def _table(content: bytes) -> StudentTable:
    if content.startswith(b"PK"):
        raise SettingsError("got an Excel workbook, expected text: save it as CSV UTF-8")
    try:
        return read_csv(decode_text(content), _NAMING)
    except ValueError as error:
        raise SettingsError(f"the file {error}") from None
    except csv.Error as error:
        raise SettingsError(f"the file is not CSV: {error}") from None
