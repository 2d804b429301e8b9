"""`arena export`: print a run's game records for other programs."""

from pathlib import Path

import click

from arena.commands.common import open_source, results_option, source_argument
from arena.narration.telling import counted
from arena.terminal.console import notice, say_data
from arena.tournament.export import export_lines


@click.command("export")
@source_argument
@results_option
def export_command(source: str, results: Path) -> None:
    """Print the game records of a run as JSON lines.

    The output starts with a header line that contains the run's settings and digest. Games on
    unfinished boards are left out, because they would reveal the cards of games that are still to
    be played.
    """
    with open_source(results, source) as store, store.snapshot():
        printed = -1  # the header
        for line in export_lines(store):
            say_data(f"{line.decode()}\n")
            printed += 1
        if skipped := store.count() - printed:
            notice(f"skipped {counted(skipped, 'game')} on incomplete boards")
