"""Add people and their bots to a contest, or remove them."""

import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from arena.base.atomic_file import atomic_file, os_error_as
from arena.base.errors import StoreError
from arena.base.protocol import indented
from arena.contest.admission import rules_of
from arena.contest.contest_file import read_contest
from arena.contest.roster import Student, read_roster_file
from arena.contest.run_roster import ROSTER, RunRoster, StudentRecord, read_run_roster
from arena.contest.settings import Contest
from arena.extras.serve.people import ContestPerson, People, Role
from arena.extras.serve.server_database import ServerDatabase, address_of, sign_in_link
from arena.rating.leaderboard_files import csv_text, text_cell
from arena.tournament.runs import run_names, settings_of_run

_placing = threading.Lock()  # an older list of people must not be applied after a newer one


def adopt_roster_file(people: People, contest_file: Path) -> None:
    path = read_contest(contest_file).entrants.roster
    students = read_roster_file(Path(path)).students.values() if path is not None else ()
    people.add([student for student in students if people.find_id(student.id) is None])


def enrol(
    people: People, contest: Contest, students: Iterable[Student], role: Role = "student"
) -> list[ContestPerson]:
    """Add or restore people. If any id is taken, add nobody and raise `ServeError`."""
    added = people.add(students, role)
    place_bots(people, contest)
    return added


def remove_people(people: People, contest: Contest, gone: Iterable[ContestPerson]) -> None:
    """Remove people and their bots.

    Raise `ServeError` if removing a person would leave the rest of a team without its bot.
    """
    people.remove(gone)
    place_bots(people, contest)


def place_bots(people: People, contest: Contest) -> None:
    """Remove the bots of removed people from the lineup, and add the bots of restored people."""
    if rules := rules_of(contest):
        with _placing:
            present = [person.owner for person in people.students()]
            gone = [person.id for person in people.removed() if person.id not in present]
            rules.inbox.set_removed(gone, is_removed=True)
            rules.inbox.set_removed(present, is_removed=False)
    keep_in_runs(people, contest)


def keep_in_runs(people: People, contest: Contest) -> None:
    results = Path(contest.results)
    for name in run_names(results):
        keep_in_run(people, contest, results / name)


def keep_in_run(people: People, contest: Contest, run: Path) -> None:
    """Update the list of students in a run's folder, including the marks for late submissions."""
    settings = settings_of_run(run)
    if settings is None or settings.is_comparison:
        return
    before = read_run_roster(run)
    records = {record.id: record for record in _with_lateness(before.students, contest)}
    listed = [
        records.pop(person.id, StudentRecord(person.id, person.name)).of(person.as_student)
        for person in people.students()
    ]
    playing = {bot.name for bot in settings.entrants}
    gone = [record for record in records.values() if record.id in playing]
    if (after := RunRoster((*listed, *gone))) != before:
        path = run / ROSTER
        with os_error_as(StoreError, f"cannot write {path}"), atomic_file(path, 0o600) as file:
            file.write(indented(after).encode())


def _with_lateness(records: Iterable[StudentRecord], contest: Contest) -> Iterator[StudentRecord]:
    rules = rules_of(contest)
    versions = rules.inbox.versions() if rules else []
    ids = rules.late(versions) if rules else frozenset()
    late = {(version.owner, int(version.received)) for version in versions if version.id in ids}
    for record in records:
        received = int(record.submitted.timestamp()) if record.submitted else 0
        yield msgspec.structs.replace(record, late=(record.id, received) in late)


def set_removed(contest: Contest, owner: str, *, is_removed: bool) -> bool:
    """Take a bot out of the lineup or put it back. Return False if the bot was never submitted."""
    rules = rules_of(contest)
    if rules is None or not rules.inbox.of_owner(owner, 1):
        return False
    rules.inbox.set_removed([owner], is_removed=is_removed)
    return True


def forget_files(contest: Contest, owner: str) -> None:
    """Delete a student's submitted files, except for files that a run still uses."""
    if rules := rules_of(contest):
        results = Path(contest.results)
        settings = [settings_of_run(results / name) for name in run_names(results)]
        named = {bot.fingerprint for known in settings if known for bot in known.entrants}
        rules.inbox.forget_files(owner, named)


def as_csv(rows: Iterable[tuple[ContestPerson, str]]) -> str:
    """Return a CSV table of people and their sign-in links, for a mail merge."""
    lines = [(person.id, person.name, person.email, link) for person, link in rows]
    return csv_text([["id", "name", "e-mail", "link"], *[map(text_cell, line) for line in lines]])


def with_links(
    people: People, database: ServerDatabase, chosen: Iterable[ContestPerson]
) -> list[tuple[ContestPerson, str]]:
    """Create new sign-in links. People's old links and tokens stop working."""
    address = address_of(database)
    return [(person, sign_in_link(address, people.new_link(person.id))) for person in chosen]
