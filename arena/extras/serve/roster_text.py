"""Changes of the text of a roster file, which keep its other columns and rows."""

import csv
import io
from collections.abc import Iterable

from arena.base.errors import SettingsError
from arena.contest.roster import COLUMNS, Student, roster_column, roster_delimiter


def with_students(text: str, source: str, students: Iterable[Student]) -> str:
    """Return the text of a roster with more rows, in the columns that it has.

    Raises:
        SettingsError: a student has an e-mail or a team, and the roster has no column for it.
    """
    delimiter = roster_delimiter(text)
    first = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), [])
    header = [roster_column(cell) for cell in first]
    added = io.StringIO(newline="")
    rows = csv.writer(added, delimiter=delimiter, lineterminator="\n")
    for student in students:
        row = dict(
            zip(COLUMNS, (student.id, student.name, student.email, student.team), strict=True)
        )
        missing = [name for name, cell in row.items() if cell and name not in header]
        if [name for name in missing if name != "name" or student.name != student.id]:
            raise _no_column(source, missing[0], student)
        rows.writerow([row.get(name, "") for name in header])
    return f"{text}{'' if text.endswith(chr(10)) else chr(10)}{added.getvalue()}"


def with_changed_students(
    text: str, source: str, students: Iterable[Student], removed: Iterable[str] = ()
) -> str:
    """Return the text of a roster with the name, e-mail and team of each student in their row.

    The rows of those whose ids are `removed` are left out. All other cells and rows stay as they
    are. Students without a row are left out.

    Raises:
        SettingsError: a student has an e-mail or a team, and the roster has no column for it.
    """
    by_id = {student.id.casefold(): student for student in students}
    gone = {student_id.casefold() for student_id in removed}
    lines = list(io.StringIO(text, newline=""))
    delimiter = roster_delimiter(text)
    rows = csv.reader(iter(lines), delimiter=delimiter, strict=True)
    try:
        header = [roster_column(cell) for cell in next(rows, [])]
        parts, end = lines[: rows.line_num], rows.line_num
        for cells in rows:
            start, end = end, rows.line_num
            parts.append("".join(lines[start:end]))
            row = dict(zip(header, cells, strict=False))
            student_id = row.get("id", "").strip().casefold()
            if student_id in gone:
                parts.pop()
                continue
            student = by_id.get(student_id)
            if student is None:
                continue
            own_name = student.name if "name" in header else ""
            cells_of = {"name": own_name, "e-mail": student.email, "team": student.team}
            for name, cell in cells_of.items():
                if cell and name not in header:
                    raise _no_column(source, name, student)
                row[name] = cell
            changed = io.StringIO(newline="")
            ending = parts[-1][len(parts[-1].rstrip("\r\n")) :]
            writer = csv.writer(changed, delimiter=delimiter, lineterminator=ending)
            writer.writerow([*[row.get(name, "") for name in header], *cells[len(header) :]])
            parts[-1] = changed.getvalue()
    except csv.Error as error:
        raise SettingsError(f"{source}, line {rows.line_num}: {error}") from None
    return "".join(parts)


def _no_column(source: str, name: str, student: Student) -> SettingsError:
    return SettingsError(
        f"{source} has no column {name!r}, which {student.title} needs: add it to the first line"
    )
