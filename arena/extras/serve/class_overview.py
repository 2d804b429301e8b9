"""Prepare the data for two of the teacher's pages: the class overview and the grades."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from arena.contest.admission import rules_of
from arena.contest.inbox import STATES
from arena.contest.roster import each_different
from arena.contest.run_roster import StudentRecord, read_run_roster, records_of
from arena.contest.settings import Contest
from arena.extras.serve.current_contest import time_until
from arena.extras.serve.enrolment import keep_in_run
from arena.extras.serve.ladder.ladder_files import (
    StandingsFile,
    final_rounds,
    freeze_in_words,
    has_begun,
    is_over,
    plan_of_final,
    requested_final,
    run_name,
)
from arena.extras.serve.people import ContestPerson, People
from arena.extras.serve.server_database import local_time
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.shared.grades import Grade, doubt_of, grades, grades_of
from arena.rating.columns import LeaderboardRow
from arena.tournament.runs import final_or_named, run_names
from arena.tournament.standings import is_complete
from arena.tournament.store import Store

LOW_SPACE = 2 * 1024**3


class StudentLine(NamedTuple):
    owner: ContestPerson | None
    """The student who owns the bot, or None if the bot has no owner on the roster."""
    name: str
    log: StudentRecord
    state: str
    row: LeaderboardRow | None
    member: ContestPerson | None = None  # who submitted it, if it is not the team's bot

    @property
    def is_fit(self) -> bool:
        return bool(self.log.versions)


class Overview:
    def __init__(self, site: ContestSite) -> None:
        contest = site.contest
        self.problem = site.current.problem
        people = site.people.students()
        self.students = len(people)
        self.state = site.live.state()
        self.board = site.live.board()
        # students without an accepted bot version first
        self.lines = sorted(_lines(site, people, self.board), key=lambda own: own.is_fit)
        self.unlisted = len([line for line in self.lines if not (line.owner or line.member)])
        self.apart = [line.member for line in self.lines if line.member]
        self.fit = sum([line.is_fit for line in self.lines])
        rules = rules_of(contest)
        unchecked = rules.inbox.unchecked() if rules else []
        self.waiting = len(unchecked)
        self.problem_of_checks = max([submission.reason for submission in unchecked], default="")
        self.opens = contest.deadline.opening()
        self.deadline = contest.deadline.deadline()
        self.final = requested_final(contest, site.folder)
        final_run = Path(contest.results, self.final.run) if self.final else None
        self.has_final_begun = final_run is not None and has_begun(final_run)
        self.is_final_over = final_run is not None and is_over(final_run)
        self.plan_of_final = ""
        """Length of the next final, as text. Empty while a final is being played."""
        if not self.has_final_begun or self.is_final_over:
            workers = self.state.workers if self.state else 1
            self.plan_of_final = plan_of_final(contest, workers)
            self.final_rounds = final_rounds(contest)
        now = local_time(site.clock())
        self.frozen = freeze_in_words(contest, site.folder, now)
        self.time_left = time_until(now, self.deadline.due if self.deadline else None)
        self.free = shutil.disk_usage(site.folder).free
        self.is_space_low = self.free < LOW_SPACE


def _lines(
    site: ContestSite,
    people: Sequence[ContestPerson],
    board: StandingsFile | None,
) -> Iterator[StudentLine]:
    rules = rules_of(site.contest)
    records = records_of(rules) if rules else {}
    rows = {row.bot: row for row in board.board.first_rows} if board else {}
    handed_in = rules.inbox.handed_in() if rules else []
    states = {submission.owner: STATES[submission.state] for submission in handed_in}
    removed = rules.inbox.removed() if rules else frozenset()
    owners = {person.id: person for person in people if person.id == person.owner}
    members = {person.id: person for person in people if person.id != person.owner}
    logs = {own: StudentRecord(own, person.bot_name) for own, person in owners.items()}
    logs |= {own: log for own, log in records.items() if own in owners or own not in removed}
    shown = {own: owners[own].bot_name if own in owners else log.name for own, log in logs.items()}
    names = each_different(shown)
    for own, log in logs.items():
        line = StudentLine(owners.get(own), names[own], log, states.get(own, ""), rows.get(own))
        yield line._replace(member=members.get(own))


# -- the grades of a class: a row for each person on the roster --------------------------------


class ClassGrades(NamedTuple):
    run: str
    runs: tuple[str, ...]
    is_over: bool
    rows: list[Grade]
    doubt: str = ""


def class_grades(people: People, contest: Contest, wanted: str | None = None) -> ClassGrades | None:
    """Return the grades from a run, or None if the run doesn't exist.

    By default, use the final run. Before the final, use the latest run. Before the first run,
    return empty grades.
    """
    results = Path(contest.results)
    runs = tuple([name for name in run_names(results) if not _is_comparison(results / name)])
    if wanted is not None and wanted not in runs:
        return None
    run = wanted or final_or_named(results, run_name(contest)) or next(iter(runs), "")
    if not run:
        students = [
            StudentRecord(student.id, student.name, student.email, student.team)
            for student in people.students()
        ]
        return ClassGrades("", (), False, list(grades(students, {}, ())))
    keep_in_run(people, contest, results / run)  # `arena run` doesn't know the roster of the server
    with Store.open(results / run) as store, store.snapshot():
        graded = {student.id for student in read_run_roster(store.folder).students}
        rows = grades_of(store) if graded - store.settings().dropped_bots else []
        return ClassGrades(run, runs, is_complete(store), rows, doubt_of(rows))


def _is_comparison(folder: Path) -> bool:
    with Store.open(folder) as store:
        return store.settings().is_comparison
