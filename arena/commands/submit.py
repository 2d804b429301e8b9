"""`arena submit`: the check of a student's bot and its submission to a contest."""

from datetime import datetime
from pathlib import Path

import click

from arena.commands.submitting import (
    ask_whether_same,
    checker,
    contest_for,
    place_option,
    preparer,
    receipt_text,
    submission_rules,
)
from arena.contest.admission import former_versions, hand_in, identify
from arena.contest.deadline import read_time
from arena.terminal.console import say


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
def submit(
    source: Path,
    place: Path | None,
    name: str | None,
    student_id: str | None,
    at: str | None,
    no_check: bool,
    full: bool,
    sandbox: str | None,
) -> None:
    """Submit a bot: a .py file, a .zip or a folder.

    If its bot.toml has a `build` command, that runs first, in the sandbox. The bot is checked as by
    `arena check`, then stored as the student's next version. Earlier
    versions are kept. A contest plays the newest. The id of a student who has submitted before is
    given with --as, since two students may have the same name.
    """
    contest = contest_for(place, sandbox)
    rules = submission_rules(contest)
    time = read_time(at, None) if at is not None else datetime.now().astimezone()
    if name is None and student_id is None:
        name = source.stem if source.is_file() else source.resolve().name
    student = identify(rules, name or "", student_id)
    if student_id is None and (number := former_versions(rules, student)):
        ask_whether_same(student, number)
    check = None if no_check else checker(contest, full=full)
    say(receipt_text(hand_in(source, student, rules, time, check, prepare=preparer(contest))))
