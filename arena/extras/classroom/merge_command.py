"""`arena admin merge`: runs united."""

import contextlib
from pathlib import Path

import click

from arena.commands.common import open_run, results_option
from arena.commands.completion import complete_runs
from arena.extras.classroom.merging import merge
from arena.terminal.console import notice, say
from arena.tournament.games import games_to_play
from arena.tournament.runs import run_folder


@click.command("merge")
@click.argument("runs", metavar="RUN RUN...", nargs=-1, required=True, shell_complete=complete_runs)
@click.option("--name", required=True, help="Name of the new run and its folder.")
@results_option
def admin_merge_command(runs: tuple[str, ...], name: str, results: Path) -> None:
    """Unite runs whose variants were played apart.

    The runs must have the same bots, rounds, limits and secret or seed, and different variants.
    Each is verified, as by `arena verify`, and stays as it is.
    """
    if len(runs) < 2:
        raise click.UsageError("got one run, expected two or more")
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(open_run(results, run)) for run in runs]
        store = stack.enter_context(merge(run_folder(results, name), found, notice))
        say(f"{store.folder}: {store.count()} of {games_to_play(store.settings())} count")
        if aside := store.count_aside():
            say(
                f"{aside} games do not count, since other bots are withdrawn in the united "
                "schedule: play them again with the command of the run"
            )
