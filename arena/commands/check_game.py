"""`arena check-game`: the conformance suite of games, and exceptions of games seen again."""

import sys
import traceback
from pathlib import Path

import click

from arena.check.game_check import break_again, check_game, read_broken, variants_in
from arena.terminal.console import say


@click.command("check-game")
@click.argument("module", metavar="[MODULE]", required=False)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random games.")
@click.option(
    "--again",
    "broken",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Play the game in the broken-game.json of a run again, and show the exception.",
)
@click.pass_context
def check_game_command(
    context: click.Context, module: str | None, seed: int, broken: Path | None
) -> None:
    """Run the conformance suite on a game, with a line for each check.

    MODULE is a Python module that registers variants, as in docs/new-game.md, or the name of an
    installed game. The exit code is 1 if a check failed.
    """
    sys.path.insert(0, str(Path.cwd()))  # as `python -m` does: a package need not be installed
    if (module is None) == (broken is None):
        raise click.UsageError("give either MODULE or --again FILE")
    if broken:
        context.exit(_again(broken))
    failed = 0
    assert module is not None
    for result in check_game(variants_in(module), seed):
        say(f"{'x' if result.error else '+'} {result.variant}: {result.name}")
        if result.error:
            failed += 1
            say(f"    {result.error}")
    say(f"\n{failed} checks failed" if failed else f"\n{module} passes all checks")
    context.exit(1 if failed else 0)


def _again(file: Path) -> int:
    """Show the exception of a broken game, and return 1, or return 0 if it raises none now."""
    game = read_broken(file)
    say(f"{game.title}, {game.where}: it raised {game.error}")
    try:
        break_again(game)
    except Exception:  # of the game
        say(traceback.format_exc())
        return 1
    say("it raises no exception now")
    return 0
