"""`arena publish`: create a website for a run."""

from pathlib import Path

import click

from arena.commands.common import open_source, results_option, run_argument
from arena.contest.contest_file import CONTEST_FILE, DEFAULT_SITE, find_contest, site_of
from arena.publish.layout import INDEX
from arena.terminal.console import notice, say


@click.command("publish")
@run_argument("[RUN|FILE]", decides=True)
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write the site to this folder, which must be new, empty, or written by an "
    "earlier `arena publish`. Default: the setting `publish` of the current contest, or "
    f"`{DEFAULT_SITE}` in its folder.",
)
@click.option(
    "--games",
    "games",
    type=click.Choice(["notable", "all"]),
    default="notable",
    show_default=True,
    help="Publish replays of these games. Notable games include games with faults and each bot's "
    "worst boards.",
)
@click.option(
    "--with-secret",
    is_flag=True,
    help="Publish the contest's secret with the run, so that anyone can verify the deals. Do not "
    "publish the secret before the contest is over, because the secret also reveals future deals.",
)
@results_option
def publish_command(
    source: str, folder: Path | None, games: str, with_secret: bool, results: Path
) -> None:
    """Publish a run as a web site.

    The site is static: it works on any web server, or directly from disk, and loads nothing from
    other hosts. A run can be published while it is in progress.
    """
    from arena.publish.build import (  # imported here so that other commands start faster
        publish,
        published_secret,
    )
    from arena.publish.site_folder import Site

    folder = folder or _site(source)
    with open_source(results, source) as store:
        secret = published_secret(store) if with_secret else None
        with Site(folder) as site:
            published = publish(store, site, notice, secret, all_games=games == "all")
    if published is None:
        say(f"{folder / INDEX} is up to date")
        return
    say(
        f"{folder / INDEX}: {published.bots} bots, {published.games} games, "
        f"{published.replays} of them with replays"
    )


def _site(source: str) -> Path:
    contest = find_contest(Path(source)) or find_contest()
    if contest is None:
        raise click.UsageError(
            f"there is no {CONTEST_FILE} in this folder or above it: name the folder of the site "
            "with --to"
        )
    return site_of(contest)
