"""`arena replay`: list recorded games or show one of them."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from arena.base.errors import StoreError
from arena.base.record import GameRecord
from arena.check.game_file import find_game_file, read_game
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
from arena.terminal.recorded_game import print_game
from arena.terminal.text_table import Column, print_table
from arena.tournament.display_names import names_of, with_names
from arena.tournament.finished_boards import find_finished_game, find_game
from arena.tournament.games_of_bot import GameOfBot, games_of_bot, worst_first
from arena.tournament.standings import games_not_shown

MAX_LISTED = 20
KEY_LETTERS = 8


@click.command("replay")
@game_argument("[RUN|FILE|last]")
@click.option(
    "--seat", type=click.IntRange(min=0), help="Show only what this seat knows. Default: all."
)
@entrant_option("List the games of this bot, worst first.")
@click.option("--worst", is_flag=True, help="Show the worst game of --bot.")
@variant_option("", "Only games in this variant.")
@json_option
@results_option
def replay_command(
    game: GameOfRun,
    seat: int | None,
    bot: str | None,
    worst: bool,
    variant_id: str,
    as_json: bool,
    results: Path,
) -> None:
    """Show a recorded game, or list a bot's games.

    Identify GAME by variant, board and rotation, such as `pot-de-vin/3 board 12 rotation 0`, or by
    the first characters of its key. FILE is a game saved by `arena play`. Use `last` to replay the
    game you played last. In a terminal, the game is shown in a pager such as `less`, and the table
    is drawn after every move. To list the games of a bot, worst results first, use
    `arena replay RUN --bot NAME`.
    """
    if bot is not None:
        with open_source(results, game.source) as store:
            names = names_of(store)
            games = sorted(games_of_bot(store, names.find(bot), variant_id), key=worst_first)
            if others := games_not_shown(store):
                notice(f"skipped {counted(others, 'game')} on incomplete boards")
        if as_json:
            say_json(games)
            return
        if not games:
            raise StoreError(f"no game of {bot} in {game.source} matches these options")
        if not worst:
            _print_games(games, command_of_run("replay", game.source, results))
            return
        game = GameOfRun(game.source, games[0].key)
    elif worst or variant_id or as_json:
        raise click.UsageError("options that select games need --bot")
    record = recorded_game(game, results)
    if seat is not None and seat >= len(record.entrants):
        raise click.BadParameter(f"got {seat}, expected 0 to {len(record.entrants) - 1}")
    if sys.stdin.isatty() and sys.stdout.isatty():
        console = terminal()
        with console.capture() as captured:
            print_game(record, seat, console, draws_moves=True)
        click.echo_via_pager(captured.get(), color=True)
    else:
        print_game(record, seat, terminal())


def _print_games(games: Sequence[GameOfBot], command: str) -> None:
    shown = games[:MAX_LISTED]
    print_table(
        [
            Column("key", [game.key[:KEY_LETTERS] for game in shown], kind="word"),
            Column("place", [f"{game.place} of {game.sides}" for game in shown]),
            Column("margin", [f"{game.margin:+}" for game in shown]),
            Column("points", [str(game.points) for game in shown], 2),
            Column("faults", [", ".join(game.faults) or "-" for game in shown], kind="text"),
            Column("variant", [game.variant for game in shown], 1, "word"),
            Column("board", [_board(game) for game in shown], 3, "word"),
            Column("against", [", ".join(game.against) for game in shown], kind="text"),
        ]
    )
    more = f"; `--json` lists all {len(games)} games" if len(games) > MAX_LISTED else ""
    say(f"to show a game: `{command} KEY`{more}")


def _board(game: GameOfBot) -> str:
    return game.title.removeprefix(f"{game.variant} board ")


def recorded_game(game: GameOfRun, results: Path) -> GameRecord:
    """Load a recorded game from a run or from a file.

    Raises:
        UsageError: The name of a run was given without a game.
    """
    if (path := find_game_file(results, game.source)) is not None:
        record = read_game(path)
        return find_game([record], game.game) if game.game else record
    with open_source(results, game.source) as store:
        return with_names(find_finished_game(store, game.named()), names_of(store))
