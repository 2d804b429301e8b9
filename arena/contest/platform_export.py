"""Read submission archives from Moodle, Canvas, Blackboard, Gradescope and GitHub Classroom.

    Zoë Müller_123456_assignsubmission_file_/bot.py     Moodle, a folder for each student
    Zoë Müller_123456_assignsubmission_file_bot.py      Moodle, all files in one folder
    mullerzoe_123456_7654321_bot.py                     Canvas: student, user, file
    mullerzoe_LATE_123456_7654321_bot-1.py              Canvas: late, and the second attempt
    Homework 1_zoe12_attempt_2026-12-01-17-30-00_bot.py  Blackboard: task, user, attempt, file
    submission_123456/bot.py                            Gradescope, a folder for each submission
    homework-1-submissions/homework-1-zoe12/bot.py      GitHub Classroom, a folder for each student

The attempt number that Canvas inserts before the first dot of a file name is removed.

Paths in an archive come from students and are untrusted. Files are written to a separate folder,
within the limits for submissions.
"""

import re
import zipfile
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import msgspec

from arena.base.errors import SubmissionError
from arena.base.protocol import printable
from arena.contest.archive import (
    DAMAGED,
    SUBMISSION_LIMITS,
    SubmittedFile,
    is_code,
    name_in_zip,
    write_members,
)
from arena.contest.roster import Roster, Student, display_name, safe_id

_MOODLE = re.compile(r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_file(?:_(?P<file>.*))?")
_CANVAS = re.compile(r"(?P<name>[^_]+)_(?P<late>LATE_)?(?P<number>\d+)_\d+_(?P<file>.+)")
_ATTEMPT = re.compile(r"-\d+(?=\.|$)")
_BLACKBOARD = re.compile(
    r".+_(?P<name>[^_]+)_attempt_\d{4}(?:-\d\d){5}(?:_(?P<file>.+)|(?P<about>\.txt))"
)
_GRADESCOPE = re.compile(r"submission_(?P<number>\d+)")
_CLASSROOM = re.compile(r"(?P<task>.+)-submissions")
MAX_FILES = 100_000


class Place(NamedTuple):
    name: str
    number: str
    file: str
    is_late: bool = False
    other_file: str = ""


_File = tuple[zipfile.ZipInfo, Place]


class Handed(msgspec.Struct, frozen=True):
    name: str
    number: str
    is_late: bool = False
    at: datetime | None = None
    """Time when the newest file was modified, or None if that time is invalid."""


class PlatformExport(msgspec.Struct, frozen=True):
    handed: tuple[Handed, ...]
    unknown: tuple[str, ...]


class Unpacked(NamedTuple):
    source: Path
    notes: tuple[str, ...]


def place_of(path: str) -> Place | None:
    parts = PurePosixPath(path).parts
    for at, part in enumerate(parts):
        rest = parts[at + 1 :]
        if found := _MOODLE.fullmatch(part):
            inside = "/".join(filter(None, [found["file"], *rest]))
            return Place(found["name"], found["number"], inside) if inside else None
        if not rest and (found := _BLACKBOARD.fullmatch(part)):
            return Place(found["name"], "", found["file"]) if found["file"] else None
        if not rest and (found := _CANVAS.fullmatch(part)):
            file = _ATTEMPT.sub("", found["file"], count=1)
            return Place(found["name"], found["number"], file, bool(found["late"]), found["file"])
        if rest and (found := _GRADESCOPE.fullmatch(part)):
            return Place(part, found["number"], "/".join(rest))
        if len(rest) > 1 and (found := _CLASSROOM.fullmatch(part)):
            own = rest[0].removeprefix(f"{found['task']}-")
            return Place(own, "", "/".join(rest[1:])) if own != rest[0] else None
    return None


def student_of(handed: Handed, roster: Roster | None) -> Student:
    """Identify the student who made a submission.

    If there is a roster, the student is looked up by number and then by name. Without a roster,
    the number becomes part of the student's id, so that students with the same name have
    different ids. Raise `SubmissionError` unless exactly one student on the roster matches.
    """
    if roster:
        return roster.students.get(handed.number) or roster.find(handed.name)
    if not handed.number:
        return Student(safe_id(handed.name), display_name(handed.name))
    own = safe_id(handed.name)[: 40 - len(handed.number) - 1]
    return Student(f"{own}-{handed.number}", display_name(handed.name))


# -- what `read_untrusted` calls ----------------------------------------------------------------


def list_export(path: Path) -> PlatformExport:
    with _open(path) as archive:
        found, unknown = _members(archive)
    return PlatformExport(
        tuple(
            [
                Handed(
                    name,
                    number,
                    any(place.is_late for _, place in files),
                    _newest([member for member, _ in files]),
                )
                for (name, number), files in sorted(found.items())
            ]
        ),
        tuple(unknown),
    )


def unpack_student(path: Path, name: str, number: str, folder: Path) -> Unpacked:
    """Unpack a student's files into an empty folder, and return the path to submit.

    Raise `SubmissionError` if a path leads outside the folder or the files exceed a limit.
    """
    with _open(path) as archive:
        found, _ = _members(archive)
        members = [
            SubmittedFile(place.file, False, partial(archive.open, member))
            for member, place in found.get((name, number), ())
        ]
        try:
            notes = write_members(iter(members), folder, printable(name), SUBMISSION_LIMITS)
        except DAMAGED as error:
            raise SubmissionError(f"{printable(name)} cannot be unpacked: {error}") from None
    children = list(folder.iterdir())
    return Unpacked(children[0] if len(children) == 1 else folder, tuple(notes))


def _open(path: Path) -> zipfile.ZipFile:
    try:
        archive = zipfile.ZipFile(path)
    except DAMAGED as error:
        raise SubmissionError(f"cannot read the zip {path}: {error}") from None
    if len(archive.infolist()) > MAX_FILES:
        archive.close()
        raise SubmissionError(f"{path} has more than {MAX_FILES:,} files")
    return archive


def _members(archive: zipfile.ZipFile) -> tuple[dict[tuple[str, str], list[_File]], list[str]]:
    found: dict[tuple[str, str], list[_File]] = {}
    unknown = []
    for member in archive.infolist():
        path = name_in_zip(member)
        if path.endswith("/") or not is_code(PurePosixPath(path)):
            continue
        if place := place_of(path):
            found.setdefault((place.name, place.number), []).append((member, place))
        else:
            unknown.append(path)
    for who, files in found.items():
        if len({place.file for _, place in files}) < len(files):  # a student has called them so
            found[who] = [
                (member, place._replace(file=place.other_file or place.file))
                for member, place in files
            ]
    return found, unknown


def _newest(members: list[zipfile.ZipInfo]) -> datetime | None:
    try:
        return max([datetime(*member.date_time) for member in members]).astimezone()
    except (ValueError, OverflowError, OSError):  # a zip may have any digits there
        return None
