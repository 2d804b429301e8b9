"""`arena logs`: print a run's faults and a bot's stderr output."""

import shlex
from collections.abc import Container, Sequence
from pathlib import Path

import click
import msgspec

from arena.base.record import Entrant, unmarked
from arena.check.fault_groups import FaultGroups, FaultInGame, faults_of
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
from arena.narration.telling import counted
from arena.terminal.bot_output import log_line
from arena.terminal.check_report import say_command
from arena.terminal.console import notice, say, say_unwrapped, terminal
from arena.tournament.bot_logs import LOGS, StoredLine, read_logs
from arena.tournament.database import Database
from arena.tournament.display_names import names_of, with_names
from arena.tournament.finished_boards import find_finished_game, finished_games
from arena.tournament.games_of_bot import games_of_bot, worst_first
from arena.tournament.resuming import path_of_bot
from arena.tournament.store import Store

BEFORE_GAMES = "before its first game"


class LoggedLine(msgspec.Struct, frozen=True):
    """A line that a bot wrote to stderr."""

    game: str | None
    """The game's title. None for output before the first game."""
    key: str
    """The game's key. Empty for output before the first game."""
    seat: int | None
    move: int | None  # None if it was not the bot's turn
    text: str


@click.command("logs")
@game_argument("[RUN|FILE]")
@entrant_option("Print only this bot's faults, along with its stderr output from its worst game.")
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
    """Print a run's faults and a bot's stderr output.

    Similar faults are grouped. For each group, the command prints the first fault, the number of
    similar faults, and a command that reproduces the first fault. With `--all`, every fault is
    reported.

    With `--bot`, also print the bot's stderr output from its worst game. Add `--all` to print
    the output from all games. For Python bots, stderr includes everything that they print. The
    arena keeps up to 16 KiB of stderr per process and game. Pass GAME to print the output from a
    single game. GAME is a game's title, such as "pot-de-vin/3 board 7 rotation 1", or the first
    characters of its key.

    Games on unfinished boards are not shown.
    """
    with open_source(results, game.source) as store, store.snapshot():
        if game.game and bot is None:
            raise click.UsageError(f"got the GAME {game.game!r} without a bot; add `--bot NAME`")
        names = names_of(store)
        bot_id = names.find(bot) if bot else None
        bot_name = names.shown(bot_id) if bot_id else None
        logged = _logged(store, bot_name, game.game) if bot_name else []
        if as_json:
            found = () if game.game else finished_games(store)
            faults = [fault for record, seen in found for fault in faults_of(record, seen)]
            own = [fault for fault in faults if bot_id in (None, fault.bot)]
            say_json({"faults": own, "lines": logged})
            return
        if not game.game:
            _print_faults(store, bot_name, full, command_of_run("debug", game.source, results))
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


def _print_faults(store: Database, bot_name: str | None, full: bool, debug: str) -> None:
    names, causes, count = names_of(store), FaultGroups(), 0
    withdrawn: dict[str, str] = {}
    every: list[FaultInGame] = []
    for record, seen in finished_games(store):
        count += 1
        named = with_names(record, names)
        for fault in named.faults:
            if fault.kind == "withdrawn":
                withdrawn.setdefault(named.entrants[fault.seat], fault.text)
        for fault_in_game in faults_of(named, seen):
            if bot_name in (None, fault_in_game.bot):
                causes.add(fault_in_game)
                if full:
                    every.append(fault_in_game)
    if skipped := store.count() - count:
        notice(f"skipped {counted(skipped, 'game')} on incomplete boards")
    groups = causes.groups()
    if groups:
        faults, bots = sum(group.size for group in groups), {group.bot for group in groups}
        say(
            f"{counted(faults, 'fault')} of {counted(len(bots), 'bot')}, "
            f"with {counted(len(groups), 'cause')}:\n"
        )
    else:
        say(f"{bot_name} had no faults" if bot_name else "no faults")
    is_export = not isinstance(store, Store)
    typed = {names.shown(bot.name): _typed(bot, is_export) for bot in store.settings().entrants}
    sizes = {id(group.first): group for group in groups}
    for each in every or [group.first for group in groups]:
        again = debug.replace("arena debug", f"arena debug {typed[each.bot]}", 1)
        style = CardStyle(full, f"{again} {each.title}", min(terminal().width, WIDTH))
        where = f"in {each.title}, move {each.move}, seat {each.fault.seat}"
        say_unwrapped(card(each.bot, where, each.fault, each.evidence, style))
        if (group := sizes.get(id(each))) and group.size > 1:
            last = f"{group.last.title}, move {group.last.move}"
            say(f"  {'similar':<12}{counted(group.size, 'fault')}, the last in {last}")
        say("")
    for bot, reason in withdrawn.items():
        if bot_name in (None, bot):
            say(f"{bot} was withdrawn from the run: {reason}")


def _typed(bot: Entrant, is_export: bool) -> str:
    if is_registered(bot):
        return shlex.quote(unmarked(bot.name))
    return "BOT" if is_export else shlex.quote(str(path_of_bot(bot)))  # exports have no paths


# -- what a bot wrote ------------------------------------------------------------------------------


def _logged(store: Database, bot_name: str, game: str) -> list[LoggedLine]:
    if not isinstance(store, Store):
        return []
    by_game: dict[str, list[StoredLine]] = {}
    for line in read_logs(store.folder / LOGS, names_of(store).find(bot_name)):
        by_game.setdefault(line.game, []).append(line)
    shown = _titles(store, by_game.keys(), game)
    if not game and (skipped := len(by_game.keys() - shown.keys())):
        notice(f"skipped {counted(skipped, 'game')} on unfinished boards or without effect")
    return [
        LoggedLine(title if key else None, key, line.seat, line.move, line.text)
        for key, title in shown.items()
        for line in by_game.get(key, ())
    ]


def _worst_game(store: Database, bot_name: str, lines: Sequence[LoggedLine]) -> str | None:
    keys = {line.key for line in lines}
    games = games_of_bot(store, names_of(store).find(bot_name))
    logged_games = [game for game in games if game.key in keys]
    return min(logged_games, key=worst_first).key if logged_games else None


def _print_lines(lines: Sequence[LoggedLine], bot_name: str, game: str) -> None:
    title: str | None = ""
    for line in lines:
        if line.game != title:
            title = line.game
            say(f"{title or BEFORE_GAMES}:")
        say(log_line(line.text, line.seat, line.move))
    if not lines:
        say(f"{bot_name} wrote nothing to stderr{' in this game' if game else ''}")


def _titles(store: Store, logged: Container[str], game: str) -> dict[str, str]:
    if game:
        record = find_finished_game(store, game)
        return {record.key: record.title}
    titles = {record.key: record.title for record, _ in finished_games(store)}
    return {"": BEFORE_GAMES} | {key: title for key, title in titles.items() if key in logged}
