"""A row for each student, which no spreadsheet runs as a program."""

import csv
import io
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from arena.contest.run_roster import Names, StudentRecord
from arena.extras.shared.grades import (
    PLATFORMS,
    Grade,
    as_csv,
    cell,
    doubt_of,
    grades,
    platform_csv,
)
from arena.rating.columns import LeaderboardRow

AT = datetime(2026, 12, 1, 12, tzinfo=UTC)


def row_of(bot: str, rank: int, **certainty: float) -> LeaderboardRow:
    """Return the row of a bot in a leaderboard."""
    return LeaderboardRow(
        rank=rank, best_rank=1, worst_rank=rank, bot=bot, mu=25.0, sigma=1.0, rating=-22.5,
        score=0.5, score_low=None, score_high=None, games=60, points_per_game=10.25,
        points_low=None, points_high=None, win_share=0.5, wins_low=None, wins_high=None, faults=2,
        certainty=certainty,
    )  # fmt: skip


def test_student_gets_results_of_own_or_team_bot() -> None:
    students = [
        StudentRecord("s1", "Ann", "ann@example.org", "red", 3, AT, late=True, refused=1),
        StudentRecord("s2", "Ben", "", "red"),
        StudentRecord("s3", "Cem"),
        StudentRecord("s4", "Dora", team="blue", versions=1),
        StudentRecord("s5", "Eve", team="blue", versions=1),
        StudentRecord("s6", "Fay", team="blue"),
    ]
    board = [
        row_of("s1", 2, greedy=0.96, random=0.95, planner=0.94),
        row_of("s4", 3),
        row_of("s5", 4),
    ]
    tables = {"overall": board}
    ann, ben, cem, dora, eve, fay = grades(students, tables, ["random", "greedy", "planner"])
    assert (ann.table, ann.bots, cem.table) == ("overall", 3, "")
    assert (ann.rank, ann.best_rank, ann.worst_rank, ann.faults) == (2, 1, 2, 2)
    assert (ann.versions, ann.late, ann.refused, ann.submitted) == (3, True, 1, AT.isoformat())
    assert (ann.baselines_beaten, ann.baselines) == ("greedy random", 3)
    assert (ben.bot, ben.rank, ben.late) == ("s1", 2, True)
    assert (cem.bot, cem.rank, cem.games) == ("", None, None)
    assert [one.bot for one in (dora, eve, fay)] == ["s4", "s5", ""]


def test_separate_games_give_separate_grades() -> None:
    students = [StudentRecord("s1", "Ann"), StudentRecord("s2", "Ben")]
    tables = {"bribery": [row_of("s1", 1), row_of("s2", 2)], "nim": [row_of("s1", 1)]}
    found = [
        (grade.id, grade.table, grade.rank, grade.bots) for grade in grades(students, tables, ())
    ]
    assert found == [("s1", "bribery", 1, 2), ("s1", "nim", 1, 1), ("s2", "bribery", 2, 2)]


def test_warns_if_the_ranks_tell_few_students_apart() -> None:
    def graded(*ranges: tuple[int, int]) -> list[Grade]:
        rows = [
            replace(row_of(f"s{rank}", rank), best_rank=best, worst_rank=worst)
            for rank, (best, worst) in enumerate(ranges, 1)
        ]
        students = [StudentRecord(row.bot, row.bot) for row in rows]
        return list(grades(students, {"overall": rows}, ()))

    assert "none of the 3 pairs of bots differ " in doubt_of(graded((1, 3), (1, 3), (1, 3)))
    assert "which of the two bots" in doubt_of(graded((1, 2), (1, 2)))
    assert "only 1 of the 3 pairs of bots differs " in doubt_of(graded((1, 2), (1, 3), (3, 3)))
    assert not doubt_of(graded((1, 1), (2, 3), (2, 3)))
    assert not doubt_of(graded((1, 3)))


def test_cells_are_never_formulas() -> None:
    name = '=HYPERLINK("http://example.org")'
    students = [
        StudentRecord("s1", name, "@x", "+1", versions=2),
        StudentRecord("s2", "Lee, Ann", " =1"),
    ]
    text = as_csv(list(grades(students, {"overall": [row_of("s1", 1)]}, [])))
    header, first, second = csv.reader(io.StringIO(text))
    assert header[:5] == ["id", "name", "e-mail", "team", "bot"]
    assert first[:5] == ["s1", f"'{name}", "'@x", "'+1", "s1"]
    assert first[header.index("rating")] == "-22.5000", "a number stays a number"
    assert second[1:3] == ["Lee, Ann", "' =1"]
    assert second[header.index("late")] == "no"
    assert cell("a\tb\x1b") == "a b "
    assert len(header) == len(Grade.__struct_fields__)


def test_moodle_and_canvas_import_scores_as_points_of_100() -> None:
    students = [StudentRecord("s1", "Ann Lee", "ann@example.edu"), StudentRecord("s2", "=Ben")]
    rows = list(grades(students, {"overall": [row_of("s1", 1)]}, []))
    assert platform_csv(rows, "moodle", "spring").splitlines() == [
        "Full name,ID number,Email address,spring",
        "Ann Lee,s1,ann@example.edu,50.00",
        "'=Ben,s2,,",
    ]
    assert platform_csv(rows, "canvas", "spring").splitlines() == [
        "Student,ID,SIS User ID,SIS Login ID,Section,spring",
        "Points Possible,,,,,100",
        "Ann Lee,,,s1,,50.00",
        "'=Ben,,,s2,,",
    ]


@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_table_is_a_platform_column(platform: str) -> None:
    students = [StudentRecord("s1", "Ann"), StudentRecord("s2", "Ben")]
    tables = {"bribery": [row_of("s1", 1)], "nim": [row_of("s1", 1), row_of("s2", 2)]}
    lines = platform_csv(list(grades(students, tables, ())), platform, "spring").splitlines()
    assert lines[0].endswith(",spring bribery,spring nim")
    assert lines[-2].endswith(",50.00,50.00")
    assert lines[-1].endswith(",,50.00")


def test_grades_use_names_of_students() -> None:
    names = Names(["s1", "s2", "greedy"], {"s1": "李雷", "s2": "greedy"})
    assert [names.shown(one) for one in ("s1", "s2", "greedy", "?")] == [
        *("李雷", "greedy (s2)", "greedy", "?")
    ]
    assert names.id_of("李雷") == "s1"
    assert not names.is_plain
    assert Names(["a"], {}).is_plain
