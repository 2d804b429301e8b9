"""`arena play`: a game of a person in the terminal against bots."""

import random
from pathlib import Path

import click
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from arena.check.game_file import save_game
from arena.check.sandbox_probe import choose
from arena.check.trial import one_game, opponents_on, seat_opponents
from arena.commands.common import (
    DEFAULT_RESULTS,
    against_option,
    results_option,
    variant_option,
)
from arena.commands.completion import complete_games
from arena.commands.setting_options import interpreters_option, sandbox_option
from arena.contest.entrants import find_entrants, introduce
from arena.contest.settings import chosen_variants
from arena.contracts import Bounds
from arena.errors import SettingsError
from arena.match.seats import Person, Player
from arena.protocol import Limits
from arena.record import Entrant, GameRecord
from arena.terminal.console import notice, read_key, terminal
from arena.terminal.drawing import draw
from arena.terminal.person import KEYS, GameLeft, TerminalPerson
from arena.terminal.recorded_game import Replay
from arena.terminal.watched_game import print_ending
from engine import Variant, get_variant

PERSON = "person"
"""The name of the person in the saved game."""
DEFAULT_VARIANT = "pot-de-vin/3"


@click.command("play")
@variant_option(None, help=f"The variant. Default: {DEFAULT_VARIANT}.")
@click.option(
    "--game",
    metavar="GAME",
    shell_complete=complete_games,
    help="The game, in its first variant for so many bots.",
)
@against_option
@click.option("--seat", type=click.IntRange(min=0), help="Your seat. Default: random.")
@click.option("--seed", type=int, help="Seed of the deal. Default: random.")
@sandbox_option
@interpreters_option
@results_option
def play_command(
    variant_id: str | None,
    game: str | None,
    against: str,
    seat: int | None,
    seed: int | None,
    level: str,
    interpreters: tuple[str, ...],
    results: Path,
) -> None:
    """Play a game against bots in the terminal.

    The game is saved when it is over: `arena replay last` steps through it.
    """
    opponents = against.split(",")
    variant = _variant(variant_id, game, len(opponents))
    rng = random.Random(seed)
    if seat is None:
        seat = rng.randrange(variant.seats)
    elif seat >= variant.seats:
        raise click.BadParameter(f"got {seat}, expected 0 to {variant.seats - 1}")
    sandbox = choose(level, Bounds(), (), notice)
    own = Entrant(PERSON, (), "", "")
    found = introduce(find_entrants(opponents, interpreters), Limits(), sandbox)
    turn = rng.randrange(len(found)) if len(found) >= variant.seats else 0
    others = opponents_on(turn, seat_opponents(own, found, variant), variant)
    seated = [*others[:seat], own, *others[seat:]]
    console = terminal()
    person = TerminalPerson(variant, [bot.name for bot in seated], seat, console, read_key)
    players: dict[str, Player] = {other.name: other for other in others}
    players[PERSON] = Person(person.ask)
    console.print(Text(f"{variant.id}: you are seat {seat}; {KEYS}"))
    try:
        record = person.game.play(one_game(variant, seated, rng), players, sandbox)
    except GameLeft:
        console.print("you left the game; it is not saved")
        return
    _end(record, seat, person, console)
    path = save_game(record, results)
    where = "" if results == DEFAULT_RESULTS else f" --results {results}"
    console.print(Text(f"saved as {path}; step through it: arena replay last{where}"))


def _variant(variant_id: str | None, game: str | None, opponents: int) -> Variant:
    """Return the variant that is wanted.

    Raises:
        SettingsError: there is no such game, or the variant is not one of it.
    """
    if variant_id is not None or game is None:
        variant = get_variant(variant_id or DEFAULT_VARIANT)
        if game not in (None, variant.game):
            raise SettingsError(
                f"got --variant {variant.id} and --game {game}: expected a variant of {game}; "
                "leave out one of the two"
            )
        return variant
    found = list(map(get_variant, chosen_variants((), [game])))
    return next((variant for variant in found if variant.seats == opponents + 1), found[0])


def _end(record: GameRecord, seat: int, person: TerminalPerson, console: Console) -> None:
    """Show the last moves, the final table and the result."""
    replay = Replay(record)
    replay.go(replay.moves)
    state = replay.state
    console.print(Rule("the end", style="dim", align="left"))
    person.tell(state.events(seat, 0))
    console.print(draw(state, person.names, None))
    print_ending(record, state, person.names, person.words, console)
