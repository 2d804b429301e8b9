"""`arena merge`: one run from several whose variants were played apart."""

import contextlib
from pathlib import Path

import click

from arena.commands.common import open_run, results_option, run_folder
from arena.commands.completers import complete_runs
from arena.contest.settings import checked_run_name
from arena.terminal.console import say
from arena.tournament.games import games_to_play
from arena.tournament.merge import merge
from arena.tournament.settings import Settings


@click.command("merge")
@click.argument("runs", metavar="RUN RUN...", nargs=-1, required=True, shell_complete=complete_runs)
@click.option("--name", required=True, help="Name of the new run and its folder.")
@results_option
def merge_command(runs: tuple[str, ...], name: str, results: Path) -> None:
    """Unite runs of the same settings whose variants were played apart.

    The runs must have the same bots, rounds, limits and secret or seed, and different variants.
    They stay as they are.
    """
    if len(runs) < 2:
        raise click.UsageError("got one run, expected two or more")
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(open_run(results, one)) for one in runs]
        store = stack.enter_context(merge(run_folder(results, checked_run_name(name)), found))
        say(f"{store.folder}: {store.count()} of {games_to_play(store.settings(Settings))} count")
        if aside := store.count_aside():
            say(
                f"{aside} games do not count, since other bots are withdrawn in the united "
                "schedule: play them again with the command of the run"
            )
