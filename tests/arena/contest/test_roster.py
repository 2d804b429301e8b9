"""Tests that the roster identifies students and never guesses."""

from pathlib import Path

import pytest

from arena.base.errors import SettingsError, SubmissionError
from arena.contest.roster import Roster, Student, read_roster, read_roster_file

TEXT = """\
id,name,e-mail,team
s1,Zoë Müller,zoe@example.org,red
s2,Ann Lee,ann@example.org,blue
s3,Ann Lee,other@example.org,
s4,李雷,,blue
s5,Juan Carlos de la Vega,,
"""


@pytest.fixture
def roster() -> Roster:
    return read_roster(TEXT, "roster.csv")


def test_reads_students_from_rows(roster: Roster) -> None:
    assert list(roster.students) == ["s1", "s2", "s3", "s4", "s5"]
    assert roster.students["s1"] == Student("s1", "Zoë Müller", "zoe@example.org", "red")
    assert roster.students["s4"] == Student("s4", "李雷", "", "blue")


@pytest.mark.parametrize(
    "text",
    [
        "ID;Name\r\ns1;Zoë Müller\r\n;\r\n",
        "name\tid\nZoë Müller\ts1\n\n",
        'Student,room,id\n" Zoë  Müller ",7,s1\n',
        "sep=;\r\nid;name\r\ns1;Zoë Müller\r\n",
        "\n\nClass of 2026\n\nid;name\ns1;Zoë Müller\n",
        '"Name, Vorname";id\n"Müller, Zoë";s1\n',
        "id,name,e-mail\ns1,Zoë Müller,#N/A\n",
    ],
    ids=["as Excel writes it", "tabs", "other columns", "sep", "heading", "quoted", "error"],
)
def test_reads_formats_of_spreadsheets(text: str) -> None:
    assert read_roster(text, "x").students == {"s1": Student("s1", "Zoë Müller")}


def test_team_has_the_spelling_of_its_first_member() -> None:
    students = read_roster("id,team\na,Zoë\nb,ZOE\u0308\n", "x").students
    assert [one.team for one in students.values()] == ["Zoë", "Zoë"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "x, line 1: got the columns none; expected `id`"),
        ("name\nann\n", "x, line 1: got the columns name; expected `id`"),
        ("id\nann lee\n", "x, line 2: got 'ann lee' as an id"),
        ("id,name\n,Ann\n", "x, line 2: got '' as an id"),
        ("id\nann\nben\nAnn\n", "x, line 4: Ann has the id 'Ann' of line 2"),
        ("id,name\ns1,a\u202eb\n", "x, line 2: got the name"),
        (f"id,team\ns1,{'a' * 61}\n", "x, line 2: got the name"),
        ('id,name\ns1,"Ann\n', "x, line"),
    ],
)
def test_error_names_the_line(text: str, expected: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read_roster(text, "x")
    assert str(refused.value).startswith(expected)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_reads_roster_in_the_encodings_of_spreadsheets(encoding: str, tmp_path: Path) -> None:
    file = tmp_path / "roster.csv"
    file.write_text("id,name\n1001234.0,Zoë Müller\n", encoding=encoding)
    assert read_roster_file(file).students == {"1001234": Student("1001234", "Zoë Müller")}


def test_rejects_roster_in_an_unknown_encoding(tmp_path: Path) -> None:
    file = tmp_path / "roster.csv"
    for content in ("id,name\ns1,Zoë\n".encode("latin-1"), b"id\0", "id".encode("utf-16")[:-1]):
        file.write_bytes(content)
        with pytest.raises(SettingsError, match="is not UTF-8 text: save it"):
            read_roster_file(file)


def test_finds_student_by_id_or_name(roster: Roster) -> None:
    for text in ("S1", "zoe muller", "Müller, Zoë", "mullerzoe", "Müller-Zoë"):
        assert roster.find(text).id == "s1"
    for text, expected in (("s2", "s2"), ("李雷", "s4"), ("delavegajuancarlos", "s5")):
        assert roster.find(text).id == expected


def test_rejects_ambiguous_name(roster: Roster) -> None:
    with pytest.raises(SubmissionError, match=r"matches 2 students .*: s2 \(Ann Lee\), s3 \(Ann"):
        roster.find("ann lee")
    for stranger in ("ben", "", "vega"):
        with pytest.raises(SubmissionError, match="add a row to the roster"):
            roster.find(stranger)
    with pytest.raises(SubmissionError, match=r"did you mean Ann Lee \(s2\) or Ann"):
        roster.find("ann")
    with pytest.raises(SubmissionError, match="no student 's9' on the roster"):
        roster.get("s9")
