"""`arena rerun`: a game of a run, played again with the current bots."""

from pathlib import Path

import click

from arena.check.rerun import first_difference, play_again
from arena.check.sandbox_probe import choose, hold
from arena.commands.common import (
    GameOfRun,
    find_finished_game,
    game_argument,
    interpreters_option,
    is_file,
    open_run,
    results_option,
)
from arena.contest.entrants import find_again
from arena.contest.packages import equip_again
from arena.errors import ArenaError, StoreError
from arena.terminal.console import notice, say
from arena.tournament.run_names import named_record, names_of
from arena.tournament.settings import Settings


@click.command("rerun")
@game_argument("[RUN]")
@click.option(
    "--sandbox",
    "level",
    metavar="none|limits|isolated|auto",
    help="The sandbox of the bots. Default: that of the run.",
)
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
    before = [one for one in settings.entrants if one.name in record.entrants]
    now = [equip_again(find_again(one, interpreters), one) for one in before]
    for old, new in zip(before, now, strict=True):
        if old.fingerprint != new.fingerprint:
            notice(f"the code of {names.shown(old.name)} has changed since the run")
    sandbox = settings.sandbox
    sandbox = choose(level, sandbox.bounds, sandbox.readable, notice) if level else hold(sandbox)
    again = play_again(record, {one.name: one for one in now}, settings.limits, sandbox)
    if difference := first_difference(named_record(record, names), again):
        raise ArenaError(f"{record.title} differs from its record: {difference}")
    say(f"{record.title}: the bots play the same {len(again.actions)} moves")
