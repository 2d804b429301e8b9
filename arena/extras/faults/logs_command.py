"""`arena logs`: what a bot wrote to stderr in a run."""

from collections.abc import Container, Sequence
from pathlib import Path

import click
import msgspec

from arena.commands.common import (
    complete_entrants,
    json_option,
    left_out_run,
    open_run,
    results_option,
    say_json,
)
from arena.commands.completion import Items, complete_sources
from arena.terminal.bot_output import log_line
from arena.terminal.console import notice, say
from arena.tournament.bot_logs import LOGS, StoredLine, read_logs
from arena.tournament.display_names import names_of
from arena.tournament.finished_boards import find_finished_game, finished_games
from arena.tournament.store import Store

BEFORE_GAMES = "before its first game"


class LoggedLine(msgspec.Struct, frozen=True):
    """A line of a bot, as JSON lists it."""

    game: str | None
    """The title of the game; None before the first game of the process."""
    key: str
    """The key of the game, or empty."""
    seat: int | None
    move: int | None
    """The number of the action in the record, from 0; None if it was not the bot's turn."""
    text: str


def complete_bots_of_runs(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> Items:
    """Return the runs and files where one is still to be named, and bots of the run."""
    named = context.params.get("named")
    sources = [] if named else complete_sources(context, parameter, incomplete)
    return [*sources, *complete_entrants(context, parameter, incomplete)]


@click.command("logs")
@click.argument(
    "named",
    metavar="BOT | RUN BOT [GAME]",
    nargs=-1,
    required=True,
    shell_complete=complete_bots_of_runs,
)
@json_option
@results_option
@click.pass_context
def logs_command(
    context: click.Context, named: Sequence[str], as_json: bool, results: Path
) -> None:
    """Print what a bot wrote to stderr in a run.

    One word is a BOT of the latest run. GAME is a title, such as "pot-de-vin/3 board 7 rotation 1",
    or the start of a key. Python bots write to stderr what they print. 16 KiB are
    kept of a process in one game. Of a run under way, only games of boards that are over are
    printed.
    """
    run, word, *rest = named if len(named) > 1 else (left_out_run(context), *named)
    game = " ".join(rest)
    with open_run(results, run) as store, store.snapshot():
        names = names_of(store)
        bot = names.find(word)
        by_game: dict[str, list[StoredLine]] = {}
        for line in read_logs(store.folder / LOGS, bot):
            by_game.setdefault(line.game, []).append(line)
        shown = _titles(store, by_game.keys(), game)
    if as_json:
        say_json(
            [
                LoggedLine(title if key else None, key, line.seat, line.move, line.text)
                for key, title in shown.items()
                for line in by_game.get(key, ())
            ]
        )
        return
    for key, title in shown.items():
        if key in by_game:
            say(f"{title}:")
            for line in by_game[key]:
                say(log_line(line.text, line.seat, line.move))
    if not any(key in by_game for key in shown):
        in_game = " in this game" if game else ""
        say(f"{names.shown(bot)} has written nothing to stderr{in_game}")
    if not game and (left_out := len(by_game.keys() - shown.keys())):
        notice(f"{left_out} games are left out: their boards are not over, or they do not count")


def _titles(store: Store, logged: Container[str], game: str) -> dict[str, str]:
    """Return the title by key of the game, or of all games with a log."""
    if game:
        record = find_finished_game(store, game)
        return {record.key: record.title}
    titles = {record.key: record.title for record, _ in finished_games(store)}
    return {"": BEFORE_GAMES} | {key: title for key, title in titles.items() if key in logged}
