"""Read submission archives from Moodle, Canvas, Blackboard, Gradescope and GitHub Classroom.

    Zoë Müller_123456_assignsubmission_file_/bot.py     Moodle, a folder for each student
    Zoë Müller_123456_assignsubmission_file_bot.py      Moodle, all files in one folder
    mullerzoe_123456_7654321_bot.py                     Canvas: student, user, file
    mullerzoe_LATE_123456_7654321_bot-1.py              Canvas: late, and the second attempt
    Homework 1_zoe12_attempt_2026-12-01-17-30-00_bot.py  Blackboard: task, user, attempt, file
    submission_123456/bot.py                            Gradescope, a folder for each submission
    homework-1-submissions/homework-1-zoe12/bot.py      GitHub Classroom, a folder for each student

Canvas adds the attempt number to each file name, before the first dot. The number is removed.
"""

import re
import zipfile
from collections import defaultdict
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath

import msgspec

from arena.base.errors import SubmissionError
from arena.base.protocol import printable
from arena.contest.archive import SubmittedFile, is_code, name_in_zip, write_members
from arena.contest.roster import Roster, Student, display_name, safe_id

_CANVAS = r"(?P<name>[^_/]+)_(?P<late>LATE_)?(?P<number>\d+)_\d+_(?P<file>[^/]+)"
# Each pattern starts at the folder or file that names the student.
_PATTERNS = [
    re.compile(pattern)
    for pattern in (
        r"(?P<name>[^/]+)_(?P<number>\d+)_assignsubmission_file(?:_/?|/)(?P<file>.+)",
        r"[^/]+_(?P<name>[^_/]+)_attempt_\d{4}(?:-\d\d){5}_(?P<file>[^/]+)",
        _CANVAS,
        r"(?P<name>submission_(?P<number>\d+))/(?P<file>.+)",
        r"(?P<task>[^/]+)-submissions/(?P=task)-(?P<name>[^/]+)/(?P<file>.+)",
    )
]
_ATTEMPT = re.compile(r"-\d+(?=\.|$)")
MAX_FILES = 100_000


class Handed(msgspec.Struct, frozen=True):
    name: str
    number: str
    files: tuple[tuple[int, str], ...]  # index in the archive, path in the submission
    is_late: bool = False
    at: datetime | None = None
    """The modification time of the student's newest file. None if the time is invalid."""


def parse_path(path: str) -> re.Match[str] | None:
    # The outermost match names the student, because students choose the names inside.
    parts = path.split("/")
    for at in range(len(parts)):
        rest = "/".join(parts[at:])
        for pattern in _PATTERNS:
            if match := pattern.fullmatch(rest):
                return match
    return None


def student_of(handed: Handed, roster: Roster | None) -> Student:
    """Identify the student who made a submission.

    Raise `SubmissionError` if the name doesn't match exactly one student on the roster.
    """
    # Without a roster, the number keeps students with the same name apart.
    if roster:
        return roster.students.get(handed.number) or roster.find(handed.name)
    if not handed.number:
        return Student(safe_id(handed.name), display_name(handed.name))
    own = safe_id(handed.name)[: 40 - len(handed.number) - 1]
    return Student(f"{own}-{handed.number}", display_name(handed.name))


# -- what `read_untrusted` calls ----------------------------------------------------------------


def list_export(path: Path) -> tuple[list[Handed], list[str]]:
    """Return each student's files, and the paths of files that can't be assigned to a student."""
    files_of = defaultdict[tuple[str, str], list[tuple[int, re.Match[str]]]](list)
    unknown = []
    with _open(path) as archive:
        members = archive.infolist()
        for number, member in enumerate(members):
            name = name_in_zip(member)
            if name.endswith("/") or not is_code(PurePosixPath(name)):
                continue
            if match := parse_path(name):
                student = match["name"], match.groupdict().get("number", "")
                files_of[student].append((number, match))
            else:
                unknown.append(name)
        handed = [
            Handed(
                *student,
                files=tuple(zip([at for at, _ in files], _names(files), strict=True)),
                is_late=any(match.groupdict().get("late") for _, match in files),
                at=_newest([members[at] for at, _ in files]),
            )
            for student, files in sorted(files_of.items(), key=lambda item: item[0])
        ]
    return handed, unknown


def unpack_student(path: Path, handed: Handed, folder: Path) -> tuple[Path, list[str]]:
    """Unpack a student's files into an empty folder.

    Return the path of the bot, and a list of messages about skipped files. Raise
    `SubmissionError` if a file would be written outside the folder or exceeds a limit.
    """
    label = printable(handed.name)
    with _open(path) as archive:
        members = archive.infolist()
        submitted = [
            SubmittedFile(name, False, partial(archive.open, members[at]))
            for at, name in handed.files
        ]
        notes = write_members(iter(submitted), folder, label)
    children = list(folder.iterdir())
    return children[0] if len(children) == 1 else folder, notes


def _open(path: Path) -> zipfile.ZipFile:
    archive = zipfile.ZipFile(path)
    if len(archive.infolist()) > MAX_FILES:
        archive.close()
        raise SubmissionError(f"{path} has more than {MAX_FILES:,} files")
    return archive


def _names(files: list[tuple[int, re.Match[str]]]) -> list[str]:
    names = [match["file"] for _, match in files]
    canvas = [
        _ATTEMPT.sub("", match["file"], count=1) if match.re.pattern == _CANVAS else match["file"]
        for _, match in files
    ]
    return canvas if len({*canvas}) == len(canvas) else names  # students chose these names


def _newest(members: list[zipfile.ZipInfo]) -> datetime | None:
    try:
        return max([datetime(*member.date_time) for member in members]).astimezone()
    except (ValueError, OverflowError, OSError):  # the digits in a zip file may be invalid
        return None
