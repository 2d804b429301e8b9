"""The roster of a contest: its people in the database, and its roster file if it has one."""

import csv
import io
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from arena.atomic_file import atomic_file
from arena.contest.reading_jobs import versions
from arena.contest.roster import (
    Student,
    read_roster,
    read_roster_file,
    with_changed_students,
    with_students,
)
from arena.contest.settings import Contest
from arena.errors import ServeError, SettingsError
from arena.extras.serve.people import ContestPerson, People


class Enrolled(NamedTuple):
    """The result of adding students."""

    added: list[ContestPerson]
    known: list[ContestPerson]
    """Students who were on the roster already. They were not changed."""


def adopt_roster_file(people: People, contest: Contest) -> Enrolled:
    """Add the students of the contest's roster file who are not in the database yet.

    Raises:
        SettingsError: the file cannot be read.
    """
    path = contest.entrants.roster
    students = read_roster_file(Path(path)).students.values() if path is not None else ()
    return _add(people, students)


def enrol(people: People, contest: Contest, students: Iterable[Student]) -> Enrolled:
    """Add students, to the contest's roster file as well, so that all commands know them.

    Raises:
        ServeError: an id is that of another person. No student is added then.
        SettingsError: the file cannot be read or lacks a column.
    """
    adopt_roster_file(people, contest)
    wanted = list(students)
    _check_ids(people, wanted)
    path = contest.entrants.roster
    if path is not None:
        new = [one for one in wanted if people.get(one.id) is None]
        _rewrite(Path(path), lambda text: with_students(text, path, new))
    return _add(people, wanted)


def change_student(people: People, contest: Contest, student: Student) -> list[ContestPerson]:
    """Give the person with the id of `student` its e-mail and team, in the roster file as well.

    Return all people who changed: the others of a team that is renamed are changed too.

    Raises:
        ServeError, SubmissionError: as `People.change` says.
        SettingsError: the roster file cannot be read or written, or lacks a column.
    """
    submissions, roster = contest.entrants.submissions, contest.entrants.roster
    has_versions = submissions is not None and bool(versions(Path(submissions, student.id)))

    def change_file(changed: Iterable[ContestPerson]) -> None:
        if roster is not None:
            rows = [Student(one.id, one.name, one.email, one.team) for one in changed]
            _rewrite(Path(roster), lambda text: with_changed_students(text, roster, rows))

    return people.change(student.id, student.email, student.team, has_versions, change_file)


def read_students(text: str, source: str) -> list[Student]:
    """Return the students in a CSV text, with ids made of their names where it has none.

    Raises:
        SettingsError: the text is not a roster. The error names the line.
    """
    return list(read_roster(text, source, needs_ids=False).students.values())


def as_csv(kind: str, rows: Iterable[tuple[ContestPerson, str]]) -> str:
    """Return people with their links or tokens as CSV, for a mail merge.

    Args:
        kind: the name of the last column.
        rows: each person with a link or token.
    """
    text = io.StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["id", "name", "e-mail", kind])
    table.writerows([[one.id, one.name, one.email, key] for one, key in rows])
    return text.getvalue()


def _check_ids(people: People, students: Iterable[Student]) -> None:
    for one in students:
        known = people.find_id(one.id)
        if known is not None and known.name != one.name:
            raise ServeError(
                f"the id {known.id!r} is that of {known.name} already: give {one.name} another id"
            )


def _add(people: People, students: Iterable[Student]) -> Enrolled:
    known, new = [], []
    for one in students:
        person = people.find_id(one.id)
        if person is None:
            new.append(one)
        else:
            known.append(person)
    return Enrolled(people.add(new), known)


def _rewrite(path: Path, change: Callable[[str], str]) -> None:
    """Replace the text of a roster file by what `change` returns for it.

    Raises:
        SettingsError: the file cannot be read or written.
    """
    try:
        text = path.read_text("utf-8-sig")
        changed = change(text)
        if changed == text:
            return
        with atomic_file(path) as file:
            file.write(changed.encode())
            os.fchmod(file.fileno(), path.stat().st_mode & 0o777)
    except OSError as error:
        raise SettingsError(f"cannot write the roster {path}: {error.strerror}") from None
