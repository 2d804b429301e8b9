"""The students and teachers of a contest, with each person's sign-in link, token and pseudonym."""

import hashlib
import itertools
import secrets
import sqlite3
import time
from collections.abc import Callable, Container, Iterable
from typing import Literal, NamedTuple

import msgspec

from arena.base.errors import ServeError
from arena.contest.roster import (
    Student,
    checked_id,
    display_name,
    folded,
    safe_id,
    unknown_student,
)
from arena.extras.serve.server_database import ServerDatabase

ADJECTIVES = (
    "Amber Azure Bold Brave Bright Bronze Calm Clever Cobalt Coral Crimson Daring Eager Emerald "
    "Fleet Gentle Golden Grand Hazel Indigo Ivory Jade Jolly Keen Lively Lucky Maroon Merry Misty "
    "Noble Olive Pearl Placid Plucky Proud Quick Quiet Ruby Rustic Sage Scarlet Silver Steady "
    "Sunny Swift Teal Violet Wise"
).split()
ANIMALS = (
    "Badger Beaver Bison Buzzard Camel Cheetah Condor Crane Dolphin Eagle Falcon Ferret Finch Fox "
    "Gazelle Gecko Hare Hawk Heron Ibex Jackal Jaguar Kestrel Kiwi Lark Lemur Leopard Lynx Magpie "
    "Marten Mole Moose Newt Ocelot Orca Osprey Otter Owl Panda Penguin Puffin Raven Robin Salmon "
    "Seal Stork Tapir Wren"
).split()


def draw_pseudonym(draw: Callable[[int], int], taken: Container[str]) -> str:
    number = 0
    while True:
        words = f"{ADJECTIVES[draw(len(ADJECTIVES))]} {ANIMALS[draw(len(ANIMALS))]}"
        number += 1
        name = words if number <= 100 else f"{words} {number}"
        if name not in taken:
            return name


# -- A person of a contest, and the public name of a bot ---------------------------------------


Role = Literal["student", "teacher"]


class ContestPerson(msgspec.Struct, frozen=True):
    id: str
    name: str
    email: str
    team: str
    role: Role
    owner: str
    """Id of the person's bot. A team shares one bot, with the id of the team's first member."""
    pseudonym: str
    removed: float | None = None

    @property
    def is_teacher(self) -> bool:
        return self.role == "teacher"

    @property
    def bot_name(self) -> str:
        return self.team or self.name

    @property
    def as_student(self) -> Student:
        return Student(self.id, self.name, self.email, self.team)


class PublicName(NamedTuple):
    id: str
    name: str


def public_names(
    students: Iterable[ContestPerson], *, has_pseudonyms: bool
) -> dict[str, PublicName]:
    """Return a dict from owner ids to the bots' public names: pseudonyms if `has_pseudonyms` is
    true, otherwise plain names.
    """
    names = {}
    for person in students:
        if person.id == person.owner:
            public = PublicName(safe_id(person.pseudonym), person.pseudonym)
            plain = PublicName(person.id, person.bot_name)
            names[person.owner] = public if has_pseudonyms else plain
    return names


# -- people in the database --------------------------------------------------------------------


KeyKind = Literal["link", "token"]
KEY_BYTES = 24
TEACHER = Student("teacher", "Teacher")


class People:
    def __init__(
        self,
        database: ServerDatabase,
        clock: Callable[[], float] = time.time,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._database = database
        self._clock = clock
        self._random_bytes = random_bytes

    def all(self) -> list[ContestPerson]:
        return self._some("removed IS NULL ORDER BY role = 'student', name COLLATE NOCASE, id")

    def students(self) -> list[ContestPerson]:
        return [person for person in self.all() if not person.is_teacher]

    def removed(self) -> list[ContestPerson]:
        return self._some("removed IS NOT NULL ORDER BY name COLLATE NOCASE, id")

    def get(self, person_id: str) -> ContestPerson | None:
        return self._one("id = ? AND removed IS NULL", person_id)

    def require(self, person_id: str) -> ContestPerson:
        if (person := self.get(person_id)) is None:
            raise ServeError(
                unknown_student(person_id, [person.as_student for person in self.all()])
            )
        return person

    def find_id(self, person_id: str) -> ContestPerson | None:
        """Find a person by id, even if the person was removed. Return None if the id is unknown."""
        return self._one("lower(id) = lower(?)", person_id)

    def find_account(self, account: str) -> ContestPerson | None:
        """Find a person by id or e-mail address, ignoring case.

        Return None if nobody or several people match.
        """
        people = self._some(
            "removed IS NULL AND (lower(id) = lower(?1) "
            "OR (email <> '' AND lower(email) = lower(?1)))",
            account,
        )
        return people[0] if len(people) == 1 else None

    def members(self, owner: str) -> list[ContestPerson]:
        return self._some("owner = ? AND removed IS NULL ORDER BY rowid", owner)

    def remove(self, people: Iterable[ContestPerson]) -> list[ContestPerson]:
        """Remove people and sign them out.

        Raise `ServeError` if removing a person would leave the rest of a team without its bot.
        """
        gone = list(people)
        ids = {person.id for person in gone}
        with self._database.transaction() as connection:
            for person in gone:
                if left := [other for other in self.members(person.id) if other.id not in ids]:
                    raise ServeError(
                        f"the bot of the team {person.team} has the id of {person.name}: remove "
                        f"{', '.join([other.name for other in left])} first"
                    )
            _forget_keys(connection, ids)
            connection.executemany(
                "UPDATE people SET removed = ? WHERE id = ?",
                [[self._clock(), person_id] for person_id in ids],
            )
        return gone

    def add(self, students: Iterable[Student], role: Role = "student") -> list[ContestPerson]:
        """Add people to the contest, or restore removed people, in a single transaction.

        Raise `ServeError` if an id is already taken, or if the owner of a team's bot must be
        restored before other members of the team.
        """
        with self._database.transaction() as connection:
            return [self._insert(connection, student, role) for student in students]

    def add_teacher(self) -> ContestPerson:
        ids = itertools.chain([TEACHER.id], (f"{TEACHER.id}-{at}" for at in itertools.count(2)))
        free = next(name for name in ids if self.find_id(name) is None)
        return self.add([msgspec.structs.replace(TEACHER, id=free)], "teacher")[0]

    def make_key(self, person_id: str, kind: KeyKind) -> str:
        self.require(person_id)
        text = self._random_bytes(KEY_BYTES).hex()
        self._database.write(
            "INSERT OR REPLACE INTO keys VALUES (?, ?, ?, ?)",
            *(hash_of(text), person_id, kind, self._clock()),
        )
        return text

    def new_link(self, person_id: str) -> str:
        """Create a new sign-in link. The person's old link, token and sessions become invalid."""
        with self._database.transaction() as connection:
            _forget_keys(connection, [person_id])
        return self.make_key(person_id, "link")

    def of_key(self, text: str, kind: KeyKind) -> ContestPerson | None:
        query = "id = (SELECT person FROM keys WHERE hash = ? AND kind = ?)"
        return self._one(query, hash_of(text), kind)

    def kinds_of_keys(self) -> dict[str, set[str]]:
        kinds: dict[str, set[str]] = {}
        for row in self._database.rows("SELECT person, kind FROM keys"):
            kinds.setdefault(row["person"], set()).add(row["kind"])
        return kinds

    def _insert(
        self, connection: sqlite3.Connection, student: Student, role: Role
    ) -> ContestPerson:
        name = display_name(student.name)
        former = self.find_id(checked_id(student.id))
        if former and former.removed is None:
            raise ServeError(f"the id {student.id!r} already belongs to {former.name}")
        person_id = former.id if former else student.id
        team = display_name(student.team) if student.team else ""
        first = _first_of_team(connection, team)
        if former and team and not first:
            self._require_owner(former, team)
        pseudonyms = {row["pseudonym"] for row in connection.execute("SELECT * FROM people")}
        person = ContestPerson(
            person_id,
            name,
            student.email,
            first["team"] if first else team,
            role,
            first["owner"] if first else person_id,
            former.pseudonym if former else draw_pseudonym(self._draw, pseudonyms),
        )
        columns = person.__struct_fields__
        values = msgspec.structs.astuple(person)
        if former:
            query = (
                f"UPDATE people SET {', '.join([f'{name} = ?' for name in columns])} WHERE id = ?"
            )
            connection.execute(query, [*values, former.id])
        else:
            marks = ", ".join("?" * len(values))
            connection.execute(f"INSERT INTO people VALUES ({marks})", values)
        return person

    def _require_owner(self, member: ContestPerson, team: str) -> None:
        owner = self._one("id = ? AND removed IS NOT NULL", member.owner)
        if owner and owner.id != member.id and folded(owner.team) == folded(team):
            raise ServeError(
                f"the bot of the team {team} has the id of {owner.name}: restore {owner.name} first"
            )

    def _draw(self, below: int) -> int:
        return int.from_bytes(self._random_bytes(8)) % below

    def _one(self, where: str, *values: object) -> ContestPerson | None:
        people = self._some(where, *values)
        return people[0] if people else None

    def _some(self, where: str, *values: object) -> list[ContestPerson]:
        rows = self._database.rows(f"SELECT * FROM people WHERE {where}", *values)
        return [ContestPerson(*row) for row in rows]


def _first_of_team(connection: sqlite3.Connection, team: str) -> sqlite3.Row | None:
    query = "SELECT owner, team FROM people WHERE team <> '' AND removed IS NULL ORDER BY rowid"
    rows = connection.execute(query) if team else ()
    return next((row for row in rows if folded(row["team"]) == folded(team)), None)


def _forget_keys(connection: sqlite3.Connection, ids: Iterable[str]) -> None:
    for table in ("keys", "sessions"):
        query = f"DELETE FROM {table} WHERE person = ?"
        connection.executemany(query, [[person_id] for person_id in ids])


def hash_of(text: str) -> bytes:
    """Return the SHA-256 hash of a link, token or session id."""
    # These random strings need no salt.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
