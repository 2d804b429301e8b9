"""`arena grades`: a row for each student of a run, for a spreadsheet."""

from pathlib import Path

import click

from arena.commands.common import open_run, results_option, run_argument
from arena.commands.grading import read_grades
from arena.contest.grades import as_csv, as_json
from arena.terminal.console import say_data


@click.command("grades")
@run_argument("[RUN]")
@click.option("--json", "is_json", is_flag=True, help="Print JSON instead of CSV, with all digits.")
@results_option
def grades_command(source: str, is_json: bool, results: Path) -> None:
    """Print a row for each student of a run, as CSV for a spreadsheet.

    A row has the rank with its range, rating, score, points, wins and faults of the student's bot,
    its versions, whether the newest was late, and the baselines that it beats with 95% certainty.
    Baselines are the bots that are of no student.
    """
    with open_run(results, source) as store:
        rows, _ = read_grades(store)
    say_data(as_json(rows) if is_json else as_csv(rows))
