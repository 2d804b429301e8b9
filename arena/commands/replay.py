"""`arena replay`: list recorded games or step through one of them."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from arena.base.atomic_file import os_error_as
from arena.base.errors import StoreError
from arena.base.record import GameRecord
from arena.check.game_file import find_game_file, read_game, write_game
from arena.commands.common import (
    GameOfRun,
    command_of_run,
    entrant_option,
    game_argument,
    json_option,
    open_source,
    results_option,
    say_json,
    variant_option,
)
from arena.narration.telling import counted
from arena.terminal.console import notice, say, terminal
from arena.terminal.recorded_game import Replay
from arena.terminal.replay_screen import ReplayScreen, print_game, typed_keys
from arena.terminal.text_table import Column, print_table
from arena.tournament.display_names import names_of, with_names
from arena.tournament.finished_boards import find_finished_game, find_game
from arena.tournament.games_of_bot import GameFilter, GameOfBot, games_of_bot, worst_first
from arena.tournament.standings import games_not_shown
from engine import get_variant

KEY_LETTERS = 8
"""Number of characters to show of each game's key in a list of games."""


@click.command("replay")
@game_argument("[RUN|FILE|last]")
@click.option(
    "--seat", type=click.IntRange(min=0), help="Show only what this seat knows. Default: all."
)
@entrant_option("Games of this bot.")
@click.option("--list", "lists", is_flag=True, help="List the games of --bot, worst first.")
@click.option("--limit", type=click.IntRange(1), default=20, help="Maximum length of the list.")
@click.option("--worst", is_flag=True, help="Show the heaviest defeat of --bot.")
@click.option("--lost", is_flag=True, help="Only games that --bot lost.")
@variant_option("", "Only games in this variant.")
@click.option(
    "--save", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.json",
    help="Write the game to a file, which `arena replay FILE` can show without the run.",
)  # fmt: skip
@json_option
@results_option
def replay_command(
    game: GameOfRun,
    seat: int | None,
    bot: str | None,
    lists: bool,
    limit: int,
    worst: bool,
    lost: bool,
    variant_id: str,
    save: Path | None,
    as_json: bool,
    results: Path,
) -> None:
    """Step through a recorded game, or list a bot's games.

    GAME is the title of a game, such as `pot-de-vin/3 board 12 rotation 0`, or a prefix of its
    key. FILE is a game saved by `arena play`. Use `last` to replay the game you played last. If
    the output isn't a terminal, the whole game is printed. `arena replay RUN --list --bot NAME`
    lists the games of a bot, with its heaviest defeats first.
    """
    if bot is not None:
        with open_source(results, game.source) as store:
            names = names_of(store)
            wanted = GameFilter(names.find(bot), variant_id, lost)
            found = list(games_of_bot(store, wanted))
            if others := games_not_shown(store):
                notice(f"left out: {counted(others, 'game')} on incomplete boards")
        if as_json:
            say_json(sorted(found, key=worst_first) if worst else found)
            return
        if not found:
            raise StoreError(f"no game of {bot} in {game.source} matches these options")
        if not worst:
            command = command_of_run("replay", game.source, results)
            _print_games(sorted(found, key=worst_first), limit, command)
            return
        game = GameOfRun(game.source, min(found, key=worst_first).key)
    elif lists or worst or lost or variant_id or as_json:
        raise click.UsageError("options that select games need --bot")
    record = recorded_game(game, results)
    if save is not None:
        with os_error_as(StoreError, f"cannot write {save}"):
            write_game(record, save)
        say(f"{save}: {record.title}; show it with `arena replay {save}`")
        return
    if seat is not None and seat >= len(record.entrants):
        raise click.BadParameter(f"got {seat}, expected 0 to {len(record.entrants) - 1}")
    if sys.stdin.isatty() and sys.stdout.isatty():
        ReplayScreen(Replay(record), seat, terminal()).run(typed_keys())
    else:
        print_game(Replay(record), seat, terminal())


def _place(game: GameOfBot) -> str:
    teams = " teams" if get_variant(game.variant).teams else ""
    return f"{game.place} of {game.sides}{teams}"


def _print_games(games: Sequence[GameOfBot], limit: int, command: str) -> None:
    shown = games[:limit]
    print_table(
        [
            Column("place", [_place(game) for game in shown]),
            Column("points", [str(game.points) for game in shown], 2),
            Column("margin", [f"{game.margin:+}" for game in shown], 1),
            Column("faults", [", ".join(game.faults) or "-" for game in shown], 1, "word"),
            Column("against", [", ".join(game.against) for game in shown], 3, "word"),
            Column("game", [game.title for game in shown], 4, "word"),
            Column("key", [game.key[:KEY_LETTERS] for game in shown]),
        ]
    )
    more = f"; `--limit {len(games)}` lists all {len(games)} games" if len(games) > limit else ""
    say(f"to see one: `{command} KEY`{more}")


def recorded_game(game: GameOfRun, results: Path) -> GameRecord:
    """Return the record of a game from a run or of a game that a person played.

    Raises:
        UsageError: a run was given without a game.
    """
    if (path := find_game_file(results, game.source)) is not None:
        record = read_game(path)
        return find_game([record], game.game) if game.game else record
    name = game.named()
    with open_source(results, game.source) as store:
        return with_names(find_finished_game(store, name), names_of(store))
