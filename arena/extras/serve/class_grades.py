"""The grades of a class: a row for each person on the roster, from a run or without one."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from arena.contest.grades import COLUMNS, Grade, grades, visible
from arena.contest.lineup import rules_of
from arena.contest.roster import Roster, Student
from arena.contest.run_roster import RunStudent, read_run_roster, run_roster
from arena.contest.settings import Contest
from arena.contest.submissions import students_in
from arena.extras.serve.people.people import People
from arena.tournament.run_grades import grades_of
from arena.tournament.runs import run_names
from arena.tournament.settings import Settings
from arena.tournament.standings import is_complete
from arena.tournament.store import Store


class ClassGrades(NamedTuple):
    """The grades of a class."""

    run: str
    """The run that is graded; empty if none has been played."""
    runs: tuple[str, ...]
    """All runs, those played last first."""
    is_over: bool
    """Whether all games of the run are played."""
    rows: list[Grade]


def class_grades(
    people: People, contest: Contest, wanted: str | None = None, final: str = ""
) -> ClassGrades | None:
    """Return the grades of a run: `wanted`, or the `final` if it is over, or that played last.

    Students on the roster who have no bot in the run get rows without a rank. Return None if there
    is no run `wanted`.

    Raises:
        SettingsError, StoreError, SubmissionError: the contest or the run cannot be read.
    """
    results = Path(contest.results)
    runs = tuple([name for name in run_names(results) if not _is_comparison(results / name)])
    if wanted is not None and wanted not in runs:
        return None
    run = wanted or next(iter(runs), "")
    if wanted is None and final in runs and _is_over(results / final):
        run = final
    if not run:
        return ClassGrades("", (), False, list(grades(_students(people, contest, None), [], ())))
    folder = results / run
    students = _students(people, contest, folder)
    with Store.open(folder) as store, store.snapshot():
        rows = grades_of(store, students)[0] if students else []
        return ClassGrades(run, runs, is_complete(store), rows)


def _is_over(folder: Path) -> bool:
    with Store.open(folder) as store:
        return is_complete(store)


def _is_comparison(folder: Path) -> bool:
    with Store.open(folder) as store:
        return store.settings(Settings).is_comparison


def _students(people: People, contest: Contest, run: Path | None) -> list[RunStudent]:
    """Return the students on the roster and those of the run, with what they have submitted."""
    rules = rules_of(contest)
    if rules is None:
        return []
    listed = {
        one.id: Student(one.id, one.name, one.email, one.team)
        for one in people.all()
        if not one.is_teacher
    }
    found = students_in(rules.folder, roster=rules.roster)
    submitted = {name: one.student for name, one in found.items() if name not in listed}
    former = read_run_roster(run).students if run else ()
    known = rules._replace(roster=Roster({**submitted, **listed}))
    return list(run_roster(known, {}, former).students)


# -- grades as a file that Excel and other spreadsheets open -----------------------------------


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
