"""`arena publish`: the leaderboard site of a run."""

from pathlib import Path

import click

from arena.commands.common import open_run, results_option
from arena.publish.choice import DEFAULT_SAMPLE, read_choice
from arena.publish.layout import INDEX
from arena.terminal.console import notice, say


@click.command("publish")
@click.argument("run_name", metavar="RUN")
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder of the site: a new or empty one, or one that was published before.",
)
@click.option(
    "--games",
    "games",
    metavar="all|faults|sample:N",
    default=f"sample:{DEFAULT_SAMPLE}",
    show_default=True,
    help="Which games to publish with their replays: all; those with faults; or these and "
    "a sample of N. The notable games of each bot always are.",
)
@results_option
def publish_command(run_name: str, folder: Path, games: str, results: Path) -> None:
    """Write the leaderboard of a run as a web site.

    It can be opened from its folder or served from anywhere, and asks no other host for anything.
    A run that is under way can be published too.
    """
    from arena.publish.build import publish  # not above: the other commands start without it

    choice = read_choice(games)
    with open_run(results, run_name) as store:
        published = publish(store, folder, choice, notice)
    say(
        f"{folder / INDEX}: {published.bots} bots, {published.games} games, "
        f"{published.replays} of them with replays"
    )
