"""`arena submit`: the check of a student's bot and its submission to a contest."""

import time
from datetime import datetime
from functools import partial
from pathlib import Path

import click
from click.core import ParameterSource

from arena.commands.submitting import (
    ask_whether_same,
    checker,
    contest_for,
    place_option,
    preparer,
    receipt_text,
    remote_receipt_text,
    submission_rules,
    tell_remote_step,
)
from arena.contest.admission import former_versions, hand_in, identify
from arena.contest.deadline import read_time
from arena.contest.server_client import server_at
from arena.terminal.console import notice, say

LOOK_S = 0.5
"""How often the server is asked how far the check is."""


@click.command("submit")
@click.argument("source", metavar="FILE", type=click.Path(exists=True, path_type=Path))
@place_option(" The bot is checked with the variants, limits and sandbox of the contest.")
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
    "--at",
    metavar="TIME",
    help="Time of the submission, such as `2026-12-01 17:45`. Default: now.",
)
@click.option("--no-check", is_flag=True, help="Accept the bot without starting it.")
@click.option("--full", is_flag=True, help="Print long lines and logs in full.")
@click.option(
    "--sandbox",
    metavar="none|limits|isolated|auto",
    help="The sandbox of the bot. Default: that of the contest.",
)
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
def submit(
    context: click.Context,
    /,
    source: Path,
    place: Path | None,
    name: str | None,
    student_id: str | None,
    at: str | None,
    no_check: bool,
    full: bool,
    sandbox: str | None,
    server: str | None,
    token: str | None,
) -> None:
    """Submit a bot: a .py file, a .zip or a folder.

    If its bot.toml has a `build` command, that runs first, in the sandbox. The bot is checked as by
    `arena check`, then stored as the student's next version. Earlier
    versions are kept. A contest plays the newest. The id of a student who has submitted before is
    given with --as, since two students may have the same name.

    With --server, the bot is sent to a contest server. It is stored first, then checked there.
    """
    if server is not None:
        _submit_to_server(context, source, server, token)
        return
    contest = contest_for(place, sandbox)
    rules = submission_rules(contest)
    time_given = read_time(at, None) if at is not None else datetime.now().astimezone()
    if name is None and student_id is None:
        name = source.stem if source.is_file() else source.resolve().name
    student = identify(rules, name or "", student_id)
    if student_id is None and (number := former_versions(rules, student)):
        ask_whether_same(student, number)
    check = None if no_check else checker(contest, full=full)
    prepare = preparer(contest)
    say(receipt_text(hand_in(source, student, rules, time_given, check, prepare=prepare)))


def _submit_to_server(context: click.Context, source: Path, server: str, token: str | None) -> None:
    """Send a bot to a server, and print its check as it goes on.

    Raises:
        SubmissionError: the server cannot be asked, or refuses the bot.
    """
    others = [
        option
        for option in ("place", "name", "student_id", "at", "no_check", "full", "sandbox")
        if context.get_parameter_source(option) is ParameterSource.COMMANDLINE
    ]
    if others:
        names = {one.name: one.opts[0] for one in context.command.params}
        raise click.UsageError(
            f"{names[others[0]]} is for contests on this machine; leave it out with --server"
        )
    if not token:
        raise click.UsageError("--server needs --token: your page on the server makes one")
    contest_server = server_at(server, token)
    submission = contest_server.hand_in(source)
    notice(f"stored as submission {submission.id}: {submission.url}")
    done = contest_server.watch(submission, partial(time.sleep, LOOK_S), tell_remote_step)
    say(remote_receipt_text(done))
