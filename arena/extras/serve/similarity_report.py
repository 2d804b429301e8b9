"""The report on similar programs among the newest submissions of a contest."""

import os
import resource
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import msgspec

from arena.base.errors import ArenaError, BotError, SubmissionError
from arena.base.record import Entrant
from arena.contest.admission import rules_of
from arena.contest.reader import Reader
from arena.contest.submissions import find_submissions, students_in
from arena.extras.serve.background import watch_input
from arena.extras.serve.contest_dates import read_served
from arena.extras.serve.people import People
from arena.extras.serve.server_database import DATABASE, ServerDatabase
from arena.extras.shared.like_programs import ComparedPrograms, LikePair, compare_bots


class ReportState(NamedTuple):
    """The last comparison: requested, made or failed."""

    asked: float | None
    """The time at which it was requested, in seconds since 1970; None without a request."""
    made: float | None
    report: bytes | None
    """JSON of a `SimilarityReport`, the former one while the next is made."""
    failure: str

    @property
    def is_under_way(self) -> bool:
        """Whether a comparison is requested and not made yet."""
        return self.asked is not None and (self.made is None or self.made < self.asked)


class ReportStore:
    """Stores the request for a comparison, and its report or failure."""

    def __init__(self, database: ServerDatabase) -> None:
        self._database = database

    @property
    def is_asked_for(self) -> bool:
        """Whether a comparison has to be made."""
        return self.read().is_under_way

    def read(self) -> ReportState:
        """Return the state of the last comparison."""
        row = self._database.row("SELECT asked, made, report, failure FROM similarity")
        return ReportState(*row) if row else ReportState(None, None, None, "")

    def ask(self, now: float) -> None:
        """Request a comparison, unless one is under way."""
        if not self.is_asked_for:
            self._database.write(
                "INSERT INTO similarity (number, asked) VALUES (1, ?1) "
                "ON CONFLICT DO UPDATE SET asked = ?1",
                now,
            )

    def keep(self, report: bytes, now: float) -> None:
        """Store the report of the requested comparison, in place of the former one."""
        query = "UPDATE similarity SET made = max(?, asked), report = ?, failure = ''"
        self._database.write(query, now, report)

    def fail(self, reason: str, now: float) -> None:
        """Store why the requested comparison could not be made."""
        query = "UPDATE similarity SET made = max(?, asked), failure = ?"
        self._database.write(query, now, reason)


MAX_PAIRS = 200
"""Pairs of a report, the most alike first."""
SCHEMA = 2


class SimilarProgram(msgspec.Struct, frozen=True):
    """A side of a pair."""

    bot: str
    share: float
    """The shared part of what is its own, from 0 to 1."""
    version: int
    """The number of the student's version; 0 for a bot without versions."""
    pieces: tuple[tuple[str, bool], ...]
    """The text in pieces, each with whether the other program has it too."""


class SimilarPair(msgspec.Struct, frozen=True):
    """Two programs that are alike."""

    language: str
    sides: tuple[SimilarProgram, SimilarProgram]


class SimilarityReport(msgspec.Struct, frozen=True):
    """A comparison, with all that its pages show."""

    pairs: tuple[SimilarPair, ...]
    """The most alike first."""
    compared: tuple[str, ...]
    """The bots with enough of their own."""
    left_out: tuple[tuple[str, str], ...]
    """Bots that could not be compared, and why."""
    schema: int = SCHEMA


def make_report(contest_file: Path, people: People) -> SimilarityReport:
    """Return the report on the newest submissions of a contest and its `people`.

    Members of a team hand in one bot, so their programs are no pair.

    Raises:
        ArenaError: the contest has no submissions, or they cannot be read.
    """
    rules = rules_of(read_served(contest_file))
    if rules is None:
        raise SubmissionError(
            "the contest has no folder of submissions: there is nothing to compare"
        )
    left_out: dict[str, str] = {}
    newest: dict[str, str] = {}

    def leave_out(bot: str, error: BotError) -> None:
        left_out[bot] = str(error)

    def entrants() -> Iterator[Entrant]:
        for entrant in bots:
            newest[entrant.name] = Path(entrant.origin).name
            yield entrant

    students = students_in(rules.folder, leave_out, rules.roster)
    submitted = find_submissions(rules.folder, students, leave_out, rules.interpreters)
    with submitted as bots, Reader() as reader:
        found = compare_bots(entrants(), left_out, reader=reader)
    owners = {person.id: person.owner for person in people.students()}
    apart = [pair for pair in found.pairs if len({owners.get(bot, bot) for bot in pair.bots}) == 2]
    return SimilarityReport(
        tuple([_shown(pair, found, newest) for pair in apart[:MAX_PAIRS]]),
        found.compared,
        tuple(sorted(found.left_out.items())),
    )


def _shown(pair: LikePair, found: ComparedPrograms, newest: Mapping[str, str]) -> SimilarPair:
    sides = []
    for bot, size in zip(pair.bots, pair.sizes, strict=True):
        program = next(text for text in found.texts[bot] if text.language == pair.language)
        version = newest[bot]
        sides.append(
            SimilarProgram(
                bot,
                len(pair.passages) / size,
                int(version) if version.isdecimal() else 0,
                tuple(program.pieces(pair.passages)),
            )
        )
    return SimilarPair(pair.language, (sides[0], sides[1]))


# -- the process that compares submissions when the teacher requests it ------------------------


MAX_CPU_S = 900
MAX_MEMORY = 3 * 1024**3
TOO_LONG = f"The comparison took more than {MAX_CPU_S} s of processor time."
TOO_MUCH = f"The comparison took more than {MAX_MEMORY // 1024**3} GiB of memory."


class _OutOfTime(Exception):
    """The process has used all of its processor time."""


def answer(contest_file: Path, database: ServerDatabase) -> None:
    """Make the requested comparison, and store its report or why it failed."""
    store = ReportStore(database)
    try:
        report = make_report(contest_file, People(database))
        store.keep(msgspec.json.encode(report), time.time())
    except ArenaError as error:
        store.fail(str(error), time.time())
    except MemoryError:
        store.fail(TOO_MUCH, time.time())
    except _OutOfTime:
        store.fail(TOO_LONG, time.time())


def main() -> None:
    """Compare until there is no request."""
    watch_input(lambda: os._exit(0))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_S, MAX_CPU_S + 60))
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    signal.signal(signal.SIGXCPU, _stop)
    contest_file = Path(sys.argv[1])
    with closing(ServerDatabase(contest_file.parent / DATABASE)) as database:
        while ReportStore(database).is_asked_for:
            answer(contest_file, database)


def _stop(number: int, frame: FrameType | None) -> None:
    raise _OutOfTime


if __name__ == "__main__":
    main()
