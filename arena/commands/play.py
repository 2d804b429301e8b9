"""`arena play`: a game of a person in the terminal against bots."""

import random
from pathlib import Path

import click
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from arena.check.game_file import save_game
from arena.check.trial import one_game, opponents_on
from arena.commands.common import (
    DEFAULT_RESULTS,
    results_option,
)
from arena.commands.table_options import ChosenTable, table_options
from arena.match.seats import Person, Player
from arena.record import Entrant, GameRecord
from arena.terminal.console import read_key, terminal
from arena.terminal.drawing import draw
from arena.terminal.person import KEYS, GameLeft, TerminalPerson
from arena.terminal.recorded_game import Replay
from arena.terminal.watched_game import print_ending

PERSON = "person"
"""The name of the person in the saved game."""


@click.command("play")
@table_options
@click.option("--seat", type=click.IntRange(min=0), help="Your seat. Default: random.")
@click.option("--seed", type=int, help="Seed of the deal. Default: random.")
@results_option
def play_command(table: ChosenTable, seat: int | None, seed: int | None, results: Path) -> None:
    """Play a game against bots in the terminal.

    The game is saved when it is over: `arena replay last` steps through it.
    """
    variant = table.variant
    rng = random.Random(seed)
    if seat is None:
        seat = rng.randrange(variant.seats)
    elif seat >= variant.seats:
        raise click.BadParameter(f"got {seat}, expected 0 to {variant.seats - 1}")
    own, *others = table.seat(Entrant(PERSON, (), "", ""), introduced=True)
    turn = rng.randrange(len(table.against)) if len(table.against) >= variant.seats else 0
    others = opponents_on(turn, [own, *others], variant)
    seated = [*others[:seat], own, *others[seat:]]
    console = terminal()
    person = TerminalPerson(variant, [bot.name for bot in seated], seat, console, read_key)
    players: dict[str, Player] = {other.name: other for other in others}
    players[PERSON] = Person(person.ask)
    console.print(Text(f"{variant.id}: you are seat {seat}; {KEYS}"))
    try:
        record = person.game.play(one_game(variant, seated, rng), players, table.sandbox)
    except GameLeft:
        console.print("you left the game; it is not saved")
        return
    _end(record, seat, person, console)
    path = save_game(record, results)
    where = "" if results == DEFAULT_RESULTS else f" --results {results}"
    console.print(Text(f"saved as {path}; step through it: arena replay last{where}"))


def _end(record: GameRecord, seat: int, person: TerminalPerson, console: Console) -> None:
    """Show the last moves, the final table and the result."""
    replay = Replay(record)
    replay.go(replay.moves)
    state = replay.state
    console.print(Rule("the end", style="dim", align="left"))
    person.game.tell(state.events(seat, len(person.game.events)), person.words, console)
    console.print(draw(state, person.names, None))
    print_ending(record, state, person.names, person.words, console)
