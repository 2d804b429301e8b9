"""A roster file is changed in its rows only."""

import pytest

from arena.contest.roster import Student
from arena.errors import SettingsError
from arena.extras.serve.roster_text import with_changed_students

FILE = 'id;name;note;e-mail;team\r\nann;"Lee; Ann";"two\r\nlines";;\r\nbob;Bob;x;b@x.org;red\r\ncy'


def test_changed_students_keep_all_other_cells() -> None:
    changed = (Student("BOB", "", "bob@x.org", "blue"), Student("ann", "", "a@x.org"))
    assert with_changed_students(FILE, "class.csv", changed) == FILE.replace(
        ';"two\r\nlines";;', ';"two\r\nlines";a@x.org;'
    ).replace("b@x.org;red", "bob@x.org;blue")


def test_the_last_row_is_changed_without_a_line_ending() -> None:
    changed = with_changed_students(FILE, "class.csv", [Student("cy", "", team="red")])
    assert changed == f"{FILE};;;;red"


def test_students_without_a_row_change_nothing() -> None:
    assert with_changed_students(FILE, "class.csv", [Student("dan", "Dan", "d@x.org")]) == FILE
    assert with_changed_students("", "class.csv", [Student("dan", "Dan", "d@x.org")]) == ""


def test_a_column_that_a_changed_student_needs_is_named() -> None:
    text = "id,e-mail\nann,\n"
    with pytest.raises(SettingsError, match=r"class.csv has no column 'team', which ann needs"):
        with_changed_students(text, "class.csv", [Student("ann", "ann", "a@x.org", "red")])
    changed = with_changed_students(text, "class.csv", [Student("ann", "ann", "a@x.org")])
    assert changed == "id,e-mail\nann,a@x.org\n"
