"""The roster of a contest: its students, as a CSV file lists them."""

import csv
import hashlib
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.base.errors import SettingsError, SubmissionError
from arena.base.protocol import printable
from engine.errors import unknown

# -- names and ids -----------------------------------------------------------------------------

MAX_DISPLAY_CHARS = 60
MAX_ID_CHARS = 40
HASH_DIGITS = 6
"""Digits of the hash in the id of a name with letters that ids cannot have."""
_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,39}")
_JOINERS = "\u200c\u200d"
"""Invisible characters that some scripts join letters with."""


def display_name(text: str) -> str:
    """Return a name as it is shown: composed, with single spaces.

    Raises:
        SubmissionError: it is empty, too long, or has characters that cannot be printed, such as
            those that turn the direction of a line.
    """
    visible = "".join([letter for letter in text if letter not in _JOINERS])
    name = unicodedata.normalize("NFC", " ".join(visible.split()))
    if not name or len(name) > MAX_DISPLAY_CHARS or not name.isprintable():
        raise SubmissionError(
            f"got the name {printable(name[:80])!r}, expected 1 to {MAX_DISPLAY_CHARS} characters "
            "that can be printed"
        )
    return name


def safe_id(name: str) -> str:
    """Return the id for a name: `Müller, Ann` gives `Muller-Ann`.

    If letters of the name cannot be in an id, or it is too long, a hash of the name is added, so
    that two names do not share an id: `李雷` gives `bot-` and six digits.
    """
    composed = unicodedata.normalize("NFC", name)
    folded = unicodedata.normalize("NFKD", name)
    plain = folded.encode("ascii", "ignore").decode()
    own = re.sub(r"[^\w.+-]+", "-", plain, flags=re.ASCII).strip("-.+")
    is_whole = all(letter.isascii() or unicodedata.combining(letter) for letter in folded)
    if own and is_whole and len(own) <= MAX_ID_CHARS:
        return own
    digits = hashlib.blake2b(composed.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_DIGITS]
    return f"{own[: MAX_ID_CHARS - HASH_DIGITS - 1].rstrip('-.+') or 'bot'}-{digits}"


def checked_id(text: str) -> str:
    """Return `text` if it can be an id. Raises `SubmissionError` if not."""
    if not _ID.fullmatch(text):
        raise SubmissionError(
            f"got {printable(text[:80])!r} as an id, expected 1 to {MAX_ID_CHARS} letters, digits "
            "and any of _ . + -"
        )
    return text


def each_different(names: Mapping[str, str]) -> dict[str, str]:
    """Return display names by id, where no two bots are shown with the same name.

    `names` has the wanted names by id, of all bots. Where two are alike, or one is the id of
    another bot, the id is added: `Ann Lee (lee2)`.
    """
    wanted = [_folded(name) for name in names.values()]
    others = {_folded(other): other for other in names}
    shown = {}
    for own, name in names.items():
        is_alone = wanted.count(_folded(name)) == 1 and others.get(_folded(name), own) == own
        shown[own] = name if is_alone or name == own else f"{name} ({own})"
    return shown


LOOK_ALIKES = str.maketrans(
    "абвгеһіјкӏмнорѕтухԁԛԝαβγεηικνορτυχω",
    "a6brehijklmhopstyxdqwabyenikvoptuxw",
)
"""Small letters of Cyrillic and Greek, and those of Latin that look the same in some font."""


def _folded(name: str) -> str:
    """Return a name without what the eye hardly sees: case, forms of letters, their script."""
    return unicodedata.normalize("NFKC", name).casefold().translate(LOOK_ALIKES)


# -- the roster --------------------------------------------------------------------------------

COLUMNS = ("id", "name", "e-mail", "team")
_ALIASES = {"email": "e-mail", "mail": "e-mail", "student": "name", "group": "team"}
_DELIMITERS = (",", ";", "\t")


class Student(msgspec.Struct, frozen=True):
    """A student of a contest."""

    id: str
    name: str
    email: str = ""
    team: str = ""

    @property
    def title(self) -> str:
        """The name and the id, once if they are the same."""
        return self.name if self.name == self.id else f"{self.name} ({self.id})"


class Roster(NamedTuple):
    """The students of a contest, by id, in the order of the file."""

    students: Mapping[str, Student]

    def find(self, text: str) -> Student:
        """Return the student with this id or name. Case, accents and the order of names do not
        count: `müller, ann` finds `Ann Müller`.

        Raises:
            SubmissionError: there is none, or more than one.
        """
        if text in self.students:
            return self.students[text]
        found = [
            student
            for student in self.students.values()
            if student.id.casefold() == text.casefold()
            or not _turns(student.name).isdisjoint(_turns(text))
        ]
        if len(found) == 1:
            return found[0]
        if found:
            who = ", ".join([f"{student.id} ({student.name})" for student in found])
            raise SubmissionError(
                f"{text!r} may be any of {len(found)} students on the roster: choose one with "
                f"`--as ID`: {who}"
            )
        raise SubmissionError(
            f"{unknown('student of the roster', text, self.students)}; add a row to the roster, "
            "or name the student with `--as ID`"
        )

    def get(self, student_id: str) -> Student:
        """Return the student with an id. Raises `SubmissionError` if there is none."""
        if student_id not in self.students:
            raise SubmissionError(unknown("id of the roster", student_id, self.students))
        return self.students[student_id]


def read_roster_file(path: Path) -> Roster:
    """Return the roster in a file. Raises `SettingsError` as `read_roster` does."""
    try:
        return read_roster(path.read_text("utf-8-sig"), str(path))
    except OSError as error:
        raise SettingsError(f"cannot read the roster {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(
            f"{path} is not UTF-8: save it as `CSV UTF-8`, so that all names can be read"
        ) from None


def read_roster(text: str, source: str) -> Roster:
    """Return the roster in a text: CSV whose first line names the columns.

    Columns are `id`, `name`, `e-mail` and `team`; only `id` is required, and others are ignored.
    They are separated by commas, semicolons or tabs.

    Args:
        text: the content of the file.
        source: the name of the text in errors.

    Raises:
        SettingsError: the text is no roster. The error names the line.
    """
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=roster_delimiter(text), strict=True)
    students: dict[str, Student] = {}
    line_of: dict[str, int] = {}
    try:
        header = [roster_column(cell) for cell in next(lines, [])]
        if "id" not in header:
            raise SettingsError(
                f"{source}, line 1: got the columns {', '.join(header) or 'none'}; expected `id`, "
                "and beside it `name`, `e-mail` and `team` if you like"
            )
        for cells in lines:
            if not any(cell.strip() for cell in cells):
                continue
            where = f"{source}, line {lines.line_num}"
            row = dict(zip(header, cells, strict=False))
            one = _student(row, where)
            if (before := line_of.setdefault(one.id.casefold(), lines.line_num)) < lines.line_num:
                raise SettingsError(f"{where}: the id {one.id!r} is that of line {before} too")
            students[one.id] = one
    except csv.Error as error:
        raise SettingsError(f"{source}, line {lines.line_num}: {error}") from None
    return Roster(students)


def roster_delimiter(text: str) -> str:
    """Return what separates the columns of a roster."""
    first = text.partition("\n")[0]
    return max(_DELIMITERS, key=first.count)


def roster_column(cell: str) -> str:
    """Return the name of a column as `COLUMNS` has it, from the first line of a roster."""
    name = cell.strip().lstrip("\ufeff").lower()
    return _ALIASES.get(name, name)


def _student(row: Mapping[str, str], where: str) -> Student:
    try:
        student_id = checked_id(row.get("id", "").strip())
        name = display_name(row.get("name", "").strip() or student_id)
    except SubmissionError as error:
        raise SettingsError(f"{where}: {error}") from None
    return Student(
        student_id, name, row.get("e-mail", "").strip(), " ".join(row.get("team", "").split())
    )


def _turns(name: str) -> frozenset[str]:
    """Return the letters of a name in each order that lists of students use.

    `Ann Lee`, `Lee, Ann` and `leeann`, as platforms write it, have one of them in common.
    """
    words = list(_words(name))
    return frozenset(["".join([*words[at:], *words[:at]]) for at in range(len(words))])


def _words(name: str) -> Iterator[str]:
    """Yield the words of a name, as its letters and digits without case and accents."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = [letter for letter in plain if not unicodedata.combining(letter)]
    yield from "".join([letter if letter.isalnum() else " " for letter in letters]).split()
