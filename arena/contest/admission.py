"""Decide whether a submission is accepted.

A submission can be rejected because the student is unknown, the deadline has passed, or the bot
fails its check.
"""

import shutil
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from arena.base.contracts import SandboxSettings
from arena.base.errors import ArenaError, BotError, SubmissionError
from arena.base.protocol import printable, shorten
from arena.base.record import Entrant
from arena.check.sandbox_probe import choose
from arena.contest.bot_files import MADE, FoundBot, built_bot
from arena.contest.build import build
from arena.contest.inbox import (
    Inbox,
    Sent,
    Submission,
    Terms,
)
from arena.contest.reader import read_untrusted
from arena.contest.roster import (
    Roster,
    Student,
    checked_id,
    display_name,
    read_roster_file,
    safe_id,
)
from arena.contest.settings import Contest, Deadline, chosen_variants, shown_time
from arena.contest.stored_bots import make_read_only, move_bot, source_of

if TYPE_CHECKING:
    from arena.check.bot_check import CheckResult

Check = Callable[[Entrant], object]
ARCHIVE = "built.tar"
LOOK_S = 0.2
MAX_TRIES = 3
GAVE_UP = (
    f"the program that checks submissions failed {MAX_TRIES} times during this check; tell the "
    "teacher, or submit another version"
)


class SubmissionRules(NamedTuple):
    inbox: Inbox
    terms: Terms = Terms()
    roster: Roster | None = None
    """The students who may submit, or None if anyone may submit."""
    deadline: Deadline | None = None
    opens: datetime | None = None

    def deadline_of(self, owner: str) -> Deadline | None:
        return _extended(self.deadline, self.inbox.extensions().get(owner))

    def late(self, submissions: Iterable[Submission]) -> frozenset[int]:
        """Return the ids of late submissions, taking deadline extensions into account."""
        extensions = self.inbox.extensions()
        late = set()
        for submission in submissions:
            deadline = _extended(self.deadline, extensions.get(submission.owner))
            received = datetime.fromtimestamp(submission.received).astimezone()
            if submission.marked_late or (deadline and deadline.judge(received) != "on time"):
                late.add(submission.id)
        return frozenset(late)


def _extended(deadline: Deadline | None, due: float | None) -> Deadline | None:
    if due is None or deadline is None:
        return deadline
    return deadline._replace(due=max(deadline.due, datetime.fromtimestamp(due).astimezone()))


def rules_of(contest: Contest) -> SubmissionRules | None:
    table = contest.entrants
    if table.inbox is None:
        return None
    roster = read_roster_file(Path(table.roster)) if table.roster is not None else None
    return SubmissionRules(
        Inbox(Path(table.inbox)),
        Terms(table.interpreters, table.versions_a_day),
        roster,
        contest.deadline.deadline(),
        contest.deadline.opening(),
    )


def private_paths(contest: Contest) -> list[Path]:
    rules = Inbox(Path(contest.entrants.inbox)) if contest.entrants.inbox is not None else None
    inbox = [rules.path, rules.bots] if rules else []
    return [*inbox, *[Path(path) for path in [contest.entrants.roster] if path is not None]]


# -- who and when ------------------------------------------------------------------------------


def identify(rules: SubmissionRules, name: str, student_id: str | None = None) -> Student:
    """Find a student by id, or by name if `student_id` is None.

    Raise `SubmissionError` if the name is invalid or doesn't match exactly one student.
    """
    if rules.roster:
        return rules.roster.get(student_id) if student_id else rules.roster.find(name)
    if student_id is None:
        return Student(safe_id(name), display_name(name))
    if name:
        return Student(checked_id(student_id), display_name(name))
    known = rules.inbox.of_owner(checked_id(student_id), 1)
    return known[0].student if known else Student(student_id, student_id)


def sent_by(rules: SubmissionRules, student: Student, received: datetime, **more: Any) -> Sent:
    """Return the details of a student's submission. Bots of team members belong to the team."""
    owner = student
    if rules.roster:
        owner = rules.roster.owner_of(student, {version.owner for version in rules.inbox.lineup()})
    return Sent(owner, received, student.id, **more)


def require_open(rules: SubmissionRules, owner: str, at: datetime) -> None:
    """Raise `SubmissionError` if submissions aren't open yet or the deadline has passed."""
    if rules.opens and at < rules.opens:
        raise SubmissionError(
            f"submitted at {shown_time(at)}, but submissions open at {shown_time(rules.opens)}"
        )
    deadline = rules.deadline_of(owner)
    if deadline and deadline.judge(at) == "too late":
        raise SubmissionError(
            f"submitted at {shown_time(at)}, after the deadline at {shown_time(deadline.due)}"
        )


# -- verdicts ----------------------------------------------------------------------------------


class Judge:
    def __init__(
        self,
        rules: SubmissionRules,
        sandbox: Callable[[], SandboxSettings],
        check: Check | None,
        notice: Callable[[str], object] = lambda _: None,
    ) -> None:
        """Set the rules for submissions.

        If no check function is given, bots are accepted without being started.
        """
        self._rules = rules
        self.inbox = rules.inbox
        self._sandbox = sandbox
        self._check = check
        self._notice = notice

    def hand_in(self, source: Path, sent: Sent) -> Submission:
        """Store and check a submission.

        Raise `TooManySubmissions` if the student has submitted too many bots.
        """
        try:
            require_open(self._rules, sent.owner.id, sent.received)
        except SubmissionError as error:
            return self.inbox.refuse(source, sent, str(error))
        submission = self.inbox.receive(source, sent, self._rules.terms)
        while not submission.is_done:
            if waiting := self.inbox.next_waiting(sent.owner.id):
                self.judge(waiting)
            elif submission.state == "checking":  # being checked by another process
                time.sleep(LOOK_S)
            elif sent.owner.id in self.inbox.removed():  # it is checked when the student returns
                break
            submission = self.inbox.get(submission.id) or submission
        return submission

    def judge(self, submission: Submission) -> Submission:
        try:
            try:
                self.examine(submission)
            except BotError as error:
                return self.inbox.judge(submission.id, self.reason_of(error))
        except BaseException as error:
            is_ours = not isinstance(error, ArenaError | OSError | KeyboardInterrupt)
            self.inbox.wait_again(submission.id, counts=is_ours)
            raise
        return self.inbox.judge(submission.id)

    def examine(self, submission: Submission) -> FoundBot:
        if submission.tries > MAX_TRIES:
            raise SubmissionError(GAVE_UP)
        stored = self.prepared(submission)
        if self._check:
            # Reports of the check name the folder as its author knows it.
            self._check(msgspec.structs.replace(stored.entrant, source=submission.file))
        return stored

    def reason_of(self, error: BotError) -> str:
        return str(error)

    def prepared(self, submission: Submission) -> FoundBot:
        stored = self.inbox.bot_of(submission)
        for note in stored.notes:
            self._notice(note)
        if not stored.has_to_be_built:
            return stored
        folder = Path(stored.entrant.folder)
        source = source_of(folder)
        with self.inbox.stored.incoming() as scratch:
            archive, made = scratch / ARCHIVE, scratch / MADE
            unbuilt = msgspec.structs.replace(stored.entrant, folder=str(source))
            build(unbuilt, stored.build, self._sandbox(), archive)
            arguments = (archive, made, submission.owner, tuple(self._rules.terms.interpreters))
            read_untrusted(f"the build of {submission.owner}", built_bot, *arguments)
            make_read_only(made)
            move_bot(made, folder)
        shutil.rmtree(source, ignore_errors=True)
        return self.inbox.bot_of(submission)


def sandbox_of(contest: Contest, notice: Callable[[str], object]) -> SandboxSettings:
    """Return the sandbox of a contest.

    Raises:
        SandboxError: The sandbox doesn't work on this machine.
    """
    wanted = contest.sandbox
    return choose(wanted.level, wanted.bounds, wanted.readable, notice)


def checker(
    contest: Contest,
    sandbox: SandboxSettings,
    on_step: Callable[["CheckResult"], object] | None = None,
) -> Check:
    """Return a function that checks a bot according to the rules of a contest.

    Checking a bot raises `SubmissionError` if the bot fails the check, and `SandboxError` if the
    sandbox fails.
    """

    def check(bot: Entrant) -> None:
        # Imported here, so that runs without checks begin sooner.
        from arena.check.bot_check import CheckSettings, check_bot

        chosen = chosen_variants(contest.variants, contest.games)
        for step in check_bot(bot, chosen, CheckSettings(contest.limits, sandbox)):
            if on_step:
                on_step(step)
            if step.outcome == "failed":
                failure = None if on_step else step.failure
                log = printable(failure.evidence.stderr.strip()) if failure else ""
                end = f"; the end of its stderr: {shorten(log)}" if log else ""
                raise SubmissionError(
                    f"the bot was not accepted: it failed the check `{step.name}` ({step.text}"
                    f"{end}); fix the bot, test it with `arena check`, and submit it again"
                )

    return check
