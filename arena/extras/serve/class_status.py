"""The submissions of each student of a contest."""

import msgspec

from arena.contest.admission import SubmissionRules
from arena.contest.run_roster import run_roster
from arena.contest.submission_log import StudentRecord, records_of
from arena.contest.submissions import students_in

UNKNOWN_STUDENT = "(unknown)"
"""The name that stands for attempts of which it is not known whose they are."""


def class_status(rules: SubmissionRules) -> list[StudentRecord]:
    """Return all students of the roster, and others with submissions or attempts.

    Raises:
        SubmissionError: the folder of submissions cannot be read.
    """
    found = students_in(rules.folder, roster=rules.roster) if rules.folder.is_dir() else {}
    students = {name: submitted.student for name, submitted in found.items()}
    rows = list(run_roster(rules, students).students)
    known = {row.id for row in rows}
    for who, record in records_of(rules.log.attempts()).items():
        if who not in known:  # of nobody on the roster
            gone = {"versions": 0, "submitted": None, "late": False}
            name = who or UNKNOWN_STUDENT
            rows.append(msgspec.structs.replace(record, name=name, **gone))
    return rows
