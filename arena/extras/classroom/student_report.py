"""A page for each student of a run: the result, faults by their cause, the best and worst games.

The pages do not link to each other, and hold the files that their commands need, so that each can
be sent to its student alone.
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

MAX_CAUSES = 30
"""Causes of faults on a page; the most frequent ones are shown."""


class Cause(NamedTuple):
    """The faults of a bot that have one cause."""

    group: FaultGroup
    report: str
    """The card of the first fault, or an empty text."""


class StudentPage(NamedTuple):
    """The contents of the page of a student."""

    student: StudentRecord
    grades: tuple[Grade, ...]
    """More than one if the bots play different games."""
    causes: tuple[Cause, ...]
    games: tuple[Notable, ...]
    withdrawn: str
    """Why the bot was withdrawn, or an empty text."""

    @property
    def bot(self) -> str:
        """The id of the bot of the student or of the team; empty if there is none."""
        return self.grades[0].bot


class Attached(NamedTuple):
    """A file that a page holds."""

    name: str
    content: bytes

    @property
    def address(self) -> str:
        """The whole file as an address."""
        return f"data:application/json;base64,{b64encode(self.content).decode()}"


AttachedFiles = Mapping[tuple[str, str, str], Attached]
"""Files by the key of a game, the id of a bot in it, and `game` or `fault`."""


def causes_of(bot: str, statistics: RunStatistics) -> list[Cause]:
    """Return the causes of the faults of a bot, the most frequent first."""
    reports = {fault.key: fault.report or "" for fault in statistics.faults.get(bot, [])}
    groups = statistics.causes.groups(bot)[:MAX_CAUSES]
    return [Cause(group, reports.get(group.first.key, "")) for group in groups]


def student_pages(
    grades: Sequence[Grade], statistics: RunStatistics, students: Mapping[str, StudentRecord]
) -> Iterator[StudentPage]:
    """Yield the page of each student.

    Args:
        grades: those of all students.
        statistics: those of the run, by the ids of bots.
        students: those of the run, by id.
    """
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
    """Return the files of the games and faults on some pages, by the ids of their bots."""
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
                source = FaultSource(entrants[fault.bot], settings.limits, bounds)
                file = describe_fault(source, fault.fault, fault.evidence, [record])
                attached = Attached(fault_file_name(file), fault_json(file))
                files[fault.key, fault.bot, "fault"] = attached
    return files


def _as_seen(record: GameRecord, seat: int, students: Mapping[str, StudentRecord]) -> GameRecord:
    """Return a record without the names and the remarks of other students than that at `seat`."""
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
    """Yield the file name and the text of each page, with its files."""
    renderer = Renderer(Path(run).name, [], templates=[Path(__file__).parent])
    for page in pages:
        name = f"{file_name(page.student.id)}.html"
        yield name, renderer.page("student.html", name, page=page, files=files)
