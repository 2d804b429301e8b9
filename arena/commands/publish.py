"""`arena publish`: the web site of a run."""

from pathlib import Path

import click

from arena.check.game_file import find_game_file, read_game
from arena.commands.common import open_source, results_option
from arena.errors import SettingsError
from arena.publish.choice import DEFAULT_SAMPLE, read_choice
from arena.publish.layout import INDEX
from arena.schedule.chance import Secret
from arena.terminal.console import notice, say
from arena.tournament.database import Database
from arena.tournament.games import games_to_play
from arena.tournament.settings import Settings
from arena.tournament.standings import is_complete
from arena.tournament.store import Store


@click.command("publish")
@click.argument("source", metavar="RUN|FILE|last")
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
@click.option(
    "--with-secret",
    is_flag=True,
    help="Publish the secret as well, so that everybody can check all deals. The contest must be "
    "over: anybody who has the secret knows the deals of all games that it may still get.",
)
@results_option
def publish_command(
    source: str, folder: Path, games: str, with_secret: bool, results: Path
) -> None:
    """Write a run, or a game that you played, as a web site.

    The site works from its folder and from any web server, and loads nothing from other hosts. A
    run can be published while it is under way. `last` is the game that you played last, and FILE
    may be one that `arena play` has saved.
    """
    if (path := find_game_file(results, source)) is not None:
        from arena.publish.played_game import publish_game

        record = read_game(path)
        publish_game(record, path, folder)
        say(f"{folder / INDEX}: the replay of {path}")
        return
    from arena.publish.build import publish  # imported here so that other commands start faster

    choice = read_choice(games)
    with open_source(results, source) as store:
        secret = _published_secret(store) if with_secret else None
        published = publish(store, folder, choice, notice, secret)
    say(
        f"{folder / INDEX}: {published.bots} bots, {published.games} games, "
        f"{published.replays} of them with replays"
    )


def _published_secret(store: Database) -> Secret:
    """Return the secret of a run that is over; raises `SettingsError` if it is not."""
    if not isinstance(store, Store):
        raise SettingsError(
            f"{store.name} is an exported file, which does not hold the secret of its run: name "
            "the run instead, or leave out --with-secret"
        )
    settings = store.settings(Settings)
    if settings.secret is None:
        raise SettingsError(
            f"the run {store.name} has no secret: its deals follow from a seed, which the "
            "site shows; leave out --with-secret"
        )
    if not is_complete(store):
        raise SettingsError(
            f"{store.count()} of {games_to_play(settings)} of the run {store.name} are "
            "played: publish the secret when all are, since bots could use it in the others"
        )
    secret = store.secret(settings.secret)
    assert secret, "the settings expect one"
    return secret
