"""`arena publish`: write the web site of a run."""

from pathlib import Path

import click

from arena.check.game_file import find_game_file, read_game
from arena.commands.common import open_source, results_option, run_argument
from arena.contest.contest_file import CONTEST_FILE, DEFAULT_SITE, find_contest, site_of
from arena.publish.layout import INDEX
from arena.terminal.console import notice, say


@click.command("publish")
@run_argument("[RUN|FILE|last]", decides=True)
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The folder of the site: new, empty, or from an earlier `arena publish`. Default: "
    f"`publish` of the contest in whose folder you are, or `{DEFAULT_SITE}` beside its file.",
)
@click.option(
    "--games",
    "games",
    type=click.Choice(["notable", "all"]),
    default="notable",
    show_default=True,
    help="The games that get replays: those with faults, the notable games and the worst boards of "
    "each bot, or all. Replays that the site has already stay.",
)
@click.option(
    "--with-secret",
    is_flag=True,
    help="Publish the secret as well, so that everybody can check all deals. The contest must be "
    "over: anybody who has the secret knows the deals of all games that it may still get.",
)
@results_option
def publish_command(
    source: str, folder: Path | None, games: str, with_secret: bool, results: Path
) -> None:
    """Write a run, or a game that you played, as a web site.

    The site works from its folder or any web server, and loads nothing from other hosts. A run
    can be published while it is in progress. `last` is the game you played last; FILE may be a
    game saved by `arena play`.
    """
    if (path := find_game_file(results, source)) is not None:
        from arena.publish.played_site import publish_game

        if folder is None:  # the site of the contest is that of a run
            raise click.UsageError("name the folder for the replay of your game with --to")
        record = read_game(path)
        publish_game(record, path, folder)
        say(f"{folder / INDEX}: the replay of {path}")
        return
    from arena.publish.build import (  # imported here so that other commands start faster
        publish,
        published_secret,
    )
    from arena.publish.site_folder import Site

    folder = folder or _site()
    with open_source(results, source) as store:
        secret = published_secret(store) if with_secret else None
        with Site(folder) as site:
            published = publish(store, site, notice, secret, all_games=games == "all")
    say(
        f"{folder / INDEX}: {published.bots} bots, {published.games} games, "
        f"{published.replays} of them with replays"
    )


def _site() -> Path:
    """Return the folder of the contest's site. Raises `click.UsageError` without a contest."""
    found = find_contest()
    if found is None:
        raise click.UsageError(
            f"there is no {CONTEST_FILE} in this folder or above it: name the folder of the site "
            "with --to"
        )
    return site_of(found)
