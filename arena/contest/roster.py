"""Read the students of a contest from a CSV file."""

import csv
import hashlib
import io
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from arena.base.atomic_file import os_error_as
from arena.base.errors import SettingsError, SubmissionError
from arena.base.protocol import printable
from arena.base.text_file import decode_text

# -- names and ids -----------------------------------------------------------------------------

MAX_DISPLAY_CHARS = 60
MAX_ID_CHARS = 40
HASH_DIGITS = 6
_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,39}")
# Some writing systems need these zero-width characters to join letters.
_JOINERS = "\u200c\u200d"


def display_name(text: str) -> str:
    """Normalize a name to NFC with single spaces.

    Raise `SubmissionError` if the name is empty, is too long, or contains unprintable
    characters.
    """
    # Characters that change the text direction count as unprintable.
    visible = "".join([letter for letter in text if letter not in _JOINERS])
    name = unicodedata.normalize("NFC", " ".join(visible.split()))
    if not name or len(name) > MAX_DISPLAY_CHARS or not name.isprintable():
        raise SubmissionError(
            f"got the name {printable(name[:80])!r}, expected 1 to {MAX_DISPLAY_CHARS} "
            "printable characters"
        )
    return name


def safe_id(name: str) -> str:
    """Convert a name to a unique id. For example, the id of `Ann Müller` is `Ann-Muller`."""
    # A hash keeps ids unique if a name is too long or has letters that can't be converted.
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
    if not _ID.fullmatch(text):
        raise SubmissionError(
            f"got {printable(text[:80])!r} as an id, expected 1 to {MAX_ID_CHARS} letters, digits "
            "and any of _ . + -"
        )
    return text


def each_different(names: Mapping[str, str]) -> dict[str, str]:
    """Make the display names of bots unique, given the preferred name for each bot id.

    If two display names look alike, the bot's id is appended in parentheses, as in `Ann Lee
    (lee2)`.
    """
    wanted = [folded(name) for name in names.values()]
    others = {folded(other): other for other in names}
    shown = {}
    for own, name in names.items():
        is_alone = wanted.count(folded(name)) == 1 and others.get(folded(name), own) == own
        shown[own] = name if is_alone or name == own else f"{name} ({own})"
    return shown


def folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


# -- the roster --------------------------------------------------------------------------------

COLUMNS = ("id", "name", "e-mail", "team")
_ALIASES = {
    **{"email": "e-mail", "mail": "e-mail", "email address": "e-mail"},
    **{"student": "name", "full name": "name", "student name": "name"},
    **{"name, vorname": "name", "nachname, vorname": "name", "last name, first name": "name"},
    **{"first name": "first", "vorname": "first", "given name": "first", "prénom": "first"},
    **{"last name": "last", "surname": "last", "nachname": "last", "family name": "last"},
    **{"sis login id": "id", "id number": "id", "username": "id", "login id": "id"},
    **{"group": "team", "groups": "team"},
}
KNOWN_COLUMNS = (*COLUMNS, "first", "last")
_DELIMITERS = (",", ";", "\t")
MAX_ABOVE = 10
MAX_LISTED = 8
ERRORS = ("#N/A", "#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#NULL!", "#NUM!")


class Student(msgspec.Struct, frozen=True):
    id: str
    name: str
    email: str = ""
    team: str = ""

    @property
    def bot_name(self) -> str:
        return self.team or self.name

    @property
    def title(self) -> str:
        return self.name if self.name == self.id else f"{self.name} ({self.id})"


class Roster(NamedTuple):
    students: Mapping[str, Student]

    def find(self, text: str) -> Student:
        """Find a student by id or name, ignoring case, accents and word order.

        Raise `SubmissionError` unless exactly one student matches.
        """
        if text in self.students:
            return self.students[text]
        matching = [
            student
            for student in self.students.values()
            if student.id.casefold() == text.casefold()
            or not _turns(student.name).isdisjoint(_turns(text))
        ]
        if len(matching) == 1:
            return matching[0]
        if matching:
            matches = ", ".join([f"{student.id} ({student.name})" for student in matching])
            raise SubmissionError(
                f"{text!r} matches {len(matching)} students on the roster: choose one with "
                f"`--as ID`: {matches}"
            )
        raise SubmissionError(
            f"{unknown_student(text, self.students.values())} Give the full name, give the id with "
            "`--as ID`, or add a row to the roster"
        )

    def get(self, student_id: str) -> Student:
        if student_id not in self.students:
            raise SubmissionError(unknown_student(student_id, self.students.values()))
        return self.students[student_id]

    def owner_of(self, student: Student, known: Collection[str] = ()) -> Student:
        """Return the owner of a student's bot.

        If the student belongs to a team, the owner has the team's name and the id of a team
        member. The first member whose id is in `known` is chosen, or else the team's first
        member.
        """
        if not student.team:
            return student
        mates = [mate for mate in self.students.values() if mate.team == student.team]
        first = next((mate for mate in mates if mate.id in known), mates[0])
        return Student(first.id, first.team)


def unknown_student(text: str, people: Iterable[Student]) -> str:
    """Return an error message for an unknown student, with suggestions of similar names."""
    words = set(_words(text))
    similar = [
        person.title for person in people if words & {*_words(person.name), *_words(person.id)}
    ]
    hint = f": did you mean {' or '.join(similar[:MAX_LISTED])}?" if similar else "."
    return f"no student {text[:MAX_ID_CHARS]!r} on the roster{hint}"


class Row(NamedTuple):
    line: int
    cells: list[str]


class StudentTable(NamedTuple):
    line: int
    headings: list[str]
    rows: list[Row]

    @property
    def columns(self) -> list[str]:
        return [roster_column(cell) for cell in self.headings]

    def values(self, cells: Sequence[str]) -> dict[str, str]:
        fields = {
            name: cell
            for name, cell in zip(self.columns, cells, strict=False)
            if name in KNOWN_COLUMNS and cell
        }
        if "id" in fields:
            fields["id"] = re.sub(r"^(\d+)\.0$", r"\1", fields["id"])  # a number, as sheets have it
        return fields

    def students(
        self, id_of: Callable[[Mapping[str, str], Collection[str]], str]
    ) -> tuple[dict[str, Student], dict[int, str]]:
        """Return a dict of students by id, and a dict of error messages by line number.

        `id_of` returns the id for a row, given all ids that are already taken.
        """
        students: dict[str, Student] = {}
        teams: dict[str, str] = {}  # as the first member spells them
        unusable: dict[int, str] = {}
        line_of: dict[str, int] = {}
        for line, cells in self.rows:
            row = self.values(cells)
            try:
                own = checked_id(id_of(row, students))
                name = display_name(name_in(row) or own)
                team = display_name(row["team"]) if "team" in row else ""
            except SubmissionError as error:
                unusable[line] = str(error)
                continue
            if (before := line_of.setdefault(own.casefold(), line)) < line:
                unusable[line] = f"{name} has the id {own!r} of line {before}"
            else:
                team = teams.setdefault(folded(team), team)
                students[own] = Student(own, name, row.get("e-mail", ""), team)
        return students, unusable


def read_csv(text: str, required: Collection[str]) -> StudentTable:
    """Read a CSV table. The delimiter can be a comma, a semicolon or a tab.

    The first row that contains one of the `required` column names is the header. Earlier rows
    are ignored.

    Raises:
        csv.Error: A quote isn't closed.
    """
    tables, wrong = [], csv.Error("it is empty")
    for delimiter in _DELIMITERS:
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        try:
            tables.append(_read_table(lines, required))
        except csv.Error as error:
            wrong = csv.Error(f"line {lines.line_num}: {error}")
    if not tables:
        raise wrong
    return max(tables, key=_columns_in)


def _read_table(lines: Any, required: Collection[str]) -> StudentTable:
    rows = []
    for line in lines:
        cells = [cell.strip() if cell.strip() not in ERRORS else "" for cell in line]
        if any(cells):
            rows.append(Row(lines.line_num, cells))
    for at, row in enumerate(rows[:MAX_ABOVE]):
        if not {roster_column(cell) for cell in row.cells}.isdisjoint(required):
            return StudentTable(row.line, row.cells, rows[at + 1 :])
    return StudentTable(0, [], rows)


def _columns_in(table: StudentTable) -> tuple[int, int]:
    known = [name for name in table.columns if name in KNOWN_COLUMNS]
    return len(known), max([len(row.cells) for row in table.rows], default=0)


def read_roster_file(path: Path) -> Roster:
    with os_error_as(SettingsError, f"cannot read the roster {path}"):
        content = path.read_bytes()
    try:
        return read_roster(decode_text(content), str(path))
    except ValueError as error:
        raise SettingsError(f"{path} {error}") from None


def read_roster(text: str, source: str) -> Roster:
    """Parse a roster from CSV with the columns `id`, `name`, `e-mail` and `team`.

    Only the column `id` is required.

    Raises:
        SettingsError: The roster is invalid. The message contains the line number.
    """
    try:
        table = read_csv(text, ["id"])
    except csv.Error as error:
        raise SettingsError(f"{source}, {error}") from None
    if not table.line:
        first = ", ".join(table.rows[0].cells) if table.rows else "none"
        raise SettingsError(
            f"{source}, line 1: got the columns {first}; expected `id` and, optionally, "
            "`name`, `e-mail` and `team`"
        )
    students, unusable = table.students(lambda row, _: row.get("id", ""))
    for line, reason in unusable.items():
        raise SettingsError(f"{source}, line {line}: {reason}")
    return Roster(students)


def roster_column(cell: str) -> str:
    name = " ".join(cell.split()).lower()
    return _ALIASES.get(name, name)


def name_in(row: Mapping[str, str]) -> str:
    name = row.get("name") or " ".join(filter(None, (row.get("first"), row.get("last"))))
    if "," in name and "id" in row:  # gradebooks write `Last, First`
        name = " ".join(reversed([part.strip() for part in name.split(",", 1)]))
    return name


def _turns(name: str) -> frozenset[str]:
    # Two names match if they have a rotation of their words in common.
    words = list(_words(name))
    return frozenset(["".join([*words[at:], *words[:at]]) for at in range(len(words))])


def _words(name: str) -> Iterator[str]:
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = [letter for letter in plain if not unicodedata.combining(letter)]
    yield from "".join([letter if letter.isalnum() else " " for letter in letters]).split()
