"""The page of a student groups faults by their cause."""

from arena.check.fault_groups import FaultInGame
from arena.contest.grades import Grade
from arena.protocol import FaultKind, SeatFault
from arena.publish.run_statistics import BotFault, RunStatistics
from arena.publish.student_report import causes_of, report_files
from arena.record import Evidence


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
    statistics = RunStatistics(0)
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
    ((name, page),) = report_files("spring", [Grade("s1", "Zoë", "", "", "s1")], statistics)
    assert name == "s1.html"
    assert "timeout, 2 times" in page
    assert "First in pot-de-vin/3 board 2 rotation 0, move 2; last in" in page
    assert "<script>" not in page
    assert page.count("<pre>") == 3
