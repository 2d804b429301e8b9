"""The database and files of all submissions to a contest.

contest/
    inbox.db           a row for each submission
    bots/              the files of the bots, see `stored_bots`
    bots/.checking-X/  locked by the process that checks submissions

Several processes, such as the command line and the contest server, can use an inbox at the same
time. A submission is committed to the database only after the bot's files are on disk, so an
acknowledged submission survives a crash.
"""

import os
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import msgspec

from arena.base.atomic_file import os_error_as
from arena.base.errors import BotError, StoreError, SubmissionError
from arena.base.lock import ScratchFolder, delete_unlocked
from arena.base.protocol import printable
from arena.contest.bot_files import FoundBot, incoming_bot
from arena.contest.reader import read_untrusted
from arena.contest.roster import Student
from arena.contest.settings import INTERPRETERS
from arena.contest.stored_bots import BotDescription, StoredBots
from arena.plugins import bots as installed_bots

DATABASE, BOTS = "inbox.db", "bots"
SCHEMA = 3
CHECKING_PREFIX = ".checking-"
BUSY_S = 30.0
MAX_REASON_CHARS = 1_000
MAX_FILE_CHARS = 100

State = Literal["waiting", "checking", "accepted", "unchanged", "refused"]
"""A submission is `unchanged` if it has the same files as the owner's newest version."""
STATES: dict[State, str] = {
    "waiting": "waiting for its check",
    "checking": "is being checked",
    "accepted": "accepted",
    "unchanged": "unchanged",
    "refused": "refused",
}
DONE: tuple[State, ...] = ("accepted", "unchanged", "refused")
# `bots` says how each bot is started, and `turn` numbers the checks in the order in which they were
# started. The bots of the owners in `removed` don't play.
_SCHEMA = """
CREATE TABLE submissions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    by TEXT NOT NULL,
    received REAL NOT NULL,
    file TEXT NOT NULL,
    marked_late INTEGER NOT NULL DEFAULT 0,
    against TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL CHECK (
        state IN ('waiting', 'checking', 'accepted', 'unchanged', 'refused')),
    checker TEXT NOT NULL DEFAULT '',
    turn INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    version INTEGER NOT NULL DEFAULT 0,
    fingerprint TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    report TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX submissions_of_owner ON submissions (owner, turn);
CREATE INDEX submissions_by_state ON submissions (state);
CREATE TABLE bots (fingerprint TEXT PRIMARY KEY, description TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE removed (owner TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE extensions (owner TEXT PRIMARY KEY, due REAL NOT NULL) WITHOUT ROWID;
"""
_PRESENT = "owner NOT IN (SELECT owner FROM removed)"
_HANDED_IN = "against = ''"
_VERSION = f"{_HANDED_IN} AND state = 'accepted'"


def in_words(state: State, version: int, *, is_late: bool) -> str:
    if state == "accepted" and version:
        return f"{STATES[state]} as version {version}{', late' if is_late else ''}"
    if state == "unchanged":
        return f"{STATES[state]}, the same as version {version}"
    return STATES[state]


class CheckStep(msgspec.Struct, frozen=True):
    name: str
    outcome: Literal["passed", "failed", "remark", "not run"]
    text: str
    card: str = ""
    fault: bytes | None = None


class Submission(msgspec.Struct, frozen=True):
    id: int
    owner: str
    name: str
    by: str
    received: float
    """The time of the submission as Unix time."""
    file: str
    marked_late: bool
    against: str  # names of a trial's opponents, separated by spaces
    state: State
    checker: str
    turn: int
    tries: int
    version: int
    fingerprint: str
    """The bot's fingerprint. Empty if the bot's files were not stored."""
    reason: str

    @property
    def is_done(self) -> bool:
        return self.state in DONE

    @property
    def is_trial(self) -> bool:
        return bool(self.against)

    @property
    def student(self) -> Student:
        return Student(self.owner, self.name)


_COLUMNS = ", ".join(Submission.__struct_fields__)


class Sent(NamedTuple):
    owner: Student
    received: datetime
    by: str = ""
    file: str = ""
    against: Sequence[str] = ()
    marked_late: bool = False


class Terms(NamedTuple):
    interpreters: Sequence[str] = INTERPRETERS
    versions_a_day: int | None = None
    most_waiting: int | None = None


class TooManySubmissions(SubmissionError):
    """The owner has too many unchecked submissions, or too many new versions today."""


class Inbox:
    """All submissions to a contest. Several threads and processes can use an inbox at the same
    time.

    To check submissions, use the `Inbox` as a context manager. At the end of the `with` block,
    submissions that are still being checked return to the queue.

    Raises:
        StoreError: The inbox can't be read or written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.path = self.folder / DATABASE
        self.bots = self.folder / BOTS
        self.stored = StoredBots(self.bots)
        self._checking: ScratchFolder | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._checking:
            self._checking.delete()
            self._checking = None

    @property
    def scratch(self) -> Path:
        if self._checking is None:
            self._checking = self.stored.scratch(CHECKING_PREFIX)
        return self._checking.path

    # -- receiving -----------------------------------------------------------------------------

    def receive(self, source: Path, sent: Sent, terms: Terms = Terms()) -> Submission:  # noqa: B008
        """Store a Python file, a zip file or a folder as a submission that waits for a check.

        Submissions without a valid bot are rejected immediately.

        Raises:
            TooManySubmissions: The owner has too many unchecked submissions, or submitted too many
                new versions today.
            HostError: The machine can't store the files.
            StoreError: The inbox can't store the files.
        """
        try:
            if sent.owner.id in self.removed():
                raise SubmissionError(f"{sent.owner.id} was removed from the contest")
            if sent.owner.id in installed_bots():
                raise SubmissionError(
                    f"{sent.owner.id} is the name of an installed bot, which would play instead: "
                    "submit under another name"
                )
            with self.stored.incoming() as scratch:
                arguments = (source, sent.owner.id, tuple(terms.interpreters), scratch)
                bot = read_untrusted(source.name, incoming_bot, *arguments)
                description = self.stored.place(bot)
        except BotError as error:
            return self.refuse(source, sent, str(error))
        return self._insert(source, sent, terms, bot.entrant.fingerprint, description)

    def refuse(self, source: Path, sent: Sent, reason: str) -> Submission:
        with self._changing() as database:
            row = _row(source, sent) | {"state": "refused", "reason": reason[:MAX_REASON_CHARS]}
            return _add(database, row)

    def play_again(self, version: Submission, sent: Sent) -> Submission:
        """Submit an earlier version of a bot again without checking it."""
        with self._changing() as database:
            row = _row(Path(version.file), sent) | {"fingerprint": version.fingerprint}
            return _accept(database, _add(database, row | {"state": "waiting"}))

    def hand_in_trial(self, trial: Submission, sent: Sent, terms: Terms) -> Submission:
        return self._insert(Path(trial.file), sent, terms, trial.fingerprint, None)

    def require_room(self, sent: Sent, terms: Terms) -> None:
        with self._reading() as database:
            if database:
                _require_room(database, sent, terms, "")

    def _insert(
        self,
        source: Path,
        sent: Sent,
        terms: Terms,
        fingerprint: str,
        description: BotDescription | None,
    ) -> Submission:
        with self._changing() as database:
            _require_room(database, sent, terms, fingerprint)
            if description:
                text = msgspec.json.encode(description).decode()
                database.execute("INSERT OR IGNORE INTO bots VALUES (?, ?)", [fingerprint, text])
            row = _row(source, sent) | {"fingerprint": fingerprint, "state": "waiting"}
            return _add(database, row)

    # -- checks --------------------------------------------------------------------------------

    def next_waiting(self, owner: str | None = None) -> Submission | None:
        """Take the next submission from the queue for checking, or return None if the queue is
        empty.
        """
        # Owners take turns, so that an owner with many submissions doesn't delay other owners.
        checker = self.scratch.name
        with self._changing() as database:
            self._revive(database)
            order = _order(database, owner)
            if not order:
                return None
            database.execute(
                "UPDATE submissions SET state = 'checking', checker = ?, tries = tries + 1, "
                "reason = '', report = '[]', turn = (SELECT max(turn) FROM submissions) + 1 "
                "WHERE id = ?",
                [checker, order[0]],
            )
            return _get(database, order[0])

    def add_step(self, number: int, step: CheckStep) -> None:
        query = "UPDATE submissions SET report = json_insert(report, '$[#]', json(?)) WHERE id = ?"
        with self._changing() as database:
            database.execute(query, [msgspec.json.encode(step).decode(), number])

    def judge(self, number: int, reason: str = "") -> Submission:
        """Finish a check: reject the submission if a reason is given, or accept it otherwise."""
        with self._changing() as database:
            submission = _get(database, number)
            if submission.is_done:
                return submission
            if reason:
                return _end(database, number, "refused", 0, reason[:MAX_REASON_CHARS])
            if submission.is_trial:
                return _end(database, number, "accepted", 0)
            return _accept(database, submission)

    def wait_again(self, number: int, *, counts: bool) -> None:
        """Return a submission to the queue after its check was interrupted.

        The interrupted check counts as an attempt only if `counts` is true.
        """
        with self._changing() as database:
            database.execute(
                "UPDATE submissions SET state = 'waiting', checker = '', tries = tries - ? "
                "WHERE id = ? AND state = 'checking'",
                [not counts, number],
            )

    def explain_wait(self, reason: str) -> None:
        """Store the reason why checks are paused. Pass an empty string when checks resume."""
        if any(waiting.reason != reason for waiting in self.all("state = 'waiting'")):
            with self._changing() as database:
                query = "UPDATE submissions SET reason = ? WHERE state = 'waiting'"
                database.execute(query, [reason])

    def _revive(self, database: sqlite3.Connection) -> None:
        query = "SELECT DISTINCT checker FROM submissions WHERE state = 'checking'"
        for (checker,) in database.execute(query).fetchall():
            if checker != self.scratch.name and delete_unlocked(self.bots / checker):
                database.execute(
                    "UPDATE submissions SET state = 'waiting', checker = '' "
                    "WHERE state = 'checking' AND checker = ?",
                    [checker],
                )

    # -- what is there -------------------------------------------------------------------------

    def get(self, number: int) -> Submission | None:
        return next(iter(self.all("id = ?", min(number, 2**63 - 1))), None)

    def all(self, condition: str = "TRUE", *values: object) -> list[Submission]:
        """Return the submissions that match an SQL condition, oldest first."""
        query = f"SELECT {_COLUMNS} FROM submissions WHERE {condition} ORDER BY id"
        return [_submission(row) for row in self._rows(query, *values)]

    def handed_in(self) -> list[Submission]:
        """Return all submissions except trial submissions, oldest first."""
        return self.all(_HANDED_IN)

    def of_owner(self, owner: str, most: int) -> list[Submission]:
        newest = "SELECT id FROM submissions WHERE owner = ? ORDER BY id DESC LIMIT ?"
        return self.all(f"id IN ({newest})", owner, most)[::-1]

    def versions(self, owner: str | None = None) -> list[Submission]:
        """Return the accepted versions of one owner's bot or, by default, of all bots, sorted by
        owner and version number.
        """
        versions = self.all(f"{_VERSION} AND owner = coalesce(?, owner)", owner)
        return sorted(versions, key=lambda version: (version.owner, version.version))

    def lineup(self) -> list[Submission]:
        """Return each owner's newest accepted submission. Skip owners whose bots were removed."""
        newest = {version.owner: version for version in self.versions()}
        removed = self.removed()
        return [version for version in newest.values() if version.owner not in removed]

    def others_with(self, version: Submission) -> tuple[str, ...]:
        query = "SELECT DISTINCT name FROM submissions WHERE fingerprint = ? AND owner <> ?"
        rows = self._rows(f"{query} ORDER BY name", version.fingerprint, version.owner)
        return tuple([name for (name,) in rows])

    def unchecked(self) -> list[Submission]:
        return self.all(f"state IN ('waiting', 'checking') AND {_PRESENT}")

    def checks_before(self, number: int) -> int:
        with self._reading() as database:
            if database is None:
                return 0
            query = "SELECT count(*) FROM submissions WHERE state = 'checking'"
            (under_way,) = database.execute(query).fetchone()
            order = _order(database)
            return under_way + order.index(number) if number in order else 0

    def steps(self, number: int) -> list[CheckStep]:
        rows = self._rows("SELECT report FROM submissions WHERE id = ?", number)
        return msgspec.json.decode(rows[0][0], type=list[CheckStep]) if rows else []

    def bot_of(self, submission: Submission) -> FoundBot:
        """Return the bot of a submission.

        Raises:
            BotError: The bot's files are missing.
        """
        query = "SELECT description FROM bots WHERE fingerprint = ?"
        rows = self._rows(query, submission.fingerprint)
        description = msgspec.json.decode(rows[0][0], type=BotDescription) if rows else None
        return self.stored.find(submission.owner, submission.fingerprint, description)

    # -- people --------------------------------------------------------------------------------

    def set_removed(self, owners: Collection[str], *, is_removed: bool) -> list[str]:
        """Remove the given owners' bots from the contest, or restore them.

        Return the owners whose status has changed.
        """
        before = self.removed()
        changed = [owner for owner in owners if (owner in before) != is_removed]
        if changed:
            statement = (
                "INSERT OR IGNORE INTO removed VALUES (?)"
                if is_removed
                else "DELETE FROM removed WHERE owner = ?"
            )
            with self._changing() as database:
                database.executemany(statement, [[owner] for owner in changed])
        return changed

    def removed(self) -> frozenset[str]:
        return frozenset([owner for (owner,) in self._rows("SELECT owner FROM removed")])

    def extend(self, owner: str, due: float | None) -> None:
        """Set an owner's deadline (a Unix timestamp). None restores the contest's deadline."""
        with self._changing() as database:
            if due is None:
                database.execute("DELETE FROM extensions WHERE owner = ?", [owner])
            else:
                database.execute("INSERT OR REPLACE INTO extensions VALUES (?, ?)", [owner, due])

    def extensions(self) -> dict[str, float]:
        return dict(self._rows("SELECT owner, due FROM extensions"))

    def forget_files(self, owner: str, kept: Collection[str]) -> None:
        """Delete the files and personal data of an owner's submissions.

        The files of a bot aren't deleted if its fingerprint is in `kept`, or if another owner
        has submitted the same files.
        """
        with self._changing() as database:
            own = "SELECT DISTINCT fingerprint FROM submissions WHERE owner = ?"
            gone = {fingerprint for (fingerprint,) in database.execute(own, [owner])}
            database.execute(
                "UPDATE submissions SET file = '', by = '', name = owner, fingerprint = '', "
                "reason = '', report = '[]', state = iif(state IN ('waiting', 'checking'), "
                "'refused', state) WHERE owner = ?",
                [owner],
            )
            used = database.execute("SELECT fingerprint FROM submissions").fetchall()
            gone -= {"", *kept, *[fingerprint for (fingerprint,) in used]}
            query = "DELETE FROM bots WHERE fingerprint = ?"
            database.executemany(query, [[fingerprint] for fingerprint in gone])
        self.stored.delete(gone)

    # -- the database --------------------------------------------------------------------------

    def _rows(self, query: str, *values: object) -> list[Any]:
        with self._reading() as database:
            return database.execute(query, values).fetchall() if database else []

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        if not self.path.is_file():
            yield None
            return
        with self._opened() as database:
            yield database if _schema_of(database) else None

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with self._opened() as database:
            database.execute("BEGIN IMMEDIATE")
            try:
                if not _schema_of(database):
                    for statement in _SCHEMA.split(";\n"):
                        database.execute(statement)
                    database.execute(f"PRAGMA user_version = {SCHEMA}")
                yield database
                database.execute("COMMIT")
            except BaseException:
                if database.in_transaction:  # SQLite ends it when the disk is full
                    database.execute("ROLLBACK")
                raise

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            with os_error_as(StoreError, f"cannot write {self.path}"), suppress(FileExistsError):
                os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            opened = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None)
            with closing(opened) as database:
                if (version := _schema_of(database)) not in (0, SCHEMA):
                    raise StoreError(
                        f"{self.path} has version {version}, expected {SCHEMA}: use the version of "
                        "bribe-arena that wrote it"
                    )
                yield database
        except sqlite3.Error as error:
            raise StoreError(f"cannot use {self.path}: {error}") from None


def _schema_of(database: sqlite3.Connection) -> int:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)


# -- rows --------------------------------------------------------------------------------------


def _row(source: Path, sent: Sent) -> dict[str, object]:
    file = printable(sent.file or source.name)
    return {
        "owner": sent.owner.id,
        "name": sent.owner.name,
        "by": sent.by or sent.owner.id,
        "received": sent.received.timestamp(),
        "file": file if len(file) <= MAX_FILE_CHARS else f"{file[: MAX_FILE_CHARS - 3]}...",
        "marked_late": sent.marked_late,
        "against": " ".join(sent.against),
    }


def _add(database: sqlite3.Connection, row: dict[str, object]) -> Submission:
    marks = ", ".join([f":{name}" for name in row])
    query = f"INSERT INTO submissions ({', '.join(row)}) VALUES ({marks})"
    number = database.execute(query, row).lastrowid
    assert number
    return _get(database, number)


def _get(database: sqlite3.Connection, number: int) -> Submission:
    query = f"SELECT {_COLUMNS} FROM submissions WHERE id = ?"
    return _submission(database.execute(query, [number]).fetchone())


def _submission(row: Any) -> Submission:
    values = dict(zip(Submission.__struct_fields__, row, strict=True))
    return msgspec.convert(values, Submission, strict=False)


def _accept(database: sqlite3.Connection, submission: Submission) -> Submission:
    newest = database.execute(
        f"SELECT version, fingerprint FROM submissions WHERE owner = ? AND {_VERSION} "
        "ORDER BY version DESC LIMIT 1",
        [submission.owner],
    ).fetchone()
    if newest and newest[1] == submission.fingerprint:
        return _end(database, submission.id, "unchanged", newest[0])
    return _end(database, submission.id, "accepted", newest[0] + 1 if newest else 1)


def _end(
    database: sqlite3.Connection, number: int, state: State, version: int, reason: str = ""
) -> Submission:
    database.execute(
        "UPDATE submissions SET state = ?, version = ?, reason = ?, checker = '' WHERE id = ?",
        [state, version, reason, number],
    )
    return _get(database, number)


def _order(database: sqlite3.Connection, owner: str | None = None) -> list[int]:
    rows = database.execute(
        f"SELECT id FROM submissions AS one WHERE state = 'waiting' AND {_PRESENT} "
        "AND owner = coalesce(?, owner) ORDER BY "
        "row_number() OVER (PARTITION BY owner ORDER BY id), "
        "(SELECT max(turn) FROM submissions WHERE owner = one.owner), "
        "min(id) OVER (PARTITION BY owner)",
        [owner],
    )
    return [number for (number,) in rows]


def _require_room(database: sqlite3.Connection, sent: Sent, terms: Terms, fingerprint: str) -> None:
    query = f"SELECT {_COLUMNS} FROM submissions WHERE owner = ? ORDER BY id"
    own = [_submission(row) for row in database.execute(query, [sent.owner.id])]
    waiting = [submission for submission in own if not submission.is_done]
    if terms.most_waiting is not None and len(waiting) >= terms.most_waiting:
        raise TooManySubmissions(
            f"{len(waiting)} of your submissions are waiting for their check: submit the next one "
            "after one of them has been checked"
        )
    accepted = [
        submission
        for submission in own
        if not submission.is_trial and submission.state == "accepted"
    ]
    known = {submission.fingerprint: submission for submission in reversed(accepted)}
    if terms.versions_a_day is None or sent.against or fingerprint in known:
        return
    today = [submission for submission in known.values() if _is_same_day(submission, sent.received)]
    coming = [
        submission
        for submission in waiting
        if not submission.is_trial and _is_same_day(submission, sent.received)
    ]
    if len(today) + len(coming) >= terms.versions_a_day:
        wait = f" and {len(coming)} waiting for the check" if coming else ""
        raise TooManySubmissions(
            f"got {len(today)} new versions on {sent.received:%Y-%m-%d}{wait}, and the limit is "
            f"{terms.versions_a_day} a day: submit the next one tomorrow"
        )


def _is_same_day(submission: Submission, at: datetime) -> bool:
    return datetime.fromtimestamp(submission.received, at.tzinfo).date() == at.date()
