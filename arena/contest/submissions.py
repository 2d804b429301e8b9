"""Submissions: a folder with a bot, in one or more versions, for each student.

    submissions/
        ann.py          a bot in one file
        ben.zip         a zip of a bot
        cem/            a bot's folder: with bot.toml, with bot.py, or with one .py file
        dora/1/  2/     versions, as `arena submit` numbers them
        dora/.name      the name of the student, if it is not that of the folder
    .submissions/       where no student can write
        log.db          each attempt to submit a bot
        arrived/        accepted submissions, until they are in their place
        .unpacked-X/    a copy of each bot, until the run that reads them has its own
        .incoming-X/    an incomplete submission, deleted when its `arena submit` ends in any way

The newest version plays. Bots have the names of their students, so that two students may both
submit a `my_bot`.
"""

import os
import select
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple
from uuid import uuid4

import msgspec

from arena.base.atomic_file import atomic_file, os_error_as
from arena.base.contracts import Bounds, SandboxSettings
from arena.base.errors import ArenaError, BotError, SandboxError, SubmissionError
from arena.base.lock import ScratchFolder
from arena.base.protocol import DEFAULT_LIMITS, printable
from arena.base.record import Entrant
from arena.contest.archive import SUBMISSION_LIMITS, is_code
from arena.contest.bot_files import (
    COPIED,
    PACKED,
    UNPACKED,
    built_bot,
    incoming_bot,
    stored_bot,
    students_bot,
    versions,
)
from arena.contest.fingerprint import is_utf8
from arena.contest.reader import Reader
from arena.contest.roster import Roster, Student, checked_id, display_name, safe_id
from arena.contest.secret_file import private_folder
from arena.contest.settings import INTERPRETERS
from arena.contest.untrusted_files import UntrustedFolder
from arena.process.bot_process import READ_BYTES, BotProcess
from arena.process.local import own_obstacle
from arena.sandbox.cgroup import our_home

NAME_FILE = ".name"
"""The file in the folder of a student with the name of the student, as UTF-8."""
MAX_NAME_FILE_BYTES = 1_000
ARCHIVE = "built.tar"
"""The file in the scratch folder with the result of a build."""


class Submitted(NamedTuple):
    """A student, and what is in the folder of submissions under the name."""

    student: Student
    children: list[Path]


LeaveOut = Callable[[str, BotError], object]
"""Called with the id or name of each student without a usable bot, and the reason."""


@contextmanager
def find_submissions(
    folder: Path,
    students: Mapping[str, Submitted],
    leave_out: LeaveOut,
    interpreters: Sequence[str] = INTERPRETERS,
) -> Iterator[list[Entrant]]:
    """Yield the bots of students, by id.

    They are copies, which are deleted at the end of the context.

    Args:
        folder: the folder of the submissions.
        students: those of `students_in`.
        leave_out: called for each student without a usable bot.
        interpreters: the programs that a command in a `bot.toml` may start, besides its own files.

    Raises:
        SubmissionError: the copies cannot be written.
    """
    entrants = []
    private = private_folder(folder)
    with os_error_as(SubmissionError, f"cannot write {private}"):
        copies = ScratchFolder(private, UNPACKED)
    with copies as unpacked:
        with Reader() as reader:
            for name, (_, children) in sorted(students.items()):
                with refusing(partial(leave_out, name)):
                    if len(children) > 1:
                        raise SubmissionError(
                            f"{_listed(children)} have the same name: keep one of them"
                        )
                    arguments = (children[0], name, tuple(interpreters), unpacked)
                    entrants.append(reader.run(children[0].name, students_bot, *arguments))
        yield entrants


@contextmanager
def refusing(refuse: Callable[[BotError], object]) -> Iterator[None]:
    """Refuse the submission that is handled in this context, whatever is wrong with it.

    Raises:
        ArenaError: the error is not that of a bot.
    """
    try:
        yield
    except BotError as error:
        refuse(error)
    except ArenaError:
        raise
    except Exception as error:
        text = printable(f"{type(error).__name__}: {error}")
        refuse(SubmissionError(f"it cannot be read: {text}"))


def _ignore(_: str, __: BotError) -> None:
    """Leave out a student without a word: another caller reports the reason."""


def students_in(
    folder: Path, leave_out: LeaveOut = _ignore, roster: Roster | None = None
) -> dict[str, Submitted]:
    """Return by id the students of the children of a folder of submissions.

    Raises:
        SubmissionError: the folder cannot be read.
    """
    found: dict[str, Submitted] = {}
    for child in _visible(folder):
        if not is_code(Path(child.name)):  # `__MACOSX`, which comes with archives
            continue
        with refusing(partial(leave_out, printable(child.name))):
            if not is_utf8(child.name):
                raise SubmissionError("the name is not UTF-8: rename it")
            student = student_of(child, roster)
            found.setdefault(student.id, Submitted(student, [])).children.append(child)
    return found


def student_of(child: Path, roster: Roster | None = None) -> Student:
    """Return the student of a child of the folder of submissions.

    Raises:
        SubmissionError: the student is not on the roster.
    """
    stem = child.stem if child.suffix.lower() in PACKED else child.name
    if roster:
        return _on_roster(child, stem, roster)
    try:
        return Student(checked_id(stem), kept_name(child) or stem)
    except SubmissionError:
        pass
    try:
        return Student(safe_id(stem), display_name(stem))
    except SubmissionError:  # it cannot be shown
        return Student(safe_id(stem), safe_id(stem))


def _on_roster(child: Path, stem: str, roster: Roster) -> Student:
    """Return the student of a child by its name, or by the name that is kept in it."""
    try:
        return roster.find(stem)
    except SubmissionError:
        if not (name := kept_name(child)):
            raise
        return roster.find(name)


def kept_name(child: Path) -> str:
    """Return the name in a student's folder, or an empty text."""
    try:
        with UntrustedFolder(child, NAME_FILE) as inside, inside.open(NAME_FILE) as file:
            return display_name(file.read(MAX_NAME_FILE_BYTES).decode())
    except (OSError, UnicodeDecodeError, SubmissionError):  # none, or none that can be shown
        return ""


def _listed(paths: list[Path]) -> str:
    return " and ".join([printable(path.name) for path in paths])


def _visible(folder: Path) -> list[Path]:
    try:
        return sorted([child for child in folder.iterdir() if not child.name.startswith(".")])
    except OSError as error:
        raise SubmissionError(
            f"cannot read the submissions in {folder}: {error.strerror}; `arena init` makes "
            "this folder"
        ) from None


# -- versions ----------------------------------------------------------------------------------


class Incoming(NamedTuple):
    """A complete submission that has no version number yet."""

    bot: Entrant
    folder: Path
    interpreters: tuple[str, ...]
    reader: Reader
    build: str = ""
    """The shell command that makes its program, if it has one."""
    notes: tuple[str, ...] = ()
    """Sentences for its author, such as on files that were left out."""

    def built(self, sandbox: SandboxSettings) -> "Incoming":
        """Return the submission after its build in the sandbox, if it has one.

        Raises:
            SubmissionError: the build fails.
            BotError: the build has not made the program of the command.
        """
        if not self.build:
            return self
        bot, archive = self.bot, self.folder.with_name(ARCHIVE)
        build(bot, self.build, sandbox, archive)
        place = Path(bot.folder)
        found = self.reader.run(
            bot.name, built_bot, archive, place, self.folder, bot.name, self.interpreters
        )
        return self._replace(bot=msgspec.structs.replace(found.entrant, source=bot.source))

    def require_unchanged(self) -> None:
        """Raise `SubmissionError` if the bot has changed its own files since it was read."""
        if not self.is_in(self.folder):
            raise SubmissionError(
                f"{self.bot.name} is refused: it has changed files of its own during the check; "
                "write to /tmp or to files that end in .log instead"
            )

    def is_in(self, folder: Path) -> bool:
        """Return whether the same bot is in a folder."""
        name = self.bot.name
        try:
            found = self.reader.run(name, stored_bot, folder, name, self.interpreters)
        except BotError:
            return False
        return found.entrant.fingerprint == self.bot.fingerprint


def _incoming(source: Path, name: str, interpreters: tuple[str, ...], reader: Reader) -> Incoming:
    """Return a submission that is copied into the scratch folder of a reader."""
    found = reader.run(source.name, incoming_bot, source, name, interpreters, reader.scratch)
    assert reader.scratch, "it was copied there"
    folder = reader.scratch / COPIED
    return Incoming(found.entrant, folder, interpreters, reader, found.build, found.notes)


@contextmanager
def incoming(
    source: Path, name: str, submissions: Path, interpreters: Sequence[str] = INTERPRETERS
) -> Iterator[Incoming]:
    """Yield a student's submission.

    It is deleted at the end unless it was accepted, also if this process is killed.

    Args:
        source: a .py file, a .zip or a folder.
        name: the id of the student.
        submissions: the folder of all submissions.
        interpreters: the programs that a command in a `bot.toml` may start, besides its own files.

    Raises:
        SubmissionError: the submission is refused or cannot be copied.
        BotError: there is no bot in it.
    """
    checked_id(name)
    own = [
        child
        for child in _visible(submissions)
        if student_of(child).id.casefold() == name.casefold()
    ]
    for child in own:
        if len(own) > 1 or student_of(child).id != name or child.is_symlink():
            raise SubmissionError(
                f"{_listed(own)} is in {submissions} already, and is no bot of {name} alone: move "
                "it away"
            )
    with Reader(private_folder(submissions)) as reader:
        yield _incoming(source, name, tuple(interpreters), reader)


def without_versions(submissions: Path, name: str) -> Path | None:
    """Return the bot of a student that is no folder of versions, or None."""
    for child in _visible(submissions):
        is_bot = not (child.is_dir() and (versions(child) or not _visible(child)))
        if is_bot and is_code(Path(child.name)) and student_of(child).id == name:
            return child
    return None


def keep_name(own: Path, student: Student) -> None:
    """Keep the name of a student in the folder of their versions. Raises `SubmissionError`."""
    if student.name == (kept_name(own) or student.id):
        return
    with (
        os_error_as(SubmissionError, f"cannot write {own / NAME_FILE}"),
        atomic_file(own / NAME_FILE) as kept,
    ):
        kept.write(f"{student.name}\n".encode())


# -- builds ------------------------------------------------------------------------------------

# The sandbox lets no bot write into its folder. So the command of a build runs in a copy in /tmp,
# and what it has made comes back as an archive on stdout. A `Reader` unpacks that: the command can
# write to the pipe too, and so return anything.

MAX_BUILD_S = 300.0
WATCH_S = 0.1
"""The time between two looks at the memory and the processes of a build."""
BUILD_BOUNDS = Bounds(memory_mib=4096, processes=512, file_mib=64)
"""Compilers need more than bots. These are bounds of all processes of a build together."""
MAX_PACKED_BYTES = 4 * SUBMISSION_LIMITS.size
MAX_LOG_LINES, MAX_LOG_BYTES = 20, 64 * 1024
SUCCESS = "exited with code 0"
SCRIPT = """
set -e
exec </dev/null
work=$2
mkdir -m 700 "$work"
trap 'rm -rf "$work"' EXIT
cp -R . "$work/code"
cd "$work/code"
mkdir "$work/home"
export HOME="$work/home" TMPDIR="$work/home" GOCACHE="$work/home/go" GOTOOLCHAIN=local
sh -c "$1" >&2
tar -cf - .
"""


def build(bot: Entrant, command: str, sandbox: SandboxSettings, archive: Path) -> None:
    """Run the build command of a submission in the sandbox. All that it starts ends with it.

    Args:
        bot: the bot, in the folder of its `bot.toml`.
        command: a shell command.
        sandbox: the sandbox of the bots; a build has more memory and time.
        archive: the new file that gets what the command has made. It may contain anything.

    Raises:
        SubmissionError: the command fails, or takes too much time, memory or processes, or makes
            too much.
        BotError: the files of the bot prevent the sandbox.
        SandboxError: the sandbox cannot be set up for any program.
    """
    settings = msgspec.structs.replace(sandbox, bounds=BUILD_BOUNDS)
    work = f"/tmp/build-{uuid4().hex}"
    shell = Entrant(bot.name, ("/bin/sh", "-c", SCRIPT, "sh", command, work), bot.folder, "")
    log = _Log()
    try:
        with BotProcess(shell, DEFAULT_LIMITS, settings) as process, archive.open("xb") as file:
            process.on_stderr = log.add
            failure = _watch(process, file)
            process.check_sandbox()
    except SandboxError as error:
        raise own_obstacle(shell, (DEFAULT_LIMITS, settings, our_home), error) from None
    finally:
        shutil.rmtree(work, ignore_errors=True)  # a build that was killed has left it
    if failure:
        raise SubmissionError(
            f"{bot.name} is refused: its build `{printable(command)}` {failure}{log.shown}"
        )


class _Log:
    """The end of what a build has printed."""

    def __init__(self) -> None:
        self._end = b""

    def add(self, data: bytes) -> None:
        self._end = (self._end + data)[-MAX_LOG_BYTES:]

    @property
    def shown(self) -> str:
        lines = self._end.decode(errors="replace").splitlines()[-MAX_LOG_LINES:]
        return "".join([":", *[f"\n  {printable(line)}" for line in lines]]) if lines else ""


def _watch(process: BotProcess, archive: IO[bytes]) -> str:
    """Write the output of a build to `archive`. Return what is wrong with it, or an empty text."""
    deadline = time.monotonic() + MAX_BUILD_S
    left = MAX_PACKED_BYTES
    poll = select.poll()
    for pipe in (process.stdout, process.stderr):
        poll.register(pipe, select.POLLIN)
    while (left_s := deadline - time.monotonic()) > 0:
        has_exited = process.has_exited()
        ready = dict(poll.poll(0 if has_exited else min(WATCH_S, left_s) * 1000))
        if process.stderr in ready and not process.read_stderr():
            poll.unregister(process.stderr)
        data = os.read(process.stdout, READ_BYTES) if process.stdout in ready else b""
        if not data and (process.stdout in ready or has_exited):
            return _failure(process.exit_text(left_s))
        if data and not process.has_begun:
            process.has_begun, data = True, data[1:]  # the line that announces it
        left -= archive.write(data)
        if left < 0:
            return "makes too large files"
        if excess := process.excess():
            return f"was ended, since it {excess}"
    return f"took over {MAX_BUILD_S:g} s"


def _failure(ending: str) -> str:
    return "" if ending == SUCCESS else f"failed: it {ending}"
