"""A page for each student of a run: the result, faults by their cause, the best and worst games.

The pages do not link to each other, so that each can be sent to its student alone.
"""

import shlex
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from arena.check.fault_groups import FaultGroup
from arena.contest.grades import Grade
from arena.publish.layout import file_name
from arena.publish.notable_games import BotGame, notable_games, point_scales
from arena.publish.render import Renderer
from arena.publish.run_statistics import RunStatistics

MAX_CAUSES = 30
"""Causes of faults on a page; the most frequent ones are shown."""


class Cause(NamedTuple):
    """The faults of a bot that have one cause."""

    group: FaultGroup
    report: str
    """The card of the first fault, or an empty text."""


class NotableGame(NamedTuple):
    """A game that a student may want to see."""

    why: str
    game: BotGame
    command: str
    """Shows the game."""


class StudentPage(NamedTuple):
    """The contents of the page of a student."""

    grades: tuple[Grade, ...]
    """More than one if the bots play different games."""
    causes: tuple[Cause, ...]
    games: tuple[NotableGame, ...]
    withdrawn: str
    """Why the bot was withdrawn, or an empty text."""


def causes_of(bot: str, statistics: RunStatistics) -> list[Cause]:
    """Return the causes of the faults of a bot, the most frequent first."""
    reports = {fault.key: fault.report or "" for fault in statistics.faults.get(bot, [])}
    groups = statistics.causes.groups(bot)[:MAX_CAUSES]
    return [Cause(group, reports.get(group.first.key, "")) for group in groups]


def student_page(grades: Sequence[Grade], statistics: RunStatistics, run: str) -> StudentPage:
    """Return the contents of the page of a student.

    Args:
        grades: those of the student.
        statistics: those of the run, by the ids of bots.
        run: the run as commands name it.
    """
    scales = point_scales(statistics.points)
    bot = grades[0].bot
    notable = notable_games(statistics.extremes_of(bot), scales) if bot else []
    return StudentPage(
        tuple(grades),
        tuple(causes_of(bot, statistics)),
        tuple(
            [
                NotableGame(
                    game.why, game.game, f"arena replay {shlex.quote(run)} {game.game.title}"
                )
                for game in notable
            ]
        ),
        statistics.withdrawn.get(bot, ""),
    )


def report_files(
    run: str, grades: Sequence[Grade], statistics: RunStatistics
) -> Iterator[tuple[str, str]]:
    """Yield the file name and the page of each student.

    Args:
        run: the run as commands name it.
        grades: those of all students.
        statistics: those of the run, by the ids of bots.
    """
    renderer = Renderer(Path(run).name, [])
    for student, own in groupby(grades, key=attrgetter("id")):
        name = f"{file_name(student)}.html"
        page = student_page(list(own), statistics, run)
        yield name, renderer.page("student.html", name, page=page, command=run)
