"""`arena logs`: what a bot wrote to stderr in a run."""

from pathlib import Path

import click

from arena.commands.common import (
    BotOfRun,
    bot_argument,
    find_finished_game,
    open_run,
    results_option,
)
from arena.errors import SettingsError
from arena.terminal.bot_output import log_line
from arena.terminal.console import notice, say
from arena.tournament.bot_logs import LOGS, StoredLine, read_logs
from arena.tournament.finished_boards import board_of, finished
from arena.tournament.run_names import names_of
from arena.tournament.settings import Settings
from engine.errors import unknown


@click.command()
@bot_argument("[RUN] BOT [GAME]")
@results_option
def logs(named: BotOfRun, results: Path) -> None:
    """Print what a bot wrote to stderr in a run, game by game.

    GAME is a title, such as "pot-de-vin/3 board 7 rotation 1", or the start of a key. Python bots
    write to stderr what they print. Long logs are cut: see the docs for how much is kept. Of a run
    under way, only games of boards that are over are printed.
    """
    with open_run(results, named.run) as store, store.snapshot():
        settings, game = store.settings(Settings), named.game
        bot = names_of(store).id_of(named.bot)
        names = [one.name for one in settings.entrants]
        if bot not in names:
            raise SettingsError(unknown("bot of the run", named.bot, names))
        by_game: dict[str, list[StoredLine]] = {}
        for line in read_logs(store.folder / LOGS, bot):
            by_game.setdefault(line.game, []).append(line)
        if game is None:
            records = finished(store.records(), board_of, settings.boards_per_deal)
            shown = {one.key: one.title for one in records if one.key in by_game}
        else:
            record = find_finished_game(store, game)
            shown = {record.key: record.title}
    for key, title in {"": "before its first game", **shown}.items():
        if key in by_game and not (game and not key):
            say(f"{title}:")
            for line in by_game[key]:
                say(log_line(line.text, line.seat, line.move))
    if not any(key in by_game for key in shown):
        say(f"{named.bot} has written nothing to stderr" + (" in this game" if game else ""))
    if game is None and (left_out := len(by_game.keys() - shown.keys() - {""})):
        notice(f"{left_out} games are left out: their boards are not over, or they do not count")
