"""`arena replay`: the moves of a recorded game, step by step."""

from collections.abc import Callable, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from arena.check.game_file import find_game_file, read_game
from arena.check.replay import Replay
from arena.check.rerun import find_game
from arena.commands.common import find_finished_game, open_source, results_option
from arena.record import GameRecord
from arena.terminal.console import read_key, terminal
from arena.terminal.drawing import draw

KEYS = (
    "Enter: next, b: back, a number: go to that move, f: next fault, s: start, e: end, "
    "?: these keys, q: quit"
)


@click.command("replay")
@click.argument("source", metavar="RUN|FILE|last")
@click.argument("words", metavar="[GAME]", nargs=-1)
@click.option(
    "--seat", type=click.IntRange(min=0), help="Show what this seat sees. Default: all hands."
)
@results_option
def replay(source: str, words: Sequence[str], seat: int | None, results: Path) -> None:
    """Step through a game of a run, or through one of yours.

    GAME is the title of the game, as `pot-de-vin/3 board 12 rotation 0`, or the start of its key.
    Without it, `last` is the game that you played last, and FILE one that `arena play` has saved.
    """
    record = _record(source, " ".join(words), results)
    if seat is not None and seat >= len(record.entrants):
        raise click.BadParameter(f"got {seat}, expected 0 to {len(record.entrants) - 1}")
    step_through(Replay(record), seat, terminal(), read_key)


def _record(source: str, game: str, results: Path) -> GameRecord:
    """Return the record of a game of a run, or of one that a person played.

    Raises:
        UsageError: the game of a run is not named.
    """
    if (path := find_game_file(results, source)) is not None:
        record = read_game(path)
        return find_game([record], game) if game else record
    if not game:
        raise click.UsageError(
            f"got no GAME of {source}: expected its title, as 'pot-de-vin/3 board 12 rotation 0', "
            "or the start of its key"
        )
    with open_source(results, source) as store:
        return find_finished_game(store, game)


def step_through(
    replay: Replay, seat: int | None, console: Console, read: Callable[[], str | None]
) -> None:
    """Show a game move by move, as the keys returned by `read` say, until `q` or None."""
    console.print(Text(KEYS, "dim"))
    _show(replay, seat, console)
    while (key := read()) not in (None, "q"):
        assert key is not None
        if key in ("", "n"):
            replay.go(replay.move + 1)
        elif key == "b":
            replay.go(replay.move - 1)
        elif key == "s":
            replay.go(0)
        elif key == "e":
            replay.go(replay.moves)
        elif key == "f":
            if not replay.go_to_fault():
                console.print("no fault after this move")
                continue
        elif key == "?":
            console.print(Text(KEYS))
            continue
        elif key.isdecimal():
            replay.go(int(key))
        else:
            console.print(Text(f"got {key!r}, expected {KEYS}"))
            continue
        _show(replay, seat, console)


def _show(replay: Replay, seat: int | None, console: Console) -> None:
    console.print(Rule(style="dim"))
    for line in replay.told(seat):
        console.print(Text(line))
    console.print(draw(replay.state, replay.names, seat))
