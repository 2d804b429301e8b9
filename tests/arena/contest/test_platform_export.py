"""Tests that archives from learning platforms are split by student, and write nothing elsewhere."""

import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from arena.base.errors import SubmissionError
from arena.contest.platform_export import (
    Handed,
    list_export,
    parse_path,
    student_of,
    unpack_student,
)
from arena.contest.reader import read_untrusted
from arena.contest.roster import Student, read_roster
from tests.arena.contest.submitted import PLAIN


def write_archive(path: Path, *names: str) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name in names:
            made.writestr(zipfile.ZipInfo(name, (2026, 12, 1, 17, 30, 0)), PLAIN)
    return path


PATHS = [
    ("Zoë Müller_123_assignsubmission_file_/bot.py", ("Zoë Müller", "123", "bot.py")),
    ("Zoë Müller_123_assignsubmission_file/a/b.py", ("Zoë Müller", "123", "a/b.py")),
    ("x/Ann_Lee_7_assignsubmission_file_bot.zip", ("Ann_Lee", "7", "bot.zip")),
    ("leeann_123_456_my_bot.py", ("leeann", "123", "my_bot.py")),
    ("leeann_LATE_123_456_bot-1.zip", ("leeann", "123", "bot-1.zip")),
    ("benode_102_9003_bot-1.py", ("benode", "102", "bot-1.py")),
    ("danoz_104_9008_bot-12.toml", ("danoz", "104", "bot-12.toml")),
    ("fayzed_106_9013_my-2-bot.tar-1.gz", ("fayzed", "106", "my-2-bot.tar-1.gz")),
    ("Homework 1_ann12_attempt_2026-12-01-17-30-00_bot.py", ("ann12", "", "bot.py")),
    ("Homework 1_ann12_attempt_2026-12-01-17-30-00.txt", None),
    ("export/submission_123/lib/a.py", ("submission_123", "123", "lib/a.py")),
    ("hw-1-submissions/hw-1-ann12/bot.py", ("ann12", "", "bot.py")),
    ("hw-1-submissions/readme.md", None),
    ("Ann_7_assignsubmission_onlinetext_/onlinetext.html", None),
    ("Ann_7_assignsubmission_file_", None),
    ("bot.py", None),
]


def test_parses_paths_of_platforms() -> None:
    for path, expected in PATHS:
        found = parse_path(path)
        parts = found and (found["name"], found.groupdict().get("number", ""), found["file"])
        assert parts == expected, path


def test_distinguishes_students_with_the_same_name(tmp_path: Path) -> None:
    ann = "Ann Lee_{}_assignsubmission_file_/"
    names = [ann.format(1) + "bot.py", ann.format(1) + "lib/x.py", ann.format(2) + "b.zip", "x.txt"]
    file = write_archive(tmp_path / "a.zip", *names)
    handed, unknown = list_export(file)
    assert unknown == ["x.txt"]
    at = datetime(2026, 12, 1, 17, 30).astimezone()
    assert handed == [
        Handed("Ann Lee", "1", ((0, "bot.py"), (1, "lib/x.py")), at=at),
        Handed("Ann Lee", "2", ((2, "b.zip"),), at=at),
    ]
    assert [student_of(each, None) for each in handed] == [
        Student("Ann-Lee-1", "Ann Lee"),
        Student("Ann-Lee-2", "Ann Lee"),
    ]
    places = []
    for each in handed:
        (tmp_path / each.number).mkdir()
        places.append(unpack_student(file, each, tmp_path / each.number)[0])
    assert places == [tmp_path / "1", tmp_path / "2" / "b.zip"]
    assert (tmp_path / "1" / "lib" / "x.py").read_text() == PLAIN


@pytest.mark.parametrize(
    ("names", "files"),
    [
        (["bot-1.py", "helper-1.py"], {"bot.py", "helper.py"}),
        (["bot-2.toml", "bot-2.py", "helper-2.py"], {"bot.toml", "bot.py", "helper.py"}),
        (["bot-1.py", "my-2-bot.tar-1.gz"], {"bot.py", "my-2-bot.tar.gz"}),
        (["x-1.py", "x-2.py", "bot.py"], {"x-1.py", "x-2.py", "bot.py"}),
    ],
)
def test_removes_attempt_numbers(names: list[str], files: set[str], tmp_path: Path) -> None:
    export = [f"benode_102_{9000 + at}_{name}" for at, name in enumerate(names)]
    (tmp_path / "ben").mkdir()
    file = write_archive(tmp_path / "a.zip", *export)
    unpack_student(file, list_export(file)[0][0], tmp_path / "ben")
    assert {path.name for path in (tmp_path / "ben").iterdir()} == files


def test_finds_student_by_number_or_name(tmp_path: Path) -> None:
    roster = read_roster("id,name\n17,Ann Lee\ns2,Zoë Müller\n", "roster.csv")
    names = ["leeann_17_1_b.py", "mullerzoe_18_1_b.py", "eve_LATE_19_1_b.py"]
    (eve, ann, zoe), _ = list_export(write_archive(tmp_path / "a.zip", *names))
    assert (eve.is_late, ann.is_late) == (True, False)
    assert (student_of(ann, roster).id, student_of(zoe, roster).id) == ("17", "s2")
    with pytest.raises(SubmissionError, match="no student 'eve' on the roster"):
        student_of(eve, roster)


@pytest.mark.parametrize("inside", ["..\\..\\b.py", "a/../../b.py"])
def test_rejects_paths_outside_the_folder(tmp_path: Path, inside: str) -> None:
    file = write_archive(tmp_path / "a.zip", f"Ann_1_assignsubmission_file_/{inside}")
    handed, _ = list_export(file)
    assert handed == [], "hidden paths are no code"


def test_rejects_non_zip_upload(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_text("no")
    with pytest.raises(SubmissionError, match="is not a zip"):
        read_untrusted("a.zip", list_export, tmp_path / "a.zip")
    data = write_archive(tmp_path / "b.zip", "ann_1_2_b.py").read_bytes()
    (tmp_path / "b.zip").write_bytes(data.replace(b"\xc0\x8b\x81\x5d", b"\xff\xff\xff\xff"))
    assert list_export(tmp_path / "b.zip")[0] == [Handed("ann", "1", ((0, "b.py"),))]
