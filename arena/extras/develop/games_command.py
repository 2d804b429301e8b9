"""`arena game new` and `arena game check`: the package of a new game, and whether it conforms."""

import itertools
import sys
import traceback
from pathlib import Path

import click

from arena.commands.common import seed_option
from arena.extras.develop.game_check import (
    break_again,
    check_game,
    check_order,
    read_broken,
    variants_in,
)
from arena.extras.develop.game_template import make_game
from arena.terminal.console import say


@click.command("new")
@click.argument("folder", metavar="NAME", type=click.Path(path_type=Path))
def game_new_command(folder: Path) -> None:
    """Create a new game: a module, its rules, a test and a bot.

    It is a small complete game. The test runs the conformance suite.
    """
    for file in make_game(folder):
        say(str(file))
    say(f"install it: pip install pytest {folder.resolve()}")
    say(f"test it: python -m pytest {folder}")
    say(f"play it: arena play --variant {folder.resolve().name}/2")


@click.command("check")
@click.argument("module", metavar="[MODULE]", required=False)
@seed_option
@click.option(
    "--again",
    "broken",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Play the game in the broken-game.json of a run again, and show the exception.",
)
@click.pass_context
def game_check_command(
    context: click.Context, module: str | None, seed: int, broken: Path | None
) -> None:
    """Run the conformance suite on a game.

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
    tested = variants_in(module)
    orders = (check_order(module, variant, seed) for variant in tested)
    for result in itertools.chain(check_game(tested, seed), orders):
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
