"""`arena report`: a page for each student of a run."""

from pathlib import Path

import click

from arena.commands.common import open_run, results_option, run_argument
from arena.commands.grading import read_grades
from arena.errors import StoreError
from arena.publish.run_statistics import collect_statistics
from arena.publish.student_report import report_files
from arena.terminal.console import say
from arena.tournament.finished_boards import board_of_observed, finished
from arena.tournament.settings import Settings
from arena.tournament.standings import extra_boards
from engine import get_variant


@click.command("report")
@run_argument("[RUN]")
@click.option(
    "--to",
    "folder",
    metavar="DIR",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the pages. A page is named after the id of its student.",
)
@results_option
def report(source: str, folder: Path, results: Path) -> None:
    """Write a page for each student of a run: the result, faults by their cause, games to look at.

    A page has nothing of other students, so that it can be sent to its own.
    """
    with open_run(results, source) as store, store.snapshot():
        settings = store.settings(Settings)
        rows, bots = read_grades(store)
        games = finished(store.observed_records(), board_of_observed, settings.boards_per_deal)
        variants = {one: get_variant(one) for one in settings.variants}
        statistics = collect_statistics(games, variants, 0, extra_boards(store))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, page in report_files(store.name, rows, bots, statistics):
                (folder / name).write_text(page, encoding="utf-8")
        except OSError as error:
            raise StoreError(f"cannot write {folder}: {error.strerror}") from None
    say(f"{folder}: {len(rows)} pages")
