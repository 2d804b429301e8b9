"""The roster of a run: its students, and what each of them has submitted."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from arena.contest.admission import SubmissionRules, rules_of
from arena.contest.run_roster import run_roster
from arena.contest.settings import Contest, EntrantsTable
from arena.contest.submission_log import Attempt

DUE = datetime(2026, 12, 1, 18, tzinfo=UTC)


def rules_with(folder: Path, *attempts: Attempt) -> SubmissionRules:
    rules = rules_of(Contest(entrants=EntrantsTable(submissions=str(folder))))
    assert rules
    for attempt in attempts:
        rules.log.note(attempt)
    return rules


def version(number: int, code: str, *, late: bool) -> Attempt:
    at = DUE + timedelta(minutes=number if late else -number)
    key = f"{number:032x}"
    return Attempt(at, "ann", "bot.py", "accepted", code, number, late, submission=key)


def test_a_student_is_as_late_as_the_version_that_plays(tmp_path: Path) -> None:
    (tmp_path / "submissions").mkdir()
    rules = rules_with(
        tmp_path / "submissions",
        version(1, "a", late=False),
        version(2, "b", late=True),
        version(3, "c", late=False),
    )
    for code, number, late in (("a", 1, False), ("b", 2, True), ("c", 3, False), ("?", 3, False)):
        (ann,) = run_roster(rules, {}, playing={"ann": code}).students
        submitted = version(number, code, late=late).time
        assert (ann.versions, ann.submitted, ann.late) == (3, submitted, late)
