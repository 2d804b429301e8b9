"""The report on the newest submissions of a contest. Each is read with a limit of time."""

import os
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePath
from types import FrameType
from typing import NamedTuple

import msgspec

from arena.contest.admission import rules_of
from arena.contest.archive import open_plain
from arena.contest.contest_file import read_contest
from arena.contest.fingerprint import code_of
from arena.contest.reader import Reader
from arena.contest.submissions import find_submissions, students_in, unpacking
from arena.errors import ArenaError, BotError, SubmissionError
from arena.extras.serve.background import watch_input
from arena.extras.serve.server_database import DATABASE, ServerDatabase
from arena.extras.serve.similar_programs import (
    Marked,
    SimilarityReport,
    StudentProgram,
    compare_programs,
)
from arena.record import Entrant


class ReportState(NamedTuple):
    """The last comparison: requested, made or failed."""

    asked: float | None
    """When it was requested, in seconds since 1970; None without a request."""
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


LANGUAGES = {
    ".py": "python", ".js": "javascript", ".mjs": "javascript", ".ts": "typescript", ".c": "c",
    ".h": "c", ".cpp": "cpp", ".cc": "cpp", ".cxx": "cpp", ".hpp": "cpp", ".rs": "rust",
    ".go": "go", ".java": "java", ".kt": "kotlin", ".cs": "csharp", ".rb": "ruby", ".php": "php",
    ".lua": "lua", ".pl": "perl", ".sh": "bash", ".hs": "haskell", ".jl": "julia",
    ".scala": "scala", ".swift": "swift", ".r": "r",
}  # fmt: skip
"""By the end of a file's name: the lexer of its language."""
MAX_BYTES = 256 * 1024
"""The most program text of a bot that is compared. Larger programs contain generated tables."""
MAX_READ_S = 20
"""The time of the lexer for one program."""


def make_report(contest_file: Path) -> SimilarityReport:
    """Return the report on the newest submissions of a contest.

    Raises:
        ArenaError: the contest has no submissions, or they cannot be read.
    """
    left_out: dict[str, str] = {}
    marked = []
    for program in _programs(contest_file, left_out):
        try:
            with _time_limit(MAX_READ_S):
                marked.append(Marked(program))
        except TimeoutError:
            left_out[program.bot] = f"its {program.language} took over {MAX_READ_S} s to read"
        except Exception as error:  # whatever a lexer makes of such a program
            left_out[program.bot] = f"its {program.language} cannot be read: {error}"
    comparison = compare_programs(marked, [Marked(each) for each in _public()])
    named = {
        (side.bot, pair.language) for pair in comparison.pairs for side in (pair.first, pair.second)
    }
    for bot in {each.program.bot for each in marked} - {*comparison.compared}:
        left_out.setdefault(bot, "too little that is its own")
    return SimilarityReport(
        comparison,
        tuple(sorted(left_out.items())),
        tuple(
            [each.program for each in marked if (each.program.bot, each.program.language) in named]
        ),
    )


def _programs(contest_file: Path, left_out: dict[str, str]) -> Iterator[StudentProgram]:
    """Yield the programs of the newest submissions, by language."""
    rules = rules_of(read_contest(contest_file))
    if rules is None:
        raise SubmissionError(
            "the contest has no folder of submissions: there is nothing to compare"
        )

    def leave_out(bot: str, error: BotError) -> None:
        left_out[bot] = str(error)

    with unpacking(rules.folder), Reader() as reader:
        teams = {
            name: one.student.team
            for name, one in students_in(rules.folder, roster=rules.roster).items()
        }
        entrants = find_submissions(rules.folder, leave_out, rules.interpreters, rules.roster)
        for entrant in entrants:
            try:
                texts = reader.run(entrant.name, program_texts, entrant)
            except BotError as error:
                left_out[entrant.name] = str(error)
                continue
            if not texts:
                left_out[entrant.name] = "it has no program in a known language"
            for language, text in texts.items():
                version = Path(entrant.folder).name
                yield StudentProgram(
                    entrant.name,
                    language,
                    text,
                    teams.get(entrant.name, ""),
                    int(version) if version.isdecimal() else 0,
                )


def program_texts(entrant: Entrant) -> dict[str, str]:
    """Return by language the text of a bot's program, its files in the order of their names.

    A `Reader` runs this.

    Raises:
        BotError: it has too much text, or a file is a link.
        OSError: a file cannot be read.
    """
    texts: dict[str, str] = defaultdict(str)
    left = MAX_BYTES
    for path in sorted(code_of(entrant)):
        if language := language_of(path):
            with open_plain(path) as file:
                content = file.read(left + 1)
            left -= len(content)
            if left < 0:
                raise BotError(f"its program has more than {MAX_BYTES:,} bytes")
            texts[language] += content.decode(errors="replace").rstrip() + "\n"
    return texts


def language_of(path: PurePath) -> str | None:
    """Return the lexer of a file of a program, or None for other files."""
    return LANGUAGES.get(path.suffix.lower())


def _public() -> Iterator[StudentProgram]:
    """Yield the texts of installed bots and of the templates of `arena new`."""
    for file in _files(files("bots")):
        if language := language_of(PurePath(file.name)):
            yield StudentProgram("", language, file.read_text("utf-8"))


def _files(folder: Traversable) -> Iterable[Traversable]:
    for child in folder.iterdir():
        if child.is_dir():
            yield from _files(child)
        else:
            yield child


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeoutError` inside this context after some time, also in a regular expression."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    former = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


# -- the process that compares submissions when the teacher requests it ------------------------


MAX_CPU_S = 900
MAX_MEMORY = 3 * 1024**3
TOO_LONG = f"The comparison took more than {MAX_CPU_S} s of processor time."
TOO_MUCH = f"The comparison took more than {MAX_MEMORY // 1024**3} GiB of memory."


class _OutOfTime(Exception):
    """The process has used all of its processor time."""


def answer(contest_file: Path, store: ReportStore) -> None:
    """Make the requested comparison, and store its report or why it failed."""
    try:
        # Not above: without a request, the process ends before these imports.
        from arena.extras.serve.similarity_report import make_report

        store.keep(msgspec.json.encode(make_report(contest_file)), time.time())
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
        store = ReportStore(database)
        while store.is_asked_for:
            answer(contest_file, store)


def _stop(number: int, frame: FrameType | None) -> None:
    raise _OutOfTime


if __name__ == "__main__":
    main()
