"""The checker: it checks the submissions that wait, one after the other."""

import shutil
import sys
from collections.abc import Callable

from arena.contest.admission import Receipt, Rules, find_receipt, hand_in, refuse
from arena.contest.archive import SUBMISSION_LIMITS
from arena.contest.contest_check import checker, sandbox_of
from arena.contest.roster import Student
from arena.contest.settings import Contest
from arena.contracts import SandboxSettings
from arena.errors import BotError, SandboxError, StoreError
from arena.extras.serve.database import Database
from arena.extras.serve.submissions.check_report import CheckReport
from arena.extras.serve.submissions.submission_store import (
    GAVE_UP,
    MAX_TRIES,
    Submission,
    SubmissionStore,
)
from arena.extras.serve.submissions.uploaded_files import UploadedFiles
from arena.extras.serve.times import local_time


class Checker:
    """Checks the submissions of a contest."""

    def __init__(self, contest: Contest, rules: Rules, database: Database, files: UploadedFiles):
        """Take the contest with the sandbox in which submissions run.

        Raises:
            SandboxError: the sandbox does not hold on this machine.
        """
        self._contest = contest
        self._rules = rules
        self._files = files
        self._submissions = SubmissionStore(database)
        self._sandbox: SandboxSettings = sandbox_of(contest, _note)

    def resume(self) -> None:
        """Go on where a checker was killed."""
        self._submissions.resume()

    def check_all(self, accepted: Callable[[], object]) -> None:
        """Check all submissions that wait. `accepted` is called after each new version.

        Raises:
            SandboxError: the sandbox does not work any more. The submission waits again.
            StoreError: the disk is full. The submission waits again.
        """
        while submission := self._submissions.begin_next():
            try:
                is_new = self._check(submission)
            except (KeyboardInterrupt, SandboxError, StoreError):
                self._submissions.wait_again(submission.id)
                raise
            self._files.delete(self._submissions.forget_files(submission.bot))
            if is_new:
                accepted()

    def _check(self, submission: Submission) -> bool:
        """Check a submission, and return whether it is a new version."""
        report = CheckReport(self._submissions, submission.id)
        try:
            receipt = self._receipt(submission, report)
        except BotError as error:
            self._require_space()
            self._submissions.refuse(submission.id, report.plain(str(error)))
            return False
        number = int(receipt.version.name)
        self._submissions.accept(submission.id, number, is_new=receipt.is_new)
        return receipt.is_new

    def _receipt(self, submission: Submission, report: CheckReport) -> Receipt:
        """Return what becomes of a submission, or what a killed checker has made of it.

        Raises:
            BotError: it is refused.
        """
        student = Student(submission.bot, submission.name)
        if known := find_receipt(self._rules, student, submission.key):
            return known
        at = local_time(submission.came)
        if submission.tries > MAX_TRIES:
            refuse(self._rules, student, at, submission.file, submission.key, GAVE_UP)
        self._submissions.clear_steps(submission.id)
        return hand_in(
            self._files.path(submission.key),
            student,
            self._rules,
            at,
            checker(self._contest, self._sandbox, report.tell),
            prepare=report.preparing(self._contest, self._sandbox),
            submission=submission.key,
        )

    def _require_space(self) -> None:
        """Raise `StoreError` if the disk is so full that a fit submission may be refused."""
        free = shutil.disk_usage(self._rules.folder).free
        if free < SUBMISSION_LIMITS.size:
            raise StoreError(
                f"only {free:,} bytes are free in {self._rules.folder}; checks go on when there "
                f"are {SUBMISSION_LIMITS.size:,}"
            )


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
