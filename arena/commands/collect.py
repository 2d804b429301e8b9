"""`arena collect`: all submissions of an archive that a teaching platform has written."""

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from arena.commands.submitting import (
    checker,
    contest_for,
    place_option,
    preparer,
    receipt_text,
    submission_rules,
)
from arena.contest.admission import hand_in
from arena.contest.deadline import read_time
from arena.contest.platform_export import (
    open_archive,
    student_of,
    students_of,
    unpack,
)
from arena.errors import BotError, SubmissionError
from arena.protocol import printable
from arena.terminal.console import notice, say, warning


@click.command("collect")
@click.argument(
    "archive_file", metavar="ZIP", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@place_option()
@click.option(
    "--at",
    metavar="TIME",
    help="Time of all submissions. Default: that of each student's newest file in the archive.",
)
@click.option("--no-check", is_flag=True, help="Accept the bots without starting them.")
@click.option(
    "--sandbox",
    metavar="none|limits|isolated|auto",
    help="The sandbox of the bots. Default: that of the contest.",
)
def collect(
    archive_file: Path, place: Path | None, at: str | None, no_check: bool, sandbox: str | None
) -> None:
    """Submit the bots in an archive of submissions that Moodle or Canvas has written.

    Each bot takes the way of `arena submit`. Students are found on the roster by the number that
    the platform gives them, or by name. The command ends with code 1 if any was not submitted.
    """
    contest = contest_for(place, sandbox)
    rules = submission_rules(contest)
    check = None if no_check else checker(contest, full=False, quiet=True)
    prepare = preparer(contest)
    time = read_time(at, None) if at is not None else None
    missing = []
    with open_archive(archive_file) as archive:
        handed, unknown = students_of(archive.infolist())
        if not handed:
            raise SubmissionError(
                f"{archive_file} has no file named as Moodle or Canvas names submissions, such as "
                "`Ann Lee_123456_assignsubmission_file_/bot.py` or `leeann_123456_7654321_bot.py`"
            )
        for one in handed:
            try:
                student = student_of(one, rules.roster)
                with TemporaryDirectory() as scratch:
                    receipt = hand_in(
                        unpack(archive, one, Path(scratch)),
                        student,
                        rules,
                        time or one.at,
                        check,
                        prepare=prepare,
                        is_late=one.is_late,
                    )
                say(receipt_text(receipt))
            except BotError as error:
                missing.append(one.name)
                warning(f"not submitted: {printable(one.name)}: {error}")
    for path in unknown:
        notice(f"left out, since no student is named: {printable(path)}")
    if missing:
        raise SubmissionError(
            f"{len(missing)} of {len(handed)} not submitted, for the reasons above: "
            f"{', '.join([printable(name) for name in missing])}"
        )
