"""`arena grades`: a row for each student of a run, for a spreadsheet."""

from pathlib import Path

import click

from arena.commands.common import open_run, results_option
from arena.contest.grades import as_csv, as_json, grades
from arena.contest.run_roster import read_run_roster
from arena.errors import SettingsError
from arena.terminal.console import notice, say_data
from arena.tournament.settings import Settings
from arena.tournament.standings import is_complete, rank


@click.command("grades")
@click.argument("run", metavar="RUN")
@click.option("--json", "is_json", is_flag=True, help="Print JSON instead of CSV, with all digits.")
@results_option
def grades_command(run: str, is_json: bool, results: Path) -> None:
    """Print a row for each student of a run, as CSV for a spreadsheet.

    A row has the rank with its range, rating, score, points, wins and faults of the student's bot,
    its versions, whether the newest was late, and the baselines that it beats with 95% certainty.
    Baselines are the bots that are of no student.
    """
    with open_run(results, run) as store:
        settings = store.settings(Settings)
        left = settings.dropped_bots
        students = [one for one in read_run_roster(store.folder).students if one.id not in left]
        if not students:
            raise SettingsError(
                f"the run {store.name} has no students: play a contest with a folder of "
                "submissions, or see `arena leaderboard`"
            )
        if not is_complete(store):
            notice(f"{store.name} is under way or stopped: these grades are not final")
        entrants = [one.name for one in settings.entrants if one.name not in left]
        own = {one.id for one in students}
        rows = list(
            grades(students, rank(store).overall, [one for one in entrants if one not in own])
        )
        say_data(as_json(rows) if is_json else as_csv(rows))
