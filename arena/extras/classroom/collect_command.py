"""`arena collect`: the bots in an archive of a learning platform come to a contest."""

from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

import click

from arena.base.errors import BotError, SubmissionError
from arena.base.protocol import printable
from arena.commands.common import level_option
from arena.commands.submit import (
    contest_for,
    no_check_option,
    place_option,
    receipt_text,
    submission_rules,
)
from arena.contest.admission import checker, hand_in, preparer, sandbox_of
from arena.contest.reader import Reader
from arena.contest.settings import read_time
from arena.extras.classroom.platform_export import list_export, student_of, unpack_student
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
@no_check_option
@level_option("contest")
def collect_command(
    archive_file: Path, place: Path | None, at: str | None, no_check: bool, level: str | None
) -> None:
    """Submit the bots in an archive from Moodle, Canvas or another platform.

    It may be one of Moodle, Canvas, Blackboard, Gradescope or GitHub Classroom.
    Each bot is checked and stored as by `arena submit`. Students are found on the roster by the
    number that the platform gives them, or by name. The exit code is 1 if any was not submitted.
    """
    contest = contest_for(place, level)
    rules = submission_rules(contest)
    sandbox = cache(partial(sandbox_of, contest, notice))
    check = None if no_check else checker(contest, sandbox())
    prepare = preparer(contest, sandbox)
    time = read_time(at, None) if at is not None else None
    missing = []
    with Reader(Path(gettempdir())) as reader:
        export = reader.run(archive_file.name, list_export, archive_file.resolve())
        if not export.handed:
            raise SubmissionError(
                f"{archive_file} has no file named as a platform names submissions, such as "
                "`Ann Lee_123456_assignsubmission_file_/bot.py` or `leeann_123456_7654321_bot.py`"
            )
        for handed_in in export.handed:
            try:
                student = student_of(handed_in, rules.roster)
                came = time or handed_in.at
                if came is None:
                    raise SubmissionError("its files have no valid time: give one with --at")
                with TemporaryDirectory(dir=reader.scratch) as scratch:
                    source = reader.run(
                        handed_in.name,
                        unpack_student,
                        archive_file.resolve(),
                        handed_in.name,
                        handed_in.number,
                        Path(scratch),
                    )
                    receipt = hand_in(
                        source,
                        student,
                        rules,
                        came,
                        check,
                        prepare=prepare,
                        is_late=handed_in.is_late,
                    )
                say(receipt_text(receipt))
            except BotError as error:
                missing.append(handed_in.name)
                warning(f"not submitted: {printable(handed_in.name)}: {error}")
    for path in export.unknown:
        notice(f"left out, since its name has no student: {printable(path)}")
    if missing:
        raise SubmissionError(
            f"{len(missing)} of {len(export.handed)} not submitted, for the reasons above: "
            f"{', '.join([printable(name) for name in missing])}"
        )
