"""`arena play`: play against bots in the terminal."""

import random
from pathlib import Path

import click
from rich.text import Text

from arena.base.atomic_file import os_error_as
from arena.base.errors import StoreError
from arena.base.record import Entrant, GameRecord
from arena.check.game_file import FOLDER, number_of, played_files, write_game
from arena.check.trial import one_game
from arena.commands.common import DEFAULT_RESULTS, results_option
from arena.commands.table_options import ChosenTable, table_options
from arena.extras.play.person import KEYS, GameLeft, TerminalPerson
from arena.match.seats import Player, Script
from arena.terminal.console import read_key, terminal

PERSON = "person"


@click.command("play")
@table_options
@click.option("--seat", type=click.IntRange(min=0), help="Your seat. Default: random.")
@click.option("--seed", type=int, help="Seed of the deal. Default: random.")
@results_option
def play_command(table: ChosenTable, seat: int | None, seed: int | None, results: Path) -> None:
    """Play a game against bots in the terminal.

    The finished game is saved, so that you can step through it with `arena replay last`.
    """
    variant = table.variant
    rng = random.Random(seed)
    seat = rng.randrange(variant.seats) if seat is None else seat
    turn = rng.randrange(len(table.against)) if len(table.against) >= variant.seats else 0
    seated = table.seated(Entrant(PERSON, (), "", ""), seat, turn)
    console = terminal()
    person = TerminalPerson(variant, [bot.name for bot in seated], seat, console, read_key)
    players: dict[str, Player] = {bot.name: bot for bot in seated}
    players[PERSON] = Script(person.ask)
    console.print(Text(f"{variant.id}: you are seat {seat}; {KEYS}"))
    try:
        record = person.game.play(one_game(variant, seated, rng), players, table.sandbox)
    except GameLeft:
        console.print("you left the game; it is not saved")
        return
    person.game.end(record, seat, person.words, console)
    path = save_game(record, results)
    where = "" if results == DEFAULT_RESULTS else f" --results {results}"
    console.print(Text(f"saved as {path}; step through it with `arena replay last{where}`"))


def save_game(record: GameRecord, results: Path) -> Path:
    """Save a game record to a new file, and return the file's path.

    Raise `StoreError` if the file can't be written.
    """
    folder = results / FOLDER
    name = record.variant.replace("/", "-")
    with os_error_as(StoreError, f"cannot save the game in {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        number = max([number_of(file) for file in played_files(folder)], default=0) + 1
        while True:
            path = folder / f"{number:04}-{name}.json"
            try:
                write_game(record, path)
                return path
            except FileExistsError:  # used by another game that has just ended
                number += 1
