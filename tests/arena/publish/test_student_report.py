"""The page of a student groups faults by their cause."""

from arena.contest.grades import Grade
from arena.publish.run_statistics import BotFault, RunStatistics
from arena.publish.student_report import causes_of, report_files


def fault(number: int, kind: str, text: str) -> BotFault:
    title = f"pot-de-vin/3 board {number} rotation 0"
    return BotFault(str(number), title, "pot-de-vin/3", 0, number, kind, text, f"card {number}")


FAULTS = [
    fault(1, "crash", "exited with code 3"),
    fault(2, "timeout", "no answer within 2000 ms"),
    fault(3, "timeout", "no answer within 1999 ms"),
]


def test_faults_that_differ_in_numbers_only_have_one_cause() -> None:
    late, crash = causes_of(FAULTS)
    assert (late.times, late.first, late.last) == (2, FAULTS[1], FAULTS[2])
    assert (crash.times, crash.report) == (1, "card 1")


def test_a_page_shows_them_once_and_escapes_what_comes_from_bots() -> None:
    statistics = RunStatistics(0)
    statistics.faults["s1"] = [*FAULTS, fault(4, "illegal", "<script>alert(1)</script>")]
    ((name, page),) = report_files("spring", [Grade("s1", "Zoë", "", "", "s1")], 4, statistics)
    assert name == "s1.html"
    assert "timeout, 2 times" in page
    assert "First in pot-de-vin/3 board 2 rotation 0, move 2; last in" in page
    assert "<script>" not in page
    assert page.count("<pre>") == 3
