"""The page of a student groups faults by their cause."""

import re

import pytest

from arena.base.protocol import FaultKind, SeatFault
from arena.base.record import Evidence
from arena.check.fault_groups import FaultInGame
from arena.contest.run_roster import StudentRecord
from arena.extras.classroom.student_report import (
    Attached,
    AttachedFiles,
    causes_of,
    report_files,
    student_pages,
)
from arena.extras.shared.grades import Grade
from arena.publish.run_statistics import BotFault, RunStatistics


def page_of(
    student: StudentRecord, statistics: RunStatistics, files: AttachedFiles
) -> tuple[str, str]:
    """Return the name and the text of the page of a student."""
    grade = Grade(student.id, student.name, "", "", "s1" if student.versions else "")
    pages = student_pages([grade], statistics, {student.id: student})
    ((name, page),) = report_files("spring", list(pages), files)
    return name, page


def add_fault(statistics: RunStatistics, number: int, kind: FaultKind, text: str) -> None:
    """Add a fault of `s1`, as those of a run are added."""
    key, title = str(number), f"pot-de-vin/3 board {number} rotation 0"
    fault = SeatFault(0, number - 1, kind, text)
    statistics.causes.add(FaultInGame("s1", title, key, fault, Evidence(0)))
    statistics.faults["s1"].append(
        BotFault(key, title, "pot-de-vin/3", 0, number, kind, text, f"card {number}")
    )


def faulty() -> RunStatistics:
    """Return the statistics of a run with three faults of two causes."""
    statistics = RunStatistics()
    add_fault(statistics, 1, "crash", "exited with code 3")
    add_fault(statistics, 2, "timeout", "no answer within 2000 ms")
    add_fault(statistics, 3, "timeout", "no answer within 1999 ms")
    return statistics


def test_faults_that_differ_in_numbers_only_have_one_cause() -> None:
    late, crash = causes_of("s1", faulty())
    assert (late.group.size, late.group.first.key, late.group.last.key) == (2, "2", "3")
    assert (crash.group.size, crash.report) == (1, "card 1")


def test_a_page_shows_them_once_and_escapes_what_comes_from_bots() -> None:
    statistics = faulty()
    add_fault(statistics, 4, "illegal", "<script>alert(1)</script>")
    student = StudentRecord("s1", "Zoë", versions=1)
    files = {("2", "s1", "fault"): Attached("fault-s1-2.json", b"{}")}
    name, page = page_of(student, statistics, files)
    assert name == "s1.html"
    assert page.count("arena debug my-bot fault-s1-2.json") == 1
    assert "timeout, 2 times" in page
    assert "First in pot-de-vin/3 board 2 rotation 0, move 2; last in" in page
    assert "<script>" not in page
    assert page.count("<pre>") == 3


@pytest.mark.parametrize(
    ("refusal", "told"),
    [("", "You have not handed in a bot."), ("it exits", "has not played: it exits.")],
)
def test_who_has_no_bot_is_told_why(refusal: str, told: str) -> None:
    student = StudentRecord("s2", "Ben", refused=bool(refusal), refusal=refusal)
    _, page = page_of(student, RunStatistics(), {})
    assert told in page
    assert "Faults" not in page
    assert re.findall("<code>(arena .*?)</code>", page) == ["arena check my-bot"] * bool(refusal)
