"""Archives of Moodle and Canvas are taken apart by student, and nothing gets out of them."""

import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from arena.contest.platform_export import (
    Handed,
    Place,
    open_archive,
    place_of,
    student_of,
    students_of,
    unpack,
)
from arena.contest.roster import Student, read_roster
from arena.errors import SubmissionError
from tests.arena.contest.submitted import PLAIN


def write_archive(path: Path, *names: str) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name in names:
            made.writestr(zipfile.ZipInfo(name, (2026, 12, 1, 17, 30, 0)), PLAIN)
    return path


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("Zoë Müller_123_assignsubmission_file_/bot.py", Place("Zoë Müller", "123", "bot.py")),
        ("Zoë Müller_123_assignsubmission_file/a/b.py", Place("Zoë Müller", "123", "a/b.py")),
        ("x/Ann_Lee_7_assignsubmission_file_bot.zip", Place("Ann_Lee", "7", "bot.zip")),
        ("leeann_123_456_my_bot.py", Place("leeann", "123", "my_bot.py")),
        ("leeann_LATE_123_456_bot-1.zip", Place("leeann", "123", "bot-1.zip", True)),
        ("Ann_7_assignsubmission_onlinetext_/onlinetext.html", None),
        ("Ann_7_assignsubmission_file_", None),
        ("bot.py", None),
    ],
)
def test_the_path_of_a_file_says_whose_it_is(path: str, expected: Place | None) -> None:
    assert place_of(path) == expected


def test_two_of_a_name_stay_two_and_the_files_of_one_stay_together(tmp_path: Path) -> None:
    ann = "Ann Lee_{}_assignsubmission_file_/"
    names = [ann.format(1) + "bot.py", ann.format(1) + "lib/x.py", ann.format(2) + "b.zip", "x.txt"]
    with open_archive(write_archive(tmp_path / "a.zip", *names)) as archive:
        handed, unknown = students_of(archive.infolist())
        assert unknown == ["x.txt"]
        assert [student_of(one, None) for one in handed] == [
            Student("Ann-Lee-1", "Ann Lee"),
            Student("Ann-Lee-2", "Ann Lee"),
        ]
        assert handed[0].at == datetime(2026, 12, 1, 17, 30).astimezone()
        places = []
        for number, one in enumerate(handed):
            folder = tmp_path / str(number)
            folder.mkdir()
            places.append(unpack(archive, one, folder))
    assert places == [tmp_path / "0", tmp_path / "1" / "b.zip"]
    assert (tmp_path / "0" / "lib" / "x.py").read_text() == PLAIN


def test_a_roster_knows_the_number_or_the_name(tmp_path: Path) -> None:
    roster = read_roster("id,name\n17,Ann Lee\ns2,Zoë Müller\n", "roster.csv")
    names = ["leeann_17_1_b.py", "mullerzoe_18_1_b.py", "eve_19_1_b.py"]
    with open_archive(write_archive(tmp_path / "a.zip", *names)) as archive:
        handed, _ = students_of(archive.infolist())
    eve, ann, zoe = handed
    assert (student_of(ann, roster).id, student_of(zoe, roster).id) == ("17", "s2")
    with pytest.raises(SubmissionError, match="unknown student of the roster 'eve'"):
        student_of(eve, roster)


@pytest.mark.parametrize("inside", ["a\\b.py", "x\0.py"])
def test_no_path_leads_outside(tmp_path: Path, inside: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    place = Place("Ann", "1", inside)
    with open_archive(write_archive(tmp_path / "a.zip", "b.py", "../b.py")) as archive:
        members = [one for one in archive.infolist() if one.filename == "b.py"]
        assert students_of(archive.infolist()) == ([], ["b.py"]), "hidden paths are no code"
        ann = Handed(place.name, place.number, ((members[0], inside),), False)
        with pytest.raises(SubmissionError, match="leads outside"):
            unpack(archive, ann, folder)
        for name in ("../x.py", "/etc/x.py"):
            with pytest.raises(SubmissionError, match="leads outside"):
                unpack(archive, ann._replace(members=((members[0], name),)), folder)
    assert not list(folder.iterdir())


def test_what_is_no_zip_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_text("no")
    with pytest.raises(SubmissionError, match="is not a zip"):
        open_archive(tmp_path / "a.zip")
