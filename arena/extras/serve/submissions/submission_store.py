"""Submissions in the database, and the order of their checks."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from arena.base.protocol import printable
from arena.check.bot_check import Checked, Outcome
from arena.check.bot_stack import split_stack
from arena.check.fault_file import FaultFile
from arena.contest.bot_files import versions
from arena.contest.submission_log import SubmissionLog
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.server_database import ServerDatabase, peek
from arena.rating.columns import LeaderboardRow, interval_text

State = Literal["waiting", "checking", "accepted", "unchanged", "refused"]
"""`unchanged` is a submission that equals the newest version."""
DONE: tuple[State, ...] = ("accepted", "unchanged", "refused")
UNCHECKED = "state IN ('waiting', 'checking')"
"""The condition in SQL of a submission without a verdict."""
OF_PRESENT = "bot IN (SELECT owner FROM people WHERE removed IS NULL)"
"""That of one whose students are on the roster. Others wait until their students are back."""
MAX_TRIES = 3
"""Checks of a submission that are begun. If the checker failed or was killed in all, it is
refused."""
GAVE_UP = (
    f"the program that checks submissions failed {MAX_TRIES} times during this check; tell the "
    "teacher, or submit another version"
)


class Submission(NamedTuple):
    """A submission."""

    id: int
    bot: str
    name: str
    """The display name of the bot: that of the student, or of the team."""
    person: str
    """The id of the student who has handed it in."""
    came: float
    """The time at which it was handed in, in seconds since 1970."""
    file: str
    """The name of the file, as it is shown."""
    key: str
    """The key of its uploaded file; empty once the file is deleted."""
    is_late: bool
    state: State
    turn: int
    """The number of its check, counted over all submissions; 0 before the check."""
    tries: int
    version: int
    """The number of its version; 0 if it was refused or has no verdict."""
    reason: str
    """Why it was refused."""
    against: str = ""
    """The bots of a trial, divided by spaces; empty for what was handed in."""

    @property
    def is_done(self) -> bool:
        """Whether there is a verdict."""
        return self.state in DONE


class CheckStep(NamedTuple):
    """A step of the check of a submission."""

    number: int
    name: str
    outcome: Outcome
    text: str
    card: str
    """The report of the fault, if the step has failed with one."""
    fault: bytes | None
    """The file of the fault, as JSON."""

    @property
    def move(self) -> int | None:
        """The number of the move with the fault, or None if it was in no game."""
        file = msgspec.json.decode(self.fault, type=FaultFile) if self.fault else None
        return file.fault.action if file and file.games else None

    @property
    def last_output(self) -> str:
        """The innermost call of the bot's own files when its time was over; otherwise the last line
        that it has written to stderr before the fault."""
        file = msgspec.json.decode(self.fault, type=FaultFile) if self.fault else None
        rest, frames = split_stack(file.evidence.stderr if file else "")
        for frame in frames:
            if not frame.is_library:
                return printable(f"it was in {frame.function}, {frame.file} line {frame.line}")
        lines = rest.strip().splitlines()
        return printable(lines[-1]) if lines else ""


MAX_ID = 2**63 - 1
_COLUMNS = ", ".join(Submission._fields)


class SubmissionStore:
    """Reads and writes the submissions in the database."""

    def __init__(self, database: ServerDatabase) -> None:
        self._database = database

    # -- what pages ask -------------------------------------------------------------------------

    def add(  # noqa: PLR0913
        self,
        person: ContestPerson,
        came: float,
        file: str,
        key: str,
        is_late: bool,
        against: Sequence[str] = (),
    ) -> int:
        """Add a submission that waits for its check, and return its id.

        All parameters are columns of its row.

        Args:
            person: the student who has handed it in.
            came: when, in seconds since 1970.
            file: the name of the file, as it is shown.
            key: that of the stored file, which is on the disk.
            is_late: whether it came after the deadline.
            against: the bots of a trial, which is not handed in.
        """
        added = self._database.write(
            "INSERT INTO submissions (bot, name, person, came, file, key, is_late, against) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            *(person.owner, person.bot_name, person.id, came, file, key, is_late),
            " ".join(against),
        )
        assert added.lastrowid
        return added.lastrowid

    def get(self, number: int) -> Submission | None:
        """Return the submission with an id, or None."""
        found = self._all("WHERE id = ?", min(number, MAX_ID))
        return found[0] if found else None

    def of_bot(self, bot: str, most: int) -> list[Submission]:
        """Return the `most` newest submissions of a bot, newest first."""
        return self._all("WHERE bot = ? ORDER BY id DESC LIMIT ?", bot, most)

    def unchecked(self, bot: str) -> list[Submission]:
        """Return the submissions of a bot without a verdict."""
        return self._all(f"WHERE bot = ? AND {UNCHECKED} ORDER BY id", bot)

    def newest_states(self) -> dict[str, str]:
        """Return by bot the state of what was handed in last."""
        rows = self._database.rows(
            "SELECT bot, state FROM submissions WHERE id IN "
            "(SELECT max(id) FROM submissions WHERE against = '' GROUP BY bot)"
        )
        return {row["bot"]: row["state"] for row in rows}

    def steps(self, number: int) -> list[CheckStep]:
        """Return the steps of the check of a submission so far."""
        rows = self._database.rows(
            "SELECT number, name, outcome, text, card, fault FROM check_steps "
            "WHERE submission = ? ORDER BY number",
            number,
        )
        return [CheckStep(*row) for row in rows]

    def checks_before(self, number: int) -> int:
        """Return how many checks come before that of a submission, if there are no new ones."""
        under_way = self._database.rows("SELECT 1 FROM submissions WHERE state = 'checking'")
        order = _order(self._database.connect())
        return len(under_way) + order.index(number) if number in order else 0

    def keys(self) -> set[str]:
        """Return the keys of all files that are still needed."""
        return {
            key for (key,) in self._database.rows("SELECT key FROM submissions WHERE key <> ''")
        }

    # -- what the checker does --------------------------------------------------------------------

    def begin_next(self) -> Submission | None:
        """Begin the next check, and return the submission; None if nothing waits."""
        with self._database.transaction() as connection:
            number = next(iter(_order(connection)), None)
            if number is None:
                return None
            connection.execute(
                "UPDATE submissions SET state = 'checking', tries = tries + 1, "
                "turn = (SELECT max(turn) FROM submissions) + 1 WHERE id = ?",
                [number],
            )
        return self.get(number)

    def clear_steps(self, number: int) -> None:
        """Forget the steps of a check that was interrupted."""
        self._database.write("DELETE FROM check_steps WHERE submission = ?", number)

    def add_step(self, number: int, checked: Checked, card: str, fault: bytes | None) -> None:
        """Add a step to the check of a submission."""
        self._database.write(
            "INSERT INTO check_steps SELECT ?1, count(*) + 1, ?2, ?3, ?4, ?5, ?6 "
            "FROM check_steps WHERE submission = ?1",
            *(number, checked.name, checked.outcome, checked.text, card, fault),
        )

    def accept(self, number: int, version: int, *, is_new: bool) -> None:
        """End a check: the submission is a version, or equals the newest one."""
        state: State = "accepted" if is_new else "unchanged"
        self._end(number, state, version, "")

    def refuse(self, number: int, reason: str) -> None:
        """End a check: the submission is refused for this reason."""
        self._end(number, "refused", 0, reason)

    def wait_again(self, number: int) -> None:
        """Let a submission wait again after its check was interrupted, and do not count the try."""
        self._database.write(
            "UPDATE submissions SET state = 'waiting', tries = tries - 1 WHERE id = ?", number
        )

    def explain_wait(self, reason: str) -> None:
        """Store why nothing is checked now, for the pages; an empty text says that it goes on."""
        query = "UPDATE submissions SET reason = ?1 WHERE state = 'waiting' AND reason <> ?1"
        self._database.write(query, reason)

    def resume(self) -> None:
        """Let submissions of a killed checker wait again."""
        self._database.write("UPDATE submissions SET state = 'waiting' WHERE state = 'checking'")

    def forget_files(self, bot: str) -> list[str]:
        """Return the keys of the files of a bot that are not needed any more, and remove them here.

        These are accepted files, but not that of the newest trial, which can be handed in, and
        refused ones except the newest, for the teacher to look at.
        """
        with self._database.transaction() as connection:
            rows = connection.execute(
                "SELECT id, key FROM submissions WHERE bot = ?1 AND key <> '' AND ("
                "state IN ('accepted', 'unchanged') AND (against = '' OR id < "
                "(SELECT max(id) FROM submissions WHERE bot = ?1 AND against <> '')) "
                "OR state = 'refused' AND id < "
                "(SELECT max(id) FROM submissions WHERE bot = ?1 AND state = 'refused'))",
                [bot],
            ).fetchall()
            connection.executemany(
                "UPDATE submissions SET key = '' WHERE id = ?", [[row["id"]] for row in rows]
            )
        return [row["key"] for row in rows]

    def _end(self, number: int, state: State, version: int, reason: str) -> None:
        self._database.write(
            "UPDATE submissions SET state = ?, version = ?, reason = ? WHERE id = ?",
            *(state, version, reason, number),
        )

    def _all(self, where: str, *values: object) -> list[Submission]:
        rows = self._database.rows(f"SELECT {_COLUMNS} FROM submissions {where}", *values)
        found = [Submission(*row) for row in rows]
        return [submission._replace(is_late=bool(submission.is_late)) for submission in found]


def _order(connection: sqlite3.Connection) -> list[int]:
    """Return the ids of submissions in the order of their checks, if no other submission comes.

    Bots take turns: the next one is the bot whose last check began longest ago, or a bot that was
    never checked. So a bot with many submissions delays the first check of another bot by one check
    at most. Submissions of one bot keep their order.
    """
    rows = connection.execute(
        f"SELECT id FROM submissions AS one WHERE state = 'waiting' AND {OF_PRESENT} ORDER BY "
        "row_number() OVER (PARTITION BY bot ORDER BY id), "
        "(SELECT max(turn) FROM submissions WHERE bot = one.bot), "
        "min(id) OVER (PARTITION BY bot)"
    )
    return [number for (number,) in rows]


def are_unchecked(contest_folder: Path) -> bool:
    """Return whether a submission has no verdict yet that a final needs. There may be no server."""
    query = f"SELECT 1 FROM submissions WHERE {UNCHECKED} AND against = '' AND {OF_PRESENT} LIMIT 1"
    return peek(contest_folder, query) is not None


# -- the versions of a bot, with the rating of each when it last played ------------------------


class VersionRating(NamedTuple):
    """The rank and rating of a version when it last played."""

    rank: int
    best_rank: int
    worst_rank: int
    rating: float
    score: float | None
    games: int
    faults: int
    at: float
    """The time of the rating, in seconds since 1970."""
    score_low: float | None
    score_high: float | None
    """Bounds of the 95 % interval of the score; None after too few boards."""

    @property
    def score_text(self) -> str:
        """The score in percent, with half of its interval."""
        return interval_text(self.score, self.score_low, self.score_high)


class BotVersion(NamedTuple):
    """A version of a bot."""

    number: int
    came: datetime | None
    """The time at which it was submitted; None if the log does not say."""
    file: str
    is_late: bool
    same_as: int
    """The number of the first version with the same code; its own if it is the first."""
    rating: VersionRating | None
    """None before its first complete board."""


_RATING_COLUMNS = ", ".join(VersionRating._fields)


def note_ratings(
    database: ServerDatabase,
    rows: Sequence[LeaderboardRow],
    fingerprints: Mapping[str, str],
    at: float,
) -> None:
    """Store the ranks and ratings of the versions that play now.

    Args:
        database: the database of the server.
        rows: the overall table of the leaderboard.
        fingerprints: by bot, the digest of the code that plays.
        at: the time, in seconds since 1970.
    """
    noted = [
        [
            *(row.bot, fingerprints[row.bot], row.rank, row.best_rank, row.worst_rank),
            *(row.rating, row.score, row.games, row.faults, at, row.score_low, row.score_high),
        ]
        for row in rows
        if row.games and row.bot in fingerprints
    ]
    with database.transaction() as connection:
        connection.executemany(
            "INSERT OR REPLACE INTO version_ratings "
            f"(bot, fingerprint, {_RATING_COLUMNS}) VALUES ({', '.join('?' * 12)})",
            noted,
        )


def version_history(database: ServerDatabase, submissions: Path, bot: str) -> list[BotVersion]:
    """Return the versions of a bot, newest first.

    Args:
        database: the database of the server.
        submissions: the folder of submissions.
        bot: the id of the bot.

    Raises:
        SubmissionError: the log of submissions cannot be read.
    """
    query = f"SELECT fingerprint, {_RATING_COLUMNS} FROM version_ratings WHERE bot = ?"
    rows = database.rows(query, bot)
    ratings = {row[0]: VersionRating(*row[1:]) for row in rows}
    accepted = [
        attempt
        for attempt in SubmissionLog(submissions).attempts()
        if attempt.outcome == "accepted"
    ]
    logged = {attempt.number: attempt for attempt in accepted if attempt.id == bot}
    found: list[BotVersion] = []
    first: dict[str, int] = {}
    for number in versions(submissions / bot):
        attempt = logged.get(number)
        code = attempt.fingerprint if attempt else str(number)
        first.setdefault(code, number)
        found.append(
            BotVersion(
                number,
                attempt.time.replace(tzinfo=UTC) if attempt else None,
                attempt.file if attempt else "",
                attempt.late if attempt else False,
                first[code],
                ratings.get(code),
            )
        )
    return found[::-1]
