"""`arena logs`: a run's faults, and what a bot wrote to stderr."""

import shlex
from collections.abc import Container, Sequence
from pathlib import Path

import click
import msgspec

from arena.base.record import Entrant, unmarked
from arena.check.fault_report import WIDTH, CardStyle, card
from arena.commands.common import (
    GameOfRun,
    command_of_run,
    entrant_option,
    full_option,
    game_argument,
    json_option,
    open_source,
    results_option,
    say_json,
)
from arena.contest.entrants import is_registered
from arena.extras.faults.run_faults import RunFaults
from arena.narration.telling import counted
from arena.terminal.bot_output import log_line
from arena.terminal.check_report import say_command
from arena.terminal.console import notice, say, terminal
from arena.tournament.bot_logs import LOGS, StoredLine, read_logs
from arena.tournament.database import Database
from arena.tournament.display_names import names_of
from arena.tournament.finished_boards import find_finished_game, finished_games
from arena.tournament.games_of_bot import games_of_bot, worst_first
from arena.tournament.resuming import path_of_bot
from arena.tournament.store import Store

BEFORE_GAMES = "before its first game"


class LoggedLine(msgspec.Struct, frozen=True):
    """A line that a bot wrote to stderr, with its game and move."""

    game: str | None
    """Title of the game, or None before the first game."""
    key: str
    """Key of the game; may be empty."""
    seat: int | None
    move: int | None
    """Index of the action in the game record, starting at 0. None if it was not the bot's turn."""
    text: str


@click.command("logs")
@game_argument("[RUN|FILE]")
@entrant_option("Print only this bot's faults, and what it wrote to stderr in its worst game.")
@full_option
@json_option
@results_option
def logs_command(
    game: GameOfRun,
    bot: str | None,
    full: bool,
    as_json: bool,
    results: Path,
) -> None:
    """Print a run's faults by cause, and what a bot wrote to stderr.

    The first fault of each cause is reported, with the number of similar faults and a command that
    reproduces the fault. With `--all`, every fault is reported.

    With `--bot`, also print what the bot wrote to stderr in its heaviest defeat, or in all games
    with `--all`. For Python bots, stderr includes everything that they print. The arena keeps up
    to 16 KiB of stderr per process and game. If GAME is given, print only the lines from this
    game. GAME is a title such as "pot-de-vin/3 board 7 rotation 1" or the first characters of a
    game's key.

    Games on unfinished boards are not shown.
    """
    with open_source(results, game.source) as store, store.snapshot():
        if game.game and bot is None:
            raise click.UsageError(f"got the GAME {game.game!r} without a bot; add `--bot NAME`")
        names = names_of(store)
        bot_name = names.shown(names.find(bot)) if bot else None
        faulty = RunFaults(store, bot_name)
        logged = _logged(store, bot_name, game.game) if bot_name else []
        if as_json:
            faults = [] if game.game else list(faulty.faults())
            say_json({"faults": faults, "lines": logged})
            return
        if not game.game:
            _print_faults(store, faulty, (bot_name, full), (game.source, results))
        if not bot_name:
            return
        worst = None if full or game.game else _worst_game(store, bot_name, logged)
        lines = [line for line in logged if worst in (None, line.key)]
        _print_lines(lines, bot_name, game.game)
        if len(lines) < len(logged):
            rest = counted(len(logged) - len(lines), "line")
            again = command_of_run("logs", game.source, results)
            say_command(
                f"this is its heaviest defeat; for {rest} from other games:",
                f"{again} --bot {shlex.quote(bot_name)} --all",
            )


def _print_faults(
    store: Database,
    faulty: RunFaults,
    chosen: tuple[str | None, bool],
    run: tuple[str, Path],
) -> None:
    bot_name, full = chosen
    if left_out := store.count() - faulty.asides.games:
        notice(f"left out: {counted(left_out, 'game')} on incomplete boards")
    groups = faulty.causes.groups(bot_name)
    if not groups:
        say(f"no faults of {bot_name}" if bot_name else "no faults")
    else:
        faults, bots = sum(group.size for group in groups), {group.bot for group in groups}
        say(
            f"{counted(faults, 'fault')} of {counted(len(bots), 'bot')}, "
            f"with {counted(len(groups), 'cause')}:\n"
        )
    entrants = {faulty.names.shown(bot.name): bot for bot in store.settings().entrants}
    command = ["arena", "debug", "", *command_of_run("debug", *run).split()[2:]]
    for fault in faulty.faults() if full else [group.first for group in groups]:
        command[2] = _typed(entrants[fault.bot])
        style = CardStyle(full, " ".join([*command, fault.title]), min(terminal().width, WIDTH))
        where = f"in {fault.title}, move {fault.move}, seat {fault.fault.seat}"
        say(card(fault.bot, where, fault.fault, fault.evidence, style))
        for group in groups:
            if group.first is fault and group.size > 1:
                last = f"{group.last.title}, move {group.last.move}"
                say(f"  {'like this':<12}{counted(group.size, 'fault')}, the last in {last}")
        say("")
    for line in faulty.asides.lines():
        say(line)


def _typed(bot: Entrant) -> str:
    return shlex.quote(unmarked(bot.name) if is_registered(bot) else str(path_of_bot(bot)))


# -- what a bot wrote ------------------------------------------------------------------------------


def _logged(store: Database, bot_name: str, game: str) -> list[LoggedLine]:
    if not isinstance(store, Store):
        return []
    by_game: dict[str, list[StoredLine]] = {}
    for line in read_logs(store.folder / LOGS, names_of(store).find(bot_name)):
        by_game.setdefault(line.game, []).append(line)
    shown = _titles(store, by_game.keys(), game)
    if not game and (left_out := len(by_game.keys() - shown.keys())):
        notice(f"left out: {counted(left_out, 'game')} on open boards or without effect")
    return [
        LoggedLine(title if key else None, key, line.seat, line.move, line.text)
        for key, title in shown.items()
        for line in by_game.get(key, ())
    ]


def _worst_game(store: Database, bot_name: str, lines: Sequence[LoggedLine]) -> str | None:
    keys = {line.key for line in lines}
    games = games_of_bot(store, names_of(store).find(bot_name))
    found = [game for game in games if game.key in keys]
    return min(found, key=worst_first).key if found else None


def _print_lines(lines: Sequence[LoggedLine], bot_name: str, game: str) -> None:
    title: str | None = ""
    for line in lines:
        if line.game != title:
            title = line.game
            say(f"{title or BEFORE_GAMES}:")
        say(log_line(line.text, line.seat, line.move))
    if not lines:
        say(f"{bot_name} has written nothing to stderr{' in this game' if game else ''}")


def _titles(store: Store, logged: Container[str], game: str) -> dict[str, str]:
    if game:
        record = find_finished_game(store, game)
        return {record.key: record.title}
    titles = {record.key: record.title for record, _ in finished_games(store)}
    return {"": BEFORE_GAMES} | {key: title for key, title in titles.items() if key in logged}
