"""`arena roster`: list submissions, copy submitted bots, and remove people."""

import shutil
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

import click

from arena.base.atomic_file import os_error_as
from arena.base.errors import SettingsError
from arena.commands.common import json_option, required_contest, say_json
from arena.contest.admission import SubmissionRules, rules_of
from arena.contest.contest_file import read_contest
from arena.contest.roster import Student
from arena.contest.run_roster import StudentRecord, records_of, run_roster
from arena.contest.settings import Contest, shown_time
from arena.extras.serve.current_contest import read_served
from arena.extras.serve.enrolment import (
    adopt_roster_file,
    enrol,
    forget_files,
    remove_people,
    set_removed,
)
from arena.extras.serve.people import People
from arena.extras.serve.server_database import DATABASE, ServerDatabase
from arena.terminal.console import notice, say
from arena.terminal.text_table import Column, print_table

NOBODY = "the contest accepts no submissions"

place_option = click.option(
    "--to",
    "place",
    metavar="CONTEST",
    type=click.Path(exists=True, path_type=Path),
    help="Folder of the contest or its contest.toml. Default: the contest of the current folder.",
)


@click.group("roster")
def roster_command() -> None:
    """List submissions, copy submitted bots, and remove people.

    To add people, use the *Roster* page of `arena serve` or the contest's roster file.
    """


@roster_command.command("status")
@click.argument(
    "contest_place",
    metavar="[CONTEST]",
    required=False,
    type=click.Path(exists=True, path_type=Path),
)
@json_option
@place_option
def status(contest_place: Path | None, as_json: bool, place: Path | None) -> None:
    """Show what each student has submitted, and when.

    If the last submission was rejected, the command also prints the reason.
    """
    contest = read_contest(required_contest(contest_place or place, "--to"))
    rules = rules_of(contest)
    if rules is None:
        raise SettingsError(NOBODY)
    rows = _status_of(rules)
    if as_json:
        say_json(rows)
        return
    print_table(
        [
            Column("student", [_titled(row.name, row.id) for row in rows], kind="text"),
            Column("version", [str(row.versions or "-") for row in rows]),
            Column("submitted", [_when(row.submitted) for row in rows], 1, "text"),
            Column("late", ["late" if row.late else "-" for row in rows], 2, "word"),
            Column("refused", [str(row.refused or "-") for row in rows], 3),
        ]
    )
    for row in rows:
        if row.refusal:
            say(f"{_titled(row.name, row.id)}, {_when(row.refused_at)}: {row.refusal}")
    teams = {row.team for row in rows if row.versions} - {""}
    without = [row for row in rows if not row.versions and row.team not in teams]
    missing = [_titled(row.name, row.id) for row in without if row.id]
    say(
        f"{len(missing)} without an accepted bot: {', '.join(missing)}"
        if missing
        else "all students have an accepted bot"
    )


def _status_of(rules: SubmissionRules) -> list[StudentRecord]:
    rows = list(run_roster(rules).students)
    known = {row.id for row in rows}
    others = records_of(rules).values()
    return [*rows, *[record for record in others if record.id not in known]]


def _titled(name: str, student_id: str) -> str:
    return Student(student_id, name).title if student_id else name


def _when(time: datetime | None) -> str:
    return shown_time(time) if time else "-"


@roster_command.command("files")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@place_option
def files(folder: Path, place: Path | None) -> None:
    """Copy the newest version of each student's bot to a folder DIR/ID."""
    rules = rules_of(read_contest(required_contest(place, "--to")))
    if rules is None:
        raise SettingsError(NOBODY)
    for version in rules.inbox.lineup():
        stored = rules.inbox.bot_of(version)
        with os_error_as(SettingsError, f"cannot write {folder / version.owner}"):
            shutil.copytree(stored.entrant.folder, folder / version.owner)
        say(f"{folder / version.owner}: version {version.version}")


@roster_command.command("remove")
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--undo", is_flag=True, help="Restore removed people and their bots.")
@click.option("--files", "forgets", is_flag=True, help="Also delete their files permanently.")
@place_option
def remove(ids: Sequence[str], undo: bool, forgets: bool, place: Path | None) -> None:
    """Remove people and their bots from the contest.

    ID is the id of a person on the roster. To remove a bot whose owner isn't on the roster, use
    the bot's id. The next run leaves out removed bots and their games, but a final that has
    already started still includes them. With `--files`, the person's submitted files are deleted,
    except files that are used by a run or another person. If the contest has a roster file, remove
    the people from that file too, because this command does not edit it.
    """
    if undo and forgets:
        raise click.UsageError("--undo cannot restore files that --files has deleted: choose one")
    contest_file = required_contest(place, "--to")
    contest = read_served(contest_file)
    with closing(ServerDatabase(contest_file.parent / DATABASE)) as database:
        people = People(database)
        adopt_roster_file(people, contest_file)
        for person_id in ids:
            gone = {person.id: person for person in people.removed()}.get(person_id)
            present = people.get(person_id)
            if undo and gone:
                enrol(people, contest, [gone.as_student], gone.role)
            elif present and not undo and not (present.is_teacher and _plays(contest, person_id)):
                remove_people(people, contest, [present])
            elif not set_removed(contest, person_id, is_removed=not undo):
                people.require(person_id)
            if forgets:
                forget_files(contest, person_id)
            say(f"{'restored' if undo else 'removed'} {person_id}")
    again = "count again" if undo else "no longer count"
    notice(f"their games {again} in the next `arena run` and on the server's ladder")


def _plays(contest: Contest, owner: str) -> bool:
    rules = rules_of(contest)
    return rules is not None and owner in {version.owner for version in rules.inbox.lineup()}
