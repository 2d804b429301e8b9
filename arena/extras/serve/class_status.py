"""What each student of a contest has handed in."""

from datetime import datetime

import msgspec

from arena.contest.admission import SubmissionRules
from arena.contest.arrivals import read_attempts
from arena.contest.run_roster import run_roster
from arena.contest.submissions import students_in

UNKNOWN_STUDENT = "(unknown)"
"""The name that stands for attempts of which it is not known whose they are."""


class StudentStatus(msgspec.Struct, frozen=True):
    """A student with the newest version, and the refusal since then."""

    id: str
    name: str
    team: str
    versions: int
    """Accepted versions; 0 if there is none."""
    submitted: datetime | None
    """When the newest of them was handed in."""
    late: bool
    refused: int
    """Refused attempts, of all times."""
    refusal: str
    """Why the last attempt was refused; empty if it was not, or if there was none."""
    refused_at: datetime | None


def class_status(rules: SubmissionRules) -> list[StudentStatus]:
    """Return all students of the roster, and others with submissions or attempts.

    Raises:
        SubmissionError: the folder of submissions cannot be read.
    """
    attempts = read_attempts(rules.folder)
    last = {attempt.id: attempt for attempt in attempts}
    found = {}
    if rules.folder.is_dir():
        found = {
            student: submitted.student
            for student, submitted in students_in(rules.folder, roster=rules.roster).items()
        }
    rows = []
    for student in run_roster(rules, found).students:
        attempt = last.pop(student.id, None)
        is_refused = attempt is not None and attempt.outcome == "refused"
        rows.append(
            StudentStatus(
                student.id,
                student.name,
                student.team,
                student.versions,
                student.submitted,
                student.late,
                student.refused,
                attempt.reason if attempt and is_refused else "",
                attempt.time if attempt and is_refused else None,
            )
        )
    for who, attempt in last.items():  # of nobody on the roster
        refused = sum([other.id == who for other in attempts])
        name = who or UNKNOWN_STUDENT
        rows.append(
            StudentStatus(who, name, "", 0, None, False, refused, attempt.reason, attempt.time)
        )
    return rows
