"""`arena grades`: print the results of the students in a run."""

from pathlib import Path

import click

from arena.base.atomic_file import os_error_as
from arena.base.errors import SettingsError, StoreError
from arena.base.protocol import indented
from arena.commands.common import json_option, open_run, results_option, run_argument
from arena.contest.run_roster import read_run_roster
from arena.extras.classroom.student_report import attached_files, report_files, student_pages
from arena.extras.shared.grades import (
    PLATFORMS,
    Grade,
    as_csv,
    doubt_of,
    grades_of,
    platform_csv,
)
from arena.narration.telling import counted
from arena.publish.run_statistics import collect_statistics
from arena.terminal.console import notice, say, say_data, warning
from arena.tournament.finished_boards import finished_games
from arena.tournament.games import games_to_play
from arena.tournament.standings import is_complete
from arena.tournament.store import Store
from engine import get_variant


@click.command("grades")
@run_argument("[RUN]", decides=True)
@json_option
@click.option(
    "--format",
    "platform",
    type=click.Choice(list(PLATFORMS)),
    help="Print each student's score out of 100 points, in the columns that this "
    "learning platform imports.",
)
@click.option(
    "--pages",
    "folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a page for each student to this folder, named after the student's id. A "
    "page contains nothing about other students.",
)
@click.option("--partial", is_flag=True, help="Accept an unfinished run, whose results may change.")
@results_option
def grades_command(
    source: str,
    as_json: bool,
    platform: str | None,
    folder: Path | None,
    partial: bool,
    results: Path,
) -> None:
    """Print the results of each student in a run, as CSV.

    Each row describes a student's bot: its rank with a range, rating, score, points, wins and
    faults, and the baselines that it beats with 95% certainty. Baselines are bots that weren't
    submitted by students. A row also shows how many versions were submitted, and whether the
    version that played was late.
    """
    with open_run(results, source) as store, store.snapshot():
        rows = _read_grades(store, partial)
        kind = "the final " if store.settings().is_final else "the run "
        notice(f"grades by {kind}{store.name}, of {store.settings().rounds} rounds")
        if doubt := doubt_of(rows):
            warning(doubt)
        if folder is not None:
            say(f"{folder}: {counted(_write_pages(store, rows, folder), 'page')}")
        elif platform:
            say_data(platform_csv(rows, platform, store.name))
        else:
            say_data(indented(rows) if as_json else as_csv(rows))


def _write_pages(store: Store, rows: list[Grade], folder: Path) -> int:
    settings = store.settings()
    students = {student.id: student for student in read_run_roster(store.folder).students}
    games = finished_games(store)
    variants = {variant: get_variant(variant) for variant in settings.variants}
    statistics = collect_statistics(games, variants)
    pages = list(student_pages(rows, statistics, students))
    files = attached_files(store, pages, students)
    with os_error_as(StoreError, f"cannot write {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in report_files(store.name, pages, files):
            (folder / name).write_text(text, encoding="utf-8")
    return len(pages)


def _read_grades(store: Store, partial: bool) -> list[Grade]:
    """Return the grades of a run.

    Raise `SettingsError` if the run has no students, or if the run isn't over and `partial` is
    false.
    """
    found = grades_of(store)
    if not is_complete(store):
        played = f"{store.count()} of {games_to_play(store.settings())}"
        if not partial:
            raise SettingsError(
                f"the run {store.name} is not over: got {played}, expected all of them; resume it, "
                "or take what it says so far with --partial"
            )
        notice(f"{store.name} is not over: {played}, so these results may change")
    return found
