"""`arena submit`: the bots of students come to a contest."""

from datetime import datetime
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

import click

from arena.base.errors import BotError, SettingsError, SubmissionError
from arena.base.protocol import printable
from arena.commands.common import (
    full_option,
    refuse_given,
    required_contest,
)
from arena.commands.server_client import submit as submit_to
from arena.commands.setting_options import given, setting_option
from arena.contest.admission import (
    Receipt,
    SubmissionRules,
    another_student,
    checker,
    hand_in,
    identify,
    preparer,
    rules_of,
    sandbox_of,
)
from arena.contest.contest_file import CONTEST_FILE, read_contest
from arena.contest.platform_export import list_export, student_of, unpack_student
from arena.contest.reader import Reader
from arena.contest.settings import Contest, override, read_time
from arena.terminal.check_report import CheckOutput
from arena.terminal.console import notice, say, warning
from arena.tournament.runs import final_of


@click.command("submit")
@click.argument("source", metavar="FILE", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--to",
    "place",
    metavar="CONTEST|FOLDER",
    type=click.Path(exists=True, path_type=Path),
    help="The folder of a contest or its contest.toml, or a folder of submissions without a "
    "contest. Default: the contest in whose folder you are. The bot is checked with the variants, "
    "limits and sandbox of the contest.",
)
@click.option(
    "--name",
    metavar="STUDENT",
    help="Name of the student, in any script. Default: that of FILE, without ending.",
)
@click.option(
    "--as",
    "student_id",
    metavar="ID",
    help="Id of the student: the one on the roster, or that of earlier versions.",
)
@click.option(
    "--new",
    "is_new",
    is_flag=True,
    help="The student is another one than the one of this name who has submitted before.",
)
@click.option(
    "--at",
    metavar="TIME",
    help="Time of the submission, such as `2026-12-01 17:45`. Default: now; in an archive that of "
    "each student's newest file.",
)
@click.option("--no-check", is_flag=True, help="Accept bots without starting them.")
@full_option
@setting_option("sandbox.level")
@click.option(
    "--server",
    metavar="URL",
    help="Submit to the contest server at this address, which checks the bot.",
)
@click.option(
    "--token",
    metavar="TOKEN",
    envvar="ARENA_TOKEN",
    show_envvar=True,
    help="With --server: your token, which your page on the server makes.",
)
@click.pass_context
def submit_command(
    context: click.Context,
    /,
    source: Path,
    place: Path | None,
    name: str | None,
    student_id: str | None,
    is_new: bool,
    at: str | None,
    no_check: bool,
    full: bool,
    server: str | None,
    token: str | None,
    **_: object,
) -> None:
    """Submit a bot: a .py file, a .zip or a folder.

    If its bot.toml has a `build` command, that runs first, in the sandbox. The bot is checked as by
    `arena check`, then stored as the student's next version. Earlier versions are kept; a contest
    plays the newest. Of two students of one name, the second submits with --new first, and with
    --as and the id that this prints after that.

    FILE may also be an archive of Moodle, Canvas, Blackboard, Gradescope or GitHub Classroom. Its
    students are found on the roster by the number that the platform gives them, or by name; the
    exit code is 1 if any bot was not submitted. With --name or --as it is a bot.

    With --server, the bot is sent to a contest server. It is stored first, then checked there.
    """
    if server is not None:
        _submit_to_server(context, source, server, token)
        return
    contest = override(contest_for(place), given(context))
    rules = submission_rules(contest)
    time_given = read_time(at, None) if at is not None else None
    if name is None and student_id is None:
        if _submit_archive(source, contest, time_given, is_checked=not no_check):
            return
        name = source.stem if source.is_file() else source.resolve().name
    student = identify(rules, name or "", student_id)
    if is_new:
        student = another_student(rules, student)
    sandbox = cache(partial(sandbox_of, contest, notice))
    check = None if no_check else checker(contest, sandbox(), CheckOutput(full).show)
    prepare = preparer(sandbox, notice)
    time = time_given or datetime.now().astimezone()
    say(receipt_text(hand_in(source, student, rules, time, check, prepare=prepare)))


def _submit_to_server(context: click.Context, source: Path, server: str, token: str | None) -> None:
    """Send a bot to a server, and print its check as it goes on.

    Raises:
        SubmissionError: the server cannot be asked, or refuses the bot.
        SettingsError: the address is not that of a web server.
    """
    local = ("place", "name", "student_id", "is_new", "at", "no_check", "full", "sandbox__level")
    refuse_given(context, local, "is for contests on this machine; leave it out with --server")
    if not token:
        raise click.UsageError("--server needs --token: your page on the server makes one")
    say(submit_to(source, server, token))


def _submit_archive(
    archive_file: Path, contest: Contest, at: datetime | None, *, is_checked: bool
) -> bool:
    """Submit all bots in the archive of a learning platform, and print what became of each.

    Return False if the file is something else.

    Raises:
        SubmissionError: some were not submitted. The others were.
    """
    if archive_file.suffix.lower() != ".zip":
        return False
    missing = []
    with Reader(Path(gettempdir())) as reader:
        export = reader.run(archive_file.name, list_export, archive_file.resolve())
        if not export.handed:
            return False
        rules = submission_rules(contest)
        sandbox = cache(partial(sandbox_of, contest, notice))
        check = checker(contest, sandbox()) if is_checked else None
        for handed_in in export.handed:
            try:
                student = student_of(handed_in, rules.roster)
                came = at or handed_in.at
                if came is None:
                    raise SubmissionError("its files have no valid time: give one with --at")
                with TemporaryDirectory(dir=reader.scratch) as scratch:
                    unpacked = reader.run(
                        handed_in.name,
                        unpack_student,
                        archive_file.resolve(),
                        handed_in.name,
                        handed_in.number,
                        Path(scratch),
                    )
                    tell = partial(_tell, printable(handed_in.name))
                    for note in unpacked.notes:
                        tell(note)
                    prepare = preparer(sandbox, tell)
                    receipt = hand_in(
                        unpacked.source,
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
    return True


def _tell(student: str, note: str) -> None:
    notice(f"{student}: {note}")


def contest_for(place: Path | None) -> Contest:
    """Return the contest that `--to` means, or the one in whose folder a person is.

    A folder without a contest file stands for a contest with the usual settings that takes
    submissions there.

    Raises:
        UsageError: without `place`, no contest was found.
    """
    if place is not None and place.is_dir() and not (place / CONTEST_FILE).is_file():
        return override(Contest(), {"entrants.submissions": str(place)})
    return read_contest(required_contest(place, "--to"))


def submission_rules(contest: Contest) -> SubmissionRules:
    """Return what a contest asks of submissions. Raises `SettingsError` if it takes none."""
    rules = rules_of(contest)
    if rules is None:
        raise SettingsError(
            "the contest has no folder of submissions; add `submissions` to [entrants]"
        )
    if final := final_of(Path(contest.results)):
        raise SettingsError(
            f"the final {final} has begun, so no more bots are taken; delete it with `arena runs "
            f"--delete {final}` to open submissions again"
        )
    return rules


def receipt_text(receipt: Receipt) -> str:
    """Return what became of an accepted submission, for people."""
    number = int(receipt.version.name)
    accepted = f"is accepted as version {number}" if receipt.is_new else "is unchanged"
    late = ", late" if receipt.is_late else ""
    if receipt.is_new and number > 1:
        late += f", and replaces version {number - 1}"
    return f"{receipt.student.title} {accepted}{late}: {receipt.version}"
