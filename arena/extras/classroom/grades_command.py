"""`arena grades`: print the results of the students in a run."""

from pathlib import Path

import click

from arena.base.errors import SettingsError
from arena.base.protocol import indented
from arena.commands.common import json_option, open_run, results_option, run_argument
from arena.extras.shared.grades import (
    PLATFORMS,
    as_csv,
    doubt_of,
    grades_of,
    platform_csv,
)
from arena.terminal.console import notice, say_data, warning
from arena.tournament.games import games_to_play
from arena.tournament.standings import is_complete


@click.command("grades")
@run_argument("[RUN]", decides=True)
@json_option
@click.option(
    "--format",
    "platform",
    type=click.Choice(list(PLATFORMS)),
    help="Print a CSV file that Moodle or Canvas can import, with scores out of 100.",
)
@click.option(
    "--partial",
    is_flag=True,
    help="Print the preliminary results of an unfinished run.",
)
@results_option
def grades_command(
    source: str,
    as_json: bool,
    platform: str | None,
    partial: bool,
    results: Path,
) -> None:
    """Print the results of all students in a run as CSV.

    Each row contains the rank, rating, score, points, wins and faults of a student's bot. The
    rank has a 95% confidence interval. Further columns contain the number of submitted versions,
    whether the submission was late, and the baseline bots that the student's bot beats with 95%
    confidence. Baseline bots are bots that weren't submitted by students.
    """
    with open_run(results, source) as store, store.snapshot():
        rows = grades_of(store)
        if not is_complete(store):
            played = f"{store.count()} of {games_to_play(store.settings())}"
            if not partial:
                raise SettingsError(
                    f"the run {store.name} is not over: got {played}, expected all of them; resume "
                    "it, or print preliminary results with --partial"
                )
            notice(f"{store.name} is not over: {played}, so these results may change")
        kind = "the final " if store.settings().is_final else "the run "
        notice(f"results of {kind}{store.name} ({store.settings().rounds} rounds)")
        if doubt := doubt_of(rows):
            warning(doubt)
        if platform:
            say_data(platform_csv(rows, platform, store.name))
        else:
            say_data(indented(rows) if as_json else as_csv(rows))
