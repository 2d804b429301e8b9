"""`arena roster`: manage the people of a contest, with their links and tokens."""

import contextlib
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

import click

from arena.base.atomic_file import os_error_as
from arena.base.errors import SettingsError
from arena.commands.common import ask, json_option, required_contest, say_json
from arena.contest.admission import SubmissionRules, rules_of
from arena.contest.contest_file import read_contest
from arena.contest.roster import Student, safe_id
from arena.contest.run_roster import StudentRecord, records_of, run_roster
from arena.contest.settings import Contest, shown_time
from arena.extras.serve.current_contest import read_served
from arena.extras.serve.enrolment import (
    adopt_roster_file,
    as_csv,
    enrol,
    forget_files,
    read_students,
    remove_people,
    set_removed,
    with_links,
)
from arena.extras.serve.people import ContestPerson, KeyKind, People
from arena.extras.serve.roster_import import StudentFile
from arena.extras.serve.server_database import (
    DATABASE,
    ServerDatabase,
    keep_address,
    knows_address,
)
from arena.narration.telling import counted
from arena.terminal.console import notice, say, say_data
from arena.terminal.text_table import Column, print_table

place_option = click.option(
    "--to",
    "place",
    metavar="CONTEST",
    type=click.Path(exists=True, path_type=Path),
    help="Folder of the contest or its contest.toml. Default: the contest of the current folder.",
)


TO_KNOW_IT = (
    "start `arena serve`, then create them with `arena roster link --all`; or pass the address "
    "with --url, such as `--url https://arena.example.edu`"
)


def _check_url(_: click.Context, __: click.Parameter, url: str | None) -> str | None:
    if url is not None and not (url.startswith(("http://", "https://")) and urlsplit(url).hostname):
        raise click.BadParameter(
            f"got {url!r}, expected an address such as https://arena.example.edu"
        )
    return url


url_option = click.option(
    "--url",
    callback=_check_url,
    help="Address of the server, for the links. Default: that of the last `arena serve`.",
)

LISTED = ("id", "name", "email", "team", "role", "pseudonym")


NOBODY = "the contest accepts no submissions"


class _Opened(NamedTuple):
    contest: Contest
    people: People
    database: ServerDatabase


@click.group("roster")
def roster_command() -> None:
    """Show who has submitted; list and change people.

    The people of a contest are stored in its folder, so these commands also work while the
    server is not running.
    """


@roster_command.command("add")
@click.option(
    "--csv",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="CSV file of students to add, with the columns name, e-mail, team and id. Only name or id "
    "is required.",
)
@click.option("--name", default="", help="Name of a person to add, in any script.")
@click.option(
    "--id", "person_id", default="", help="Id of the person. Default: derived from the name."
)
@click.option("--email", default="", help="E-mail address of the person.")
@click.option("--team", default="", help="Team of the person. Members of a team share a bot.")
@click.option("--teacher", "role", flag_value="teacher", help="Add the person as a teacher.")
@click.option(
    "--assistant",
    "role",
    flag_value="assistant",
    help="Add the person as an assistant, who sees everything but changes nothing.",
)
@click.option("--yes", is_flag=True, help="Don't ask for confirmation of a CSV file.")
@url_option
@place_option
def add(
    file: Path | None,
    name: str,
    person_id: str,
    email: str,
    team: str,
    role: Literal["teacher", "assistant"] | None,
    yes: bool,
    url: str | None,
    place: Path | None,
) -> None:
    """Add students, and print their sign-in links as CSV.

    Before the first `arena serve`, the address for the links is unknown: pass it with --url, or
    create the links later with `arena roster link --all`.

    At a terminal, the command shows how it read a CSV file, and asks before it adds anyone.

    Each link is printed only once, because only its hash is stored. People who are already on
    the roster are not changed.
    """
    if bool(file) == bool(name):
        raise click.UsageError("expected either --csv FILE or --name NAME")
    with _open(place, is_change=True, url=url) as opened:
        if file:
            given = _read_file(opened.people, file)
            if not yes and sys.stdin.isatty():
                click.confirm("Add them?", abort=True, err=True)
        else:
            given = [Student(person_id or safe_id(name), name, email, team)]
        if role:
            _print_keys(opened, opened.people.add(given, role))
            return
        enrolled = enrol(opened.people, opened.contest, given)
        if enrolled.known:
            known = [person.id for person in enrolled.known]
            notice(f"already on the roster: {', '.join(known)}")
        _print_keys(opened, enrolled.added)


@roster_command.command("list")
@json_option
@place_option
def list_people(as_json: bool, place: Path | None) -> None:
    """List the people of a contest."""
    with _open(place) as opened:
        keys = opened.people.kinds_of_keys()
        people = opened.people.all()
    has_link, has_token = [
        [kind in keys.get(person.id, ()) for person in people] for kind in ("link", "token")
    ]
    if as_json:
        say_json(
            [
                {field: getattr(person, field) for field in LISTED}
                | {"has_link": link, "has_token": token}
                for person, link, token in zip(people, has_link, has_token, strict=True)
            ]
        )
        return
    columns = [
        Column("id", [row.id for row in people], kind="word"),
        Column("name", [row.name for row in people], kind="text"),
        Column("e-mail", [row.email or "-" for row in people], 3, "word"),
        Column("team", [row.team or "-" for row in people], 1, "word"),
        Column("role", [row.role for row in people], 2, "word"),
        Column("link", ["yes" if there else "-" for there in has_link], 1, "word"),
        Column("token", ["yes" if there else "-" for there in has_token], 2, "word"),
    ]
    print_table(columns)


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

    If a student's last submission was rejected, the reason is printed too.
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
    missing = [_titled(row.name, row.id) for row in rows if not row.versions and row.id]
    say(
        f"{len(missing)} without an accepted bot: {', '.join(missing)}" if missing else "all are in"
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


@roster_command.command("link")
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option("--all", "is_for_all", is_flag=True, help="Create new links for all students.")
@click.option("--token", "kind", flag_value="token", help="Create tokens for the command line.")
@url_option
@place_option
def link(
    ids: Sequence[str],
    is_for_all: bool,
    kind: KeyKind | None,
    url: str | None,
    place: Path | None,
) -> None:
    """Create new sign-in links, and print them as CSV. The old links stop working."""
    if bool(ids) == is_for_all:
        raise click.UsageError("expected ids of people, or --all")
    with _open(place, url=url) as opened:
        if kind != "token" and not knows_address(opened.database):
            raise SettingsError(f"the address for the links is unknown: {TO_KNOW_IT}")
        chosen = map(opened.people.require, ids)
        people = opened.people.students() if is_for_all else list(chosen)
        _print_keys(opened, people, kind or "link")


@roster_command.command("revoke")
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@place_option
def revoke(ids: Sequence[str], place: Path | None) -> None:
    """Invalidate links and tokens; sign people out.

    These people are signed out everywhere. Their submissions are kept. `arena roster link`
    creates a new link.
    """
    with _open(place) as opened:
        for person in list(map(opened.people.require, ids)):
            opened.people.revoke(person.id)
            notice(f"{person.name} ({person.id}) is signed out and no longer has a link or token")


@roster_command.command("files")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@place_option
def files(folder: Path, place: Path | None) -> None:
    """Copy the newest version of each student's bot to DIR/ID."""
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
@click.option(
    "--files", "deletes_files", is_flag=True, help="Also delete their submissions permanently."
)
@click.option("--yes", is_flag=True, help="With --files: don't ask for confirmation.")
@place_option
def remove(
    ids: Sequence[str], undo: bool, deletes_files: bool, yes: bool, place: Path | None
) -> None:
    """Remove people and their bots from the contest.

    ID is the id of a person, or of a bot without an owner. When a run continues, the removed
    bots and their games are dropped. A final never changes. With --files, submissions are
    deleted, unless a run or another person uses them.
    """
    if undo and deletes_files:
        raise click.UsageError("--files deletes permanently, so it cannot be combined with --undo")
    with _open(place, is_change=True) as opened:
        people, contest = opened.people, opened.contest
        if deletes_files and not yes:
            ask(f"Permanently delete the submissions of {', '.join(ids)}?", "say --yes")
        for person_id in ids:
            gone = {person.id: person for person in people.removed()}.get(person_id)
            present = people.get(person_id)
            if undo and gone:
                enrol(people, contest, [gone.as_student])
            elif present and not undo:
                remove_people(people, contest, [present])
            elif not set_removed(contest, person_id, is_removed=not undo):
                people.require(person_id)
            say(f"{person_id} is {'restored' if undo else 'removed'}")
            if deletes_files:
                deleted = counted(forget_files(contest, person_id), "bot")
                say(f"deleted the submissions of {person_id}: {deleted}")
    again = "counts" if undo else "does not count"
    notice(f"the next `arena run`, or the ladder of the server, {again} their games")


@contextlib.contextmanager
def _open(
    place: Path | None, *, is_change: bool = False, url: str | None = None
) -> Iterator[_Opened]:
    contest_file = required_contest(place, "--to")
    contest = read_served(contest_file)
    with contextlib.closing(ServerDatabase(contest_file.parent / DATABASE)) as database:
        people = People(database)
        adopt_roster_file(people, contest_file)
        if url is not None:
            keep_address(database, url.rstrip("/"))
        yield _Opened(contest, people, database)
    if is_change and (roster := read_contest(contest_file).entrants.roster):
        notice(f"{roster} is unchanged: edit it too if the contest is played without a server")


def _read_file(people: People, file: Path) -> list[Student]:
    with os_error_as(SettingsError, f"cannot read {file}"):
        content = file.read_bytes()
    found = StudentFile(content)
    if unknown := found.unknown_columns:
        raise SettingsError(
            f"{file}, line {found.table.line}: unknown columns {', '.join(unknown)}; "
            "expected `name` and, optionally, `id`, `e-mail` and `team`"
        )
    students = read_students(people, found)
    notice(f"{file}: {found.summary(students)}")
    return students


def _print_keys(opened: _Opened, people: Iterable[ContestPerson], kind: KeyKind = "link") -> None:
    people = list(people)
    if kind == "link" and people and not knows_address(opened.database):
        notice(f"no sign-in links were created, because their address is unknown: {TO_KNOW_IT}")
        return
    if kind == "link":
        rows = with_links(opened.people, opened.database, people)
    else:
        rows = [(person, opened.people.make_key(person.id, kind)) for person in people]
    if rows:
        say_data(as_csv(kind, rows))
