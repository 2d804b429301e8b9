"""What commands that submit bots share: the contest, its rules and its check."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import click

from arena.check.check import Checked
from arena.commands.common import required_contest
from arena.contest import contest_check
from arena.contest.admission import Check, Prepare, Receipt, Rules
from arena.contest.contest_check import sandbox_of
from arena.contest.contest_file import CONTEST_FILE, read_contest
from arena.contest.lineup import rules_of
from arena.contest.roster import Student
from arena.contest.server_client import RemoteStep, RemoteSubmission
from arena.contest.settings import Contest, override
from arena.errors import SettingsError, SubmissionError
from arena.protocol import printable
from arena.terminal.check_report import print_card, print_checked
from arena.terminal.console import notice, say, terminal


def place_option(more: str = "") -> Callable[[click.decorators.FC], click.decorators.FC]:
    """Return the option that says where bots are submitted; its help ends with `more`."""
    return click.option(
        "--to",
        "place",
        metavar="CONTEST|FOLDER",
        type=click.Path(exists=True, path_type=Path),
        help="The folder of a contest or its contest.toml, or a folder of submissions without a "
        f"contest. Default: the contest in whose folder you are.{more}",
    )


def contest_for(place: Path | None, sandbox: str | None) -> Contest:
    """Return the contest that `--to` means, or the one in whose folder a person is.

    A folder without a contest file stands for a contest with the usual settings that takes
    submissions there. `sandbox` is the level that was given in place of the contest's own.

    Raises:
        UsageError: without `place`, no contest was found.
    """
    if place is not None and place.is_dir() and not (place / CONTEST_FILE).is_file():
        contest = override(Contest(), {"entrants.submissions": str(place)})
    else:
        contest = read_contest(required_contest(place, "--to"))
    return contest if sandbox is None else override(contest, {"sandbox.level": sandbox})


def submission_rules(contest: Contest) -> Rules:
    """Return what a contest asks of submissions. Raises `SettingsError` if it takes none."""
    rules = rules_of(contest)
    if rules is None:
        raise SettingsError(
            "the contest has no folder of submissions; add `submissions` to [entrants]"
        )
    return rules


def checker(contest: Contest, *, full: bool, quiet: bool = False) -> Check:
    """Return the check of a contest, which prints what it finds unless `quiet`."""
    console = terminal()

    def tell(checked: Checked) -> None:
        print_checked(console, checked)
        if checked.failure:
            print_card(console, checked.failure, full=full)

    return contest_check.checker(contest, sandbox_of(contest, notice), None if quiet else tell)


def preparer(contest: Contest) -> Prepare:
    """Return what refuses a submission whose packages are not allowed, and builds the others."""
    return contest_check.preparer(contest, lambda: sandbox_of(contest, notice))


def ask_whether_same(student: Student, number: int) -> None:
    """Ask whether a submission is of the student who has submitted `number` versions before.

    Raises:
        SubmissionError: it is not, or nobody is there to answer.
    """
    known = f"{student.title} has submitted before ({number} version{'s' if number > 1 else ''})"
    if sys.stdin.isatty() and click.confirm(f"{known}. Is it the same student?", err=True):
        return
    raise SubmissionError(
        f"{known}: add `--as {shlex.quote(student.id)}` if it is the same student; another one "
        "needs another name or id"
    )


def receipt_text(receipt: Receipt) -> str:
    """Return what became of an accepted submission, for people."""
    accepted = (
        f"is accepted as version {receipt.version.name}" if receipt.is_new else "is unchanged"
    )
    late = ", late" if receipt.is_late else ""
    return f"{receipt.student.title} {accepted}{late}: {receipt.version}"


# -- submissions to a server -------------------------------------------------------------------


def tell_remote_step(step: RemoteStep) -> None:
    """Print a step of a check on a server, with the report of its fault."""
    print_checked(terminal(), step.as_checked())
    if step.card:
        say(f"\n{printable(step.card)}\n")


def remote_receipt_text(submission: RemoteSubmission) -> str:
    """Return what became of a submission to a server, for people.

    Raises:
        SubmissionError: it was refused.
    """
    page = printable(submission.url)
    if submission.state == "refused":
        raise SubmissionError(f"{printable(submission.reason)} ({page})")
    became = (
        f"is accepted as version {submission.version}"
        if submission.state == "accepted"
        else f"is unchanged: it equals version {submission.version}"
    )
    return f"{printable(submission.bot)} {became}{', late' if submission.late else ''}: {page}"
