"""Write a page for each student in a run, with the student's results and faults.

Each page embeds all files that its commands need. Pages don't link to each other, so a teacher
can send each student only the student's own page.
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.base.record import GameRecord
from arena.check.fault_file import FaultSource, describe_fault, fault_file_name, fault_json
from arena.check.fault_groups import FaultGroup, faults_of
from arena.check.game_file import game_json
from arena.contest.run_roster import StudentRecord
from arena.extras.shared.grades import Grade
from arena.match.referee import start_game
from arena.publish.layout import file_name
from arena.publish.notable_games import Notable
from arena.publish.render import Renderer
from arena.publish.run_statistics import RunStatistics
from arena.tournament.database import Database
from arena.tournament.finished_boards import finished_games
from arena.tournament.games import world_seeds

MAX_CAUSES = 30


class Cause(NamedTuple):
    group: FaultGroup
    report: str


class StudentPage(NamedTuple):
    student: StudentRecord
    grades: tuple[Grade, ...]
    causes: tuple[Cause, ...]
    games: tuple[Notable, ...]
    withdrawn: str

    @property
    def bot(self) -> str:
        return self.grades[0].bot


class Attached(NamedTuple):
    name: str
    content: bytes

    @property
    def address(self) -> str:
        return f"data:application/json;base64,{b64encode(self.content).decode()}"


AttachedFiles = Mapping[tuple[str, str, str], Attached]
"""Attached files by game key, bot id and type (`game` or `fault`)."""


def causes_of(bot: str, statistics: RunStatistics) -> list[Cause]:
    reports = {fault.key: fault.report or "" for fault in statistics.faults.get(bot, [])}
    groups = statistics.causes.groups(bot)[:MAX_CAUSES]
    return [Cause(group, reports.get(group.first.key, "")) for group in groups]


def student_pages(
    grades: Sequence[Grade], statistics: RunStatistics, students: Mapping[str, StudentRecord]
) -> Iterator[StudentPage]:
    for student, group in groupby(grades, key=attrgetter("id")):
        own = tuple(group)
        bot = own[0].bot
        yield StudentPage(
            students[student],
            own,
            tuple(causes_of(bot, statistics)),
            tuple(statistics.notable_games_of(bot) if bot else ()),
            statistics.withdrawn.get(bot, ""),
        )


def attached_files(
    store: Database, pages: Sequence[StudentPage], students: Mapping[str, StudentRecord]
) -> AttachedFiles:
    games = {(notable.game.key, page.bot) for page in pages for notable in page.games}
    faults = {(cause.group.first.key, page.bot) for page in pages for cause in page.causes}
    files, settings = {}, store.settings()
    entrants = {entrant.name: entrant for entrant in settings.entrants}
    for record, seen in finished_games(store):
        name = record.title.replace("/", "-").replace(" ", "-")
        for seat, bot in enumerate(record.entrants):
            if (record.key, bot) in games:
                own = game_json(_as_seen(record, seat, students))
                files[record.key, bot, "game"] = Attached(f"{name}.json", own)
        for fault in faults_of(record, seen):
            if (fault.key, fault.bot) in faults:
                bounds = settings.sandbox.bounds
                worlds = world_seeds(store, record)
                source = FaultSource(entrants[fault.bot], settings.limits, bounds, worlds=worlds)
                file = describe_fault(source, fault.fault, fault.evidence, [record])
                attached = Attached(fault_file_name(file), fault_json(file))
                files[fault.key, fault.bot, "fault"] = attached
    return files


def _as_seen(record: GameRecord, seat: int, students: Mapping[str, StudentRecord]) -> GameRecord:
    """Return a copy of a game record that hides the names and remarks of other students."""
    names = [
        f"seat {number}" if bot in students and number != seat else bot
        for number, bot in enumerate(record.entrants)
    ]
    state, own = start_game(record.variant, record.deal), set()
    for number, action in enumerate(record.actions):
        if state.seat_to_act == seat:
            own.add(number)
        state.apply(action)
    notes = tuple([note for note in record.notes if note.action in own])
    return msgspec.structs.replace(record, entrants=tuple(names), notes=notes)


def report_files(
    run: str, pages: Sequence[StudentPage], files: AttachedFiles
) -> Iterator[tuple[str, str]]:
    """Yield the file name and the HTML of each student's page."""
    renderer = Renderer(Path(run).name, [], templates=[Path(__file__).parent])
    for page in pages:
        name = f"{file_name(page.student.id)}.html"
        yield name, renderer.page("student.html", name, page=page, files=files)
