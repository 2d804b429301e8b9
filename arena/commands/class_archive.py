"""Submit the bots of a whole class from a folder or an archive."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.base.errors import BotError, SettingsError, SubmissionError
from arena.base.protocol import printable
from arena.contest.admission import (
    Judge,
    SubmissionRules,
    checker,
    identify,
    rules_of,
    sandbox_of,
    sent_by,
)
from arena.contest.bot_files import BOT_FILE, BOT_PROGRAM, PACKED, code_in
from arena.contest.inbox import Sent, Submission, in_words
from arena.contest.platform_export import Handed, list_export, student_of, unpack_student
from arena.contest.reader import read_untrusted
from arena.contest.roster import Roster, Student, display_name
from arena.contest.settings import Contest
from arena.terminal.console import notice, say, warning
from arena.tournament.runs import final_of

MAX_NAME_BYTES = 1_000
# Older versions of the arena stored the display name of a student in this file.
NAME_FILE = ".name"


class _ClassUpload:
    def __init__(self, contest: Contest, *, is_checked: bool) -> None:
        self.rules = submission_rules(contest)
        self._sandbox = cache(partial(sandbox_of, contest, notice))
        self._check = checker(contest, self._sandbox()) if is_checked else None
        self._missing: list[str] = []

    def submit(self, label: str, source: Path, sent: Sent) -> None:
        judge = Judge(self.rules, self._sandbox, self._check, partial(_print_note, label))
        say(verdict_text(self.rules, judge.hand_in(source, sent)))

    def refuse(self, label: str, error: BotError) -> None:
        self._missing.append(label)
        warning(f"not submitted: {label}: {error}")

    def require_all(self, number: int) -> None:
        if self._missing:
            raise SubmissionError(
                f"{len(self._missing)} of {number} not submitted, for the reasons above: "
                f"{', '.join(self._missing)}"
            )


def submit_class(source: Path, contest: Contest, at: datetime | None, *, is_checked: bool) -> bool:
    """Submit all bots in an archive or folder and print each result. Return False if `source` is a
    single bot.

    Raises:
        SubmissionError: Some bots were rejected. All other bots were submitted.
    """
    if source.is_dir():
        entries = list(_entries(source))
        if not _is_class(source, entries):
            return False
        _submit_folder(entries, _ClassUpload(contest, is_checked=is_checked), at)
        return True
    if source.suffix.lower() != ".zip":
        return False
    handed, unknown = read_untrusted(source.name, list_export, source.resolve())
    if not handed:
        return False
    upload = _ClassUpload(contest, is_checked=is_checked)
    with upload.rules.inbox:
        # Submit in order of time, so that a team's newest bot becomes its newest version.
        for handed_in in sorted(handed, key=lambda file: file.at.timestamp() if file.at else 0):
            _submit_handed(source, handed_in, upload, at)
    for path in unknown:
        notice(f"skipped, because its name contains no student: {printable(path)}")
    upload.require_all(len(handed))
    return True


def _submit_handed(
    archive: Path, handed_in: Handed, upload: _ClassUpload, at: datetime | None
) -> None:
    label = printable(handed_in.name)
    try:
        student = student_of(handed_in, upload.rules.roster)
        received = at or handed_in.at
        if received is None:
            raise SubmissionError("its files have no valid time; set it with --at")
        with TemporaryDirectory() as scratch:
            arguments = (archive.resolve(), handed_in, Path(scratch))
            unpacked, notes = read_untrusted(handed_in.name, unpack_student, *arguments)
            for note in notes:
                _print_note(label, note)
            sent = sent_by(upload.rules, student, received, marked_late=handed_in.is_late)
            upload.submit(label, unpacked, sent)
    except BotError as error:
        upload.refuse(label, error)


# -- a folder with one bot per entry -----------------------------------------------------------


def _entries(folder: Path) -> Iterator[Path]:
    for path in code_in(folder):
        if path.is_dir() or path.suffix.lower() in PACKED:
            yield path


def _is_class(folder: Path, entries: list[Path]) -> bool:
    if any((folder / name).exists() for name in (BOT_FILE, BOT_PROGRAM, "__init__.py")):
        return False
    if any(_newest(path) != path for path in entries):
        return True
    programs = [path for path in entries if path.suffix.lower() == ".py"]
    bots = [path for path in entries if path.is_file() or _has_bot(path)]
    has_one_program = len(programs) == 1 and not any(
        path.is_file() for path in bots if path not in programs
    )
    return len(bots) > (2 if has_one_program else 1)


def _has_bot(folder: Path) -> bool:
    children = code_in(folder)
    if any(path.name in (BOT_FILE, BOT_PROGRAM) for path in children):
        return True
    return len(children) == 1 and (children[0].is_dir() or children[0].suffix.lower() in PACKED)


def _submit_folder(entries: list[Path], upload: _ClassUpload, at: datetime | None) -> None:
    with upload.rules.inbox:
        for path in entries:
            name = path.stem if path.is_file() else path.name
            label, rules = printable(name), upload.rules
            try:
                student = _student_of(path, rules.roster) or identify(rules, name)
                received = at or datetime.now().astimezone()
                sent = sent_by(rules, student, received, file=path.name)
                upload.submit(label, _newest(path), sent)
            except BotError as error:
                upload.refuse(label, error)
    upload.require_all(len(entries))


def _student_of(path: Path, roster: Roster | None) -> Student | None:
    if roster or not path.is_dir():
        return None
    with (
        suppress(OSError, UnicodeDecodeError, SubmissionError),
        (path / NAME_FILE).open("rb") as file,
    ):
        return Student(path.name, display_name(file.read(MAX_NAME_BYTES).decode()))
    return None


def _newest(path: Path) -> Path:
    children = code_in(path) if path.is_dir() else []
    numbers = [int(child.name) for child in children if child.name.isdecimal() and child.is_dir()]
    return path / str(max(numbers)) if numbers and len(numbers) == len(children) else path


def _print_note(student: str, note: str) -> None:
    notice(f"{student}: {note}")


# -- what the submission of one bot needs too ---------------------------------------------------


def submission_rules(contest: Contest) -> SubmissionRules:
    """Return a contest's submission rules. Raise `SettingsError` if submissions are closed."""
    rules = rules_of(contest)
    if rules is None:
        raise SettingsError('the contest takes no submissions: add `inbox = "."` to [entrants]')
    if final := final_of(Path(contest.results)):
        raise SettingsError(
            f"submissions are closed because the final {final} has started; delete the folder "
            f"{Path(contest.results, final)} to reopen them"
        )
    return rules


def verdict_text(rules: SubmissionRules, submission: Submission) -> str:
    """Describe the result of a submission. Raise `SubmissionError` if it was rejected."""
    if submission.state == "refused":
        raise SubmissionError(submission.reason)
    is_late = bool(rules.late([submission]))
    became = in_words(submission.state, submission.version, is_late=is_late)
    return f"{submission.student.title}: {became}"
