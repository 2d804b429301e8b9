"""`arena publish`: the web site of a run."""

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
    help="The folder of the site: new, empty, or from an earlier `arena publish`.",
)
@click.option(
    "--games",
    "games",
    metavar="all|faults|sample:N",
    default=f"sample:{DEFAULT_SAMPLE}",
    show_default=True,
    help="The games that get replays: all, those with faults, or those with faults and a "
    "sample of N. Notable games of each bot always get one.",
)
@results_option
def publish_command(run_name: str, folder: Path, games: str, results: Path) -> None:
    """Write a run as a web site.

    The site works from its folder and from any web server, and loads nothing from other hosts. A
    run can be published while it is under way.
    """
    from arena.publish.build import publish  # imported here so that other commands start faster

    choice = read_choice(games)
    with open_run(results, run_name) as store:
        published = publish(store, folder, choice, notice)
    say(
        f"{folder / INDEX}: {published.bots} bots, {published.games} games, "
        f"{published.replays} of them with replays"
    )
