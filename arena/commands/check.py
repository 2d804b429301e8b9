"""`arena check` and `arena check-game`: is a bot fit for a run, is a game one?"""

import shlex
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

import click

from arena.check.check import CheckSettings, check_bot
from arena.check.fault_file import save_fault
from arena.check.fault_report import WIDTH, wrap_command
from arena.check.game_check import break_again, check_game, read_broken, variants_in
from arena.check.sandbox_probe import choose
from arena.commands.common import (
    bot_named_argument,
    full_option,
    games_option,
    json_option,
    quiet_option,
    say_json,
    seed_option,
    variants_option,
)
from arena.commands.setting_options import given, setting_options
from arena.contest.entrants import find_entrant
from arena.contest.settings import Contest, chosen_variants, override
from arena.contracts import AUTO
from arena.terminal.bot_output import MAX_LINES, BotOutput
from arena.terminal.check_report import CheckReport, line_of, print_card, print_checked
from arena.terminal.console import notice, say, terminal


@click.command("check")
@bot_named_argument
@variants_option("Play this variant; may be repeated. Default: all variants that the bot plays.")
@games_option("Play all variants of this game; may be repeated.")
@click.option(
    "--repeat",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="Games of each variant.",
)
@seed_option
@setting_options("limits", "sandbox", "entrants.interpreters")
@click.option(
    "--faults",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write a fault file of each failure to this folder, for `arena replay-fault`.",
)
@quiet_option
@full_option
@json_option
@click.pass_context
def check_command(
    context: click.Context,
    /,
    bot: str,
    variant_ids: Sequence[str],
    games: Sequence[str],
    repeat: int,
    seed: int,
    folder: Path | None,
    quiet: bool,
    full: bool,
    as_json: bool,
    **_: object,
) -> None:
    """Check whether a bot is fit for a run.

    What the bot prints is shown with the move for which it was asked; `--full` shows all of it.
    Each failure is printed as a report. With `--faults`, it is also written to a fault file.
    Failures of the same kind share one report unless `--full` is given. The exit code is 0 if no
    check failed, otherwise 1.
    """
    variants = chosen_variants(variant_ids, games)
    contest = override(Contest(), given(context))
    entrant = find_entrant(bot, contest.entrants.interpreters)
    wanted = contest.sandbox
    sandbox = choose(wanted.level, wanted.bounds, wanted.readable, notice)
    in_sandbox = [] if wanted.level == AUTO else ["--sandbox", wanted.level]
    in_sandbox += [word for path in wanted.readable for word in ("--readable", path)]
    console = terminal()
    lines = []
    reported = set()
    output = BotOutput(entrant.name, notice, None if full else MAX_LINES)
    on_log = None if quiet or as_json else output.show
    settings = CheckSettings(contest.limits, sandbox, repeat, seed, on_log=on_log)
    for checked in check_bot(entrant, variants, settings):
        path = None
        if checked.failure and folder:
            path = save_fault(checked.failure, folder)
        lines.append(line_of(checked, path))
        if not as_json:
            print_checked(console, checked)
            if checked.failure:
                replay = ["arena", "replay-fault", str(path), *in_sandbox]
                again = shlex.join(replay) if path else ""
                kind = (checked.failure.fault.kind, checked.failure.fault.text)
                if kind in reported and not full:
                    say("  same as above; to reproduce:" if again else "  same as above")
                    lined = wrap_command(again, min(console.width, WIDTH) - 4) if again else []
                    for line in lined:
                        say(f"    {line}")
                else:
                    print_card(console, checked.failure, again, full)
                reported.add(kind)
    output.end()
    failed = [line.name for line in lines if line.outcome == "failed"]
    if as_json:
        report = CheckReport(entrant.name, not failed, lines)
        say_json(report)
    elif failed:
        say(f"\n{entrant.name} fails: {', '.join(failed)}")
        if not folder:
            say("play them again: --faults DIR, then arena replay-fault FILE")
    else:
        say(f"\n{entrant.name} is fit for a run")
    context.exit(1 if failed else 0)


@click.command("check-game")
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
