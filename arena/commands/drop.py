"""`arena drop`: the removal of a bot from a run."""

from pathlib import Path

import click

from arena.commands.common import BotOfRun, bot_argument, open_run, results_option
from arena.contest.run_roster import Names
from arena.errors import SettingsError
from arena.terminal.console import say
from arena.tournament.drop import drop
from arena.tournament.run_names import names_of
from arena.tournament.settings import Settings
from arena.tournament.store import Store


@click.command("drop")
@bot_argument("[RUN] BOT")
@click.option("--undo", is_flag=True, help="Let the bot back in, with the games it has played.")
@results_option
def drop_command(named: BotOfRun, undo: bool, results: Path) -> None:
    """Remove a bot from a run, with its games only.

    BOT is its id or name. Games without it stay as they are, and so do their deals. The bot is in
    no table, page or export any more; its games are kept in the database, aside. The digest of the
    run changes.
    """
    bot = named.bot
    with open_run(results, named.run) as found:
        folder = found.folder
    with Store.own(folder) as store:
        settings, names = store.settings(Settings), names_of(store)
        chosen = names.id_of(bot)
        if undo and chosen not in settings.dropped_bots:
            raise SettingsError(f"{bot} has not left the run {store.name}: got --undo for it")
        others = settings.dropped_bots - {chosen}
        left = drop(store, others if undo else others | {chosen})
        say(_text(names, chosen, undo, left.now, left.before))
        if not left.is_complete:
            say("games are missing now: the command of the run plays them")


def _text(names: Names, bot: str, undo: bool, now: int, before: int) -> str:
    what = "is in the run again" if undo else "has left the run"
    return f"{names.shown(bot)} {what}: {now} games count, formerly {before}"
