"""`arena replay` and `arena rerun`: a recorded game, step by step, and played again."""

from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from arena.check.game_file import find_game_file, read_game
from arena.check.replay import Replay
from arena.check.rerun import find_game, first_difference, play_again
from arena.check.sandbox_probe import choose, hold
from arena.commands.common import (
    GameOfRun,
    game_argument,
    level_option,
    open_run,
    open_source,
    results_option,
)
from arena.commands.setting_options import interpreters_option
from arena.contest.entrants import find_again
from arena.contest.packages import equip_again
from arena.errors import ArenaError, StoreError
from arena.record import GameRecord
from arena.terminal.console import notice, read_key, say, terminal
from arena.terminal.drawing import draw
from arena.tournament.finished_boards import find_finished_game
from arena.tournament.run_names import names_of, with_names
from arena.tournament.runs import is_file
from arena.tournament.settings import Settings

KEYS = (
    "Enter: next, b: back, a number: go to that move, f: next fault, s: start, e: end, "
    "?: these keys, q: quit"
)


@click.command("replay")
@game_argument("[RUN|FILE|last]")
@click.option(
    "--seat", type=click.IntRange(min=0), help="Show what this seat sees. Default: all hands."
)
@results_option
def replay_command(game: GameOfRun, seat: int | None, results: Path) -> None:
    """Step through a game of a run, or through one of yours.

    GAME is the title of the game, as `pot-de-vin/3 board 12 rotation 0`, or the start of its key.
    Without it, `last` is the game that you played last, and FILE one that `arena play` has saved.
    """
    record = _record(game.source, game.game, results)
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
        return with_names(find_finished_game(store, game), names_of(store))


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


@click.command("rerun")
@game_argument("[RUN]")
@level_option("run")
@interpreters_option
@results_option
def rerun_command(
    game: GameOfRun,
    level: str | None,
    interpreters: tuple[str, ...],
    results: Path,
) -> None:
    """Play a game of a run again, and show the first difference.

    The bots play with their current code. GAME is the title of the game, as
    `pot-de-vin/3 board 12 rotation 0`, or the start of its key.
    """
    if is_file(game.source):
        raise StoreError(
            f"{game.source} is a file, and an exported file does not say where the bots of its run "
            "are: name the run instead"
        )
    with open_run(results, game.source) as store:
        settings = store.settings(Settings)
        record = find_finished_game(store, game.game)
        names = names_of(store)
    before = [bot for bot in settings.entrants if bot.name in record.entrants]
    now = [equip_again(find_again(bot, interpreters), bot) for bot in before]
    for old, new in zip(before, now, strict=True):
        if old.fingerprint != new.fingerprint:
            notice(f"the code of {names.shown(old.name)} has changed since the run")
    sandbox = settings.sandbox
    sandbox = choose(level, sandbox.bounds, sandbox.readable, notice) if level else hold(sandbox)
    again = play_again(record, {bot.name: bot for bot in now}, settings.limits, sandbox)
    if difference := first_difference(with_names(record, names), again):
        raise ArenaError(f"{record.title} differs from its record: {difference}")
    say(f"{record.title}: the bots play the same {len(again.actions)} moves")
