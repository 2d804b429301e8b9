"""Admission of submissions: who submits, when, within which limits, checked and logged.

`arena submit` and the contest server use `hand_in`; a run uses `admit` for each
bot that a teacher has put into the folder of submissions.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn
from uuid import uuid4

import msgspec

from arena.base.contracts import SandboxSettings
from arena.base.errors import BotError, SubmissionError
from arena.base.protocol import printable, shorten
from arena.base.record import Entrant
from arena.check.sandbox_probe import choose
from arena.contest.bot_files import versions
from arena.contest.fingerprint import fingerprint_now
from arena.contest.reader import Reader
from arena.contest.roster import (
    MAX_ID_CHARS,
    Roster,
    Student,
    checked_id,
    display_name,
    read_roster_file,
    safe_id,
)
from arena.contest.settings import INTERPRETERS, Contest, Deadline, chosen_variants, shown_time
from arena.contest.submission_log import Attempt, SubmissionLog, accepted_bots, accepted_variants
from arena.contest.submissions import (
    Incoming,
    LeaveOut,
    Submitted,
    find_submissions,
    incoming,
    keep_name,
    student_of,
    students_in,
)
from arena.plugins import bots

if TYPE_CHECKING:
    from arena.check.bot_check import Checked

Check = Callable[[Entrant], object]
"""Checks a bot. Raises `BotError` if it is not fit for the contest."""
Prepare = Callable[[Incoming], Incoming]
"""Returns a submission after its build. Raises `BotError` if that fails."""


class SubmissionRules(NamedTuple):
    """The rules of a contest for submissions."""

    folder: Path
    """Of all submissions."""
    interpreters: Sequence[str] = INTERPRETERS
    roster: Roster | None = None
    """None means that anybody may submit."""
    deadline: Deadline | None = None
    versions_a_day: int | None = None
    """New versions of a student that are accepted in a day. None means no limit."""
    variants: tuple[str, ...] = ()
    """Those of the contest, for which bots are checked."""
    is_rehearsal: bool = False
    """Whether nothing is written to the log."""

    @property
    def log(self) -> SubmissionLog:
        """What was handed in."""
        return SubmissionLog(self.folder, is_rehearsal=self.is_rehearsal)


def rules_of(contest: Contest) -> SubmissionRules | None:
    """Return what a contest asks of submissions, or None if it has no folder for them.

    Raises:
        SettingsError: the roster cannot be read, or a time of the deadline is wrong.
    """
    table = contest.entrants
    if table.submissions is None:
        return None
    roster = read_roster_file(Path(table.roster)) if table.roster is not None else None
    deadline = contest.deadline.deadline()
    folder = Path(table.submissions)
    variants = chosen_variants(contest.variants, contest.games)
    return SubmissionRules(
        folder, table.interpreters, roster, deadline, table.versions_a_day, variants
    )


def private_paths(contest: Contest) -> list[Path]:
    """Return the paths of a contest that have the code or the names of students."""
    named = (contest.entrants.submissions, contest.entrants.roster)
    return [Path(path) for path in named if path is not None]


class Receipt(NamedTuple):
    """The receipt of an accepted submission."""

    student: Student
    version: Path
    is_new: bool
    """Whether it differs from the newest version."""
    is_late: bool


def identify(rules: SubmissionRules, name: str, student_id: str | None = None) -> Student:
    """Return the student that a name, or else an id, stands for.

    Args:
        rules: those of the contest.
        name: what the student is called; with an id, it may be empty.
        student_id: the id, if it was given.

    Raises:
        SubmissionError: the student is not on the roster, more than one has the name, or it cannot
            be shown.
    """
    if rules.roster:
        return rules.roster.get(student_id) if student_id else rules.roster.find(name)
    if student_id is None:
        return Student(safe_id(name), display_name(name))
    known = student_of(rules.folder / checked_id(student_id))
    return Student(student_id, display_name(name)) if name else known


def another_student(rules: SubmissionRules, student: Student) -> Student:
    """Return a student of the same name, with the first id that nobody has.

    Raises:
        SubmissionError: the contest has a roster, which says who is who.
    """
    if rules.roster:
        raise SubmissionError("got --new, but the contest has a roster: add a row to it")
    known = {one.casefold() for one in students_in(rules.folder)}
    ids = (f"{student.id[: MAX_ID_CHARS - 4]}-{number}" for number in count(2))
    own = next(one for one in (student.id, *islice(ids, 999)) if one.casefold() not in known)
    return Student(own, student.name)


def hand_in(  # noqa: PLR0913
    source: Path,
    student: Student,
    rules: SubmissionRules,
    at: datetime,
    check: Check | None,
    *,
    prepare: Prepare | None = None,
    is_late: bool = False,
    submission: str = "",
) -> Receipt:
    """Accept a submission as the next version of a student, or refuse it. Log which it was.

    `prepare` and the parameters after it are options, which only bots with a build, platforms and
    servers need.

    Args:
        source: a .py file, a .zip or a folder.
        student: as `identify` returns it.
        rules: those of the contest.
        at: the time of the submission, with its zone.
        check: checks the bot. None accepts it without starting it.
        prepare: builds the bot, before the check.
        is_late: whether it is known to be late, as a platform may say.
        submission: its id, by which `find_receipt` finds the verdict. Default: a new one.

    Raises:
        BotError: it is refused.
    """
    attempt = Attempt(
        at,
        student.id,
        source.name,
        "refused",
        checked=check is not None,
        variants=" ".join(rules.variants),
        submission=submission or uuid4().hex,
    )
    folder = rules.folder
    try:
        is_late = judge(rules, at) or is_late
        if student.id in bots():
            raise SubmissionError(
                f"{student.id} is the name of an installed bot, which would play instead: submit "
                "under another name"
            )
        with incoming(source, student.id, folder, rules.interpreters) as handed_in:
            if prepare:
                handed_in = prepare(handed_in)
            fingerprint = handed_in.bot.fingerprint
            check_daily_limit(rules, student.id, at, fingerprint=fingerprint)
            if check:
                check(handed_in.bot)
            handed_in.require_unchanged()
            fit = msgspec.structs.replace(attempt, fingerprint=fingerprint, late=is_late)
            verdict = rules.log.accept(fit, student, handed_in.folder, handed_in.is_in)
        keep_name(folder / student.id, student)
    except BotError as error:
        refused = msgspec.structs.replace(attempt, reason=str(error))
        verdict = rules.log.note(refused)
        # The error may have come after the submission was accepted.
        if verdict.outcome == "refused" or not _receipt(student, folder, verdict).version.is_dir():
            raise
    return _receipt(student, folder, verdict)


def find_receipt(rules: SubmissionRules, student: Student, submission: str) -> Receipt | None:
    """Return what became of the submission with an id, or None if it has no verdict yet.

    Raises:
        SubmissionError: it was refused.
    """
    verdict = rules.log.find(submission)
    if verdict is None:
        return None
    if verdict.outcome == "refused":
        raise SubmissionError(verdict.reason)
    return _receipt(student, rules.folder, verdict)


def refuse(  # noqa: PLR0913
    rules: SubmissionRules, student: Student, at: datetime, file: str, submission: str, reason: str
) -> NoReturn:
    """Refuse a submission that cannot be checked, and log that.

    Raises:
        SubmissionError: always.
    """
    attempt = Attempt(at, student.id, file, "refused", submission=submission, reason=reason)
    rules.log.note(attempt)
    raise SubmissionError(reason)


def _receipt(student: Student, folder: Path, verdict: Attempt) -> Receipt:
    version = folder / student.id / str(verdict.number)
    return Receipt(student, version, verdict.outcome == "accepted", verdict.late)


def judge(rules: SubmissionRules, at: datetime) -> bool:
    """Return whether a submission is late.

    Raises:
        SubmissionError: submissions are not open yet, or it is too late.
    """
    deadline = rules.deadline
    timeliness = deadline.judge(at) if deadline else "on time"
    if deadline and deadline.opens and timeliness == "too early":
        raise SubmissionError(
            f"it came at {shown_time(at)}, and submissions open at {shown_time(deadline.opens)}: "
            "submit it then"
        )
    if deadline and deadline.due and timeliness == "too late":
        raise SubmissionError(
            f"it came at {shown_time(at)}, after the deadline at {shown_time(deadline.due)}"
        )
    return timeliness == "late"


def check_daily_limit(
    rules: SubmissionRules, student_id: str, at: datetime, waiting: int = 0, fingerprint: str = ""
) -> None:
    """Refuse a version beyond those that a student may submit in a day.

    Versions that are refused do not count, nor does a bot that was accepted before.

    Args:
        rules: those of the contest.
        student_id: the student.
        at: the time of the submission. Days are those of this machine's zone.
        waiting: submissions of the student on this day that wait for their check.
        fingerprint: that of the bot, if it is known.

    Raises:
        SubmissionError: there are as many versions already, or the log cannot be read.
    """
    limit = rules.versions_a_day
    if limit is None:
        return
    own = [attempt for attempt in rules.log.attempts() if attempt.id == student_id]
    first = {
        attempt.fingerprint: attempt.time
        for attempt in reversed(own)
        if attempt.outcome == "accepted"
    }
    if fingerprint in first:
        return
    day = at.astimezone().date()
    today = sum([time.astimezone().date() == day for time in first.values()])
    if today + waiting >= limit:
        wait = f" and {waiting} waiting for the check" if waiting else ""
        raise SubmissionError(
            f"got {today} new versions on {day}{wait}, and {limit} a day are allowed: "
            "submit the next one tomorrow"
        )


# -- bots that were put into the folder --------------------------------------------------------


@contextmanager
def admit(
    rules: SubmissionRules,
    check: Check | None,
    leave_out: LeaveOut,
    clock: Callable[[], datetime] = lambda: datetime.now().astimezone(),
) -> Iterator[list[Entrant]]:
    """Yield the bots of the folder that are accepted, now or before. Log those that are new.

    They are copies, which are deleted at the end of the context.

    A bot that `arena submit` has accepted, or a former run, is not checked again. The time of
    another one is that at which the arena first saw it: files may carry any time.

    Args:
        rules: those of the contest.
        check: checks a bot that has not been accepted yet. None accepts it without starting it.
        leave_out: called with the id of each student whose bot is refused, and the reason.
        clock: returns the time, with its zone.

    Raises:
        SubmissionError: the folder cannot be read.
    """
    folder = rules.folder
    rules.log.settle()
    found: dict[str, Submitted] = {}

    def refuse_found(who: str, error: BotError, seen: Attempt | None = None) -> None:
        leave_out(who, SubmissionError(f"not submitted: {error}"))
        if attempt := seen or _attempt(found, who, clock()):
            refused = msgspec.structs.replace(attempt, reason=str(error))
            rules.log.note(refused)

    def is_accepted(bot: Entrant) -> bool:
        if (bot.name, bot.fingerprint) in accepted:
            return True
        attempt = _attempt(found, bot.name, clock(), bot.fingerprint)
        assert attempt
        attempt = msgspec.structs.replace(
            attempt, checked=check is not None, variants=" ".join(rules.variants)
        )
        seen = rules.log.first_seen(attempt)
        try:
            if seen.outcome != "accepted":
                _accept_found(bot, rules, check, seen)
        except BotError as error:
            refuse_found(bot.name, error, seen)
            return False
        return True

    found |= students_in(folder, refuse_found, rules.roster)
    with find_submissions(folder, found, refuse_found, rules.interpreters) as bots:
        # Not before: the log has all that was submitted until the bots were found.
        accepted = accepted_bots(rules.log.attempts())
        yield [bot for bot in bots if is_accepted(bot)]


def _accept_found(bot: Entrant, rules: SubmissionRules, check: Check | None, seen: Attempt) -> None:
    """Accept a bot that is in the folder, and log it. Raises `BotError`."""
    is_late = judge(rules, seen.time)
    if check:
        check(bot)
    with Reader() as reader:
        is_unchanged = reader.run(bot.name, fingerprint_now, bot) == bot.fingerprint
    if not is_unchanged:
        raise SubmissionError(f"{bot.name} has changed files of its own during the check")
    accepted = msgspec.structs.replace(seen, outcome="accepted", late=is_late)
    rules.log.note(accepted)


def _attempt(
    found: Mapping[str, Submitted], who: str, at: datetime, fingerprint: str = ""
) -> Attempt | None:
    """Return the attempt of a student who has something in the folder; None for others."""
    if who not in found:
        return None
    child = found[who].children[0]
    number = (versions(child) or [0])[-1]
    file = str(number) if number else child.name
    return Attempt(at, who, file, "refused", fingerprint, number)


def failed_variants(
    bots: Sequence[Entrant],
    rules: SubmissionRules,
    check_of: Callable[[str], Check],
) -> dict[str, dict[str, BotError]]:
    """Return by bot the variants for which it is not fit, with the reason of each.

    Those that came to the contest after the bot was accepted are checked, and logged if it passes.

    Args:
        bots: accepted ones, as `admit` yields them.
        rules: those of the contest.
        check_of: returns the check for one variant.
    """
    attempts = rules.log.attempts()
    failed: dict[str, dict[str, BotError]] = {}
    for bot in bots:
        known = accepted_variants(attempts, (bot.name, bot.fingerprint))
        new = [variant for variant in rules.variants if variant not in known]
        problems = {}
        for variant in new:
            try:
                check_of(variant)(bot)
            except BotError as error:
                problems[variant] = error
        if passed := " ".join([variant for variant in new if variant not in problems]):
            now = datetime.now().astimezone()
            verdict = Attempt(now, bot.name, "", "unchanged", bot.fingerprint, checked=True)
            rules.log.note(msgspec.structs.replace(verdict, variants=passed))
        if problems:
            failed[bot.name] = problems
    return failed


# -- checks and builds -------------------------------------------------------------------------


def sandbox_of(contest: Contest, notice: Callable[[str], object]) -> SandboxSettings:
    """Return the sandbox of a contest, which is tried.

    Args:
        contest: the contest.
        notice: called with a sentence about the level that was chosen for `auto`.

    Raises:
        SandboxError: the sandbox does not hold on this machine.
    """
    wanted = contest.sandbox
    return choose(wanted.level, wanted.bounds, wanted.readable, notice)


def checker(
    contest: Contest,
    sandbox: SandboxSettings,
    tell: Callable[["Checked"], object] | None = None,
    variants: Sequence[str] = (),
) -> Check:
    """Return the check of a contest, or of some of its variants. `tell` is called with each step.

    The check raises `SubmissionError` if a step fails, and `SandboxError` if the sandbox does not
    work, which is no fault of the bot.
    """

    def check(bot: Entrant) -> None:
        # Imported here, so that runs without checks begin sooner.
        from arena.check.bot_check import CheckSettings, check_bot

        chosen = variants or chosen_variants(contest.variants, contest.games)
        for step in check_bot(bot, chosen, CheckSettings(contest.limits, sandbox)):
            if tell:
                tell(step)
            if step.outcome == "failed":
                raise SubmissionError(
                    f"{bot.name} is not accepted: it fails the check `{step.name}` "
                    f"({step.text}{'' if tell else _logged(step)}); fix the bot, test it with "
                    "`arena check`, and submit it again"
                )

    return check


def preparer(
    sandbox: Callable[[], SandboxSettings], tell: Callable[[str], object] = lambda _: None
) -> Prepare:
    """Return a function that builds a submission, if there is something to build.

    Only then `sandbox` is called, which returns the sandbox of the build. `tell` is called with
    each sentence for the author of the bot.
    """

    def prepare(handed_in: Incoming) -> Incoming:
        for note in handed_in.notes:
            tell(note)
        return handed_in.built(sandbox()) if handed_in.build else handed_in

    return prepare


def _logged(checked: "Checked") -> str:
    """Return the end of the bot's log, where the card of the fault is not shown."""
    log = checked.failure.evidence.stderr.strip() if checked.failure else ""
    return f"; the end of its stderr: {shorten(printable(log))}" if log else ""
