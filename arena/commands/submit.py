"""`arena submit`: submit students' bots to a contest."""

from datetime import datetime
from functools import cache, partial
from pathlib import Path

import click

from arena.commands.class_archive import submission_rules, submit_class, verdict_text
from arena.commands.common import (
    full_option,
    refuse_given,
    required_contest,
    sandbox_notice,
)
from arena.commands.server_client import submit as submit_to_server
from arena.commands.setting_options import given, setting_option
from arena.contest.admission import (
    Judge,
    checker,
    identify,
    sandbox_of,
    sent_by,
)
from arena.contest.contest_file import read_contest
from arena.contest.settings import override, read_time
from arena.terminal.check_report import CheckOutput
from arena.terminal.console import notice, say


@click.command("submit")
@click.argument("source", metavar="FILE", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--to",
    "place",
    metavar="CONTEST",
    type=click.Path(exists=True, path_type=Path),
    help="The folder of a contest or its contest.toml. By default, submit to the contest that "
    "contains the current folder. The bot is checked with the contest's settings.",
)
@click.option(
    "--name",
    metavar="STUDENT",
    help="Name of the student, in any script. Default: the file name without the extension.",
)
@click.option(
    "--as",
    "student_id",
    metavar="ID",
    help="Id of the student, from the roster or from an earlier submission.",
)
@click.option(
    "--at",
    metavar="TIME",
    help="Time of the submission, such as `2026-12-01 17:45`. Default: now. For submissions from "
    "an archive, the default is the time when the student's newest file was modified.",
)
@click.option("--no-check", is_flag=True, help="Accept bots without starting them.")
@full_option
@setting_option("sandbox.level")
@click.option("--server", metavar="URL", help="Submit to the contest server at this address.")
@click.option(
    "--token",
    metavar="TOKEN",
    envvar="ARENA_TOKEN",
    show_envvar=True,
    help="Your token for --server. You can copy it from your account page.",
)
@click.pass_context
def submit_command(
    context: click.Context,
    /,
    source: Path,
    place: Path | None,
    name: str | None,
    student_id: str | None,
    at: str | None,
    no_check: bool,
    full: bool,
    server: str | None,
    token: str | None,
    **_: object,
) -> None:
    """Submit a bot to a contest.

    FILE is a .py file, a .zip file or a folder. If bot.toml has a `build` command, the bot is
    first built in the sandbox. If the bot passes all checks, it is stored as a new version of
    the student's bot. Earlier versions of the bot are kept, but only the newest version plays.
    If two students have the same name, use --as to give the second student an id. Members of a
    team on the roster share one bot.

    To submit the bots of a whole class, FILE can be a folder with one bot per student, or an
    archive from Moodle, Canvas, Blackboard, Gradescope or GitHub Classroom. Students are looked
    up in the roster by the name or student number found in the archive. The exit code is 1 if a
    bot was rejected. The options --name and --as can only be used for a single bot.

    With --server, the bot is sent to a contest server, which checks it.
    """
    if server is not None:
        local = ("place", "name", "student_id", "at", "no_check", "full", "sandbox__level")
        refuse_given(context, local, "is for contests on this machine; leave it out with --server")
        if not token:
            raise click.UsageError("--server needs --token, from your account page on the server")
        say(submit_to_server(source, server, token))
        return
    contest = override(read_contest(required_contest(place, "--to")), given(context))
    rules = submission_rules(contest)
    time_given = read_time(at, None) if at is not None else None
    if name is None and student_id is None:
        if submit_class(source, contest, time_given, is_checked=not no_check):
            return
        name = source.stem if source.is_file() else source.resolve().name
    student = identify(rules, name or "", student_id)
    sandbox = cache(partial(sandbox_of, contest, sandbox_notice(full=full)))
    check = None if no_check else checker(contest, sandbox(), CheckOutput(full).show)
    sent = sent_by(rules, student, time_given or datetime.now().astimezone())
    with rules.inbox:
        submission = Judge(rules, sandbox, check, notice).hand_in(source, sent)
    say(verdict_text(rules, submission))
