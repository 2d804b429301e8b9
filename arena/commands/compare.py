"""`arena compare`: find out whether a new version of a bot is better."""

import shlex
import sys
from pathlib import Path

import click

from arena.base.protocol import indented
from arena.commands.common import (
    DEFAULT_VARIANT,
    against_option,
    bots_in,
    json_option,
    sandbox_notice,
    variant_option,
)
from arena.commands.completion import complete_bots
from arena.commands.setting_options import OF_A_BOT, given, set_option, setting_option
from arena.interface import compare
from arena.narration.telling import counted
from arena.process.host import stop_signals_as_ctrl_c
from arena.rating.sequential_test import DELTA
from arena.terminal.console import notice, say, say_data, warning
from arena.terminal.shown_run import ShownRun
from arena.tournament.comparison import ComparisonResult

DEFAULT_BUDGET = 1000
EXIT_CODES = {"better": 0, "not better": 3, "undecided": 4}


@click.command("compare")
@click.argument("old", metavar="OLD", shell_complete=complete_bots)
@click.argument("new", metavar="NEW", shell_complete=complete_bots)
@against_option("", "Default: all bundled bots that play the game and are marked as quick.")
@variant_option(DEFAULT_VARIANT)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=DEFAULT_BUDGET,
    show_default=True,
    help="Maximum number of boards. The comparison then ends without a verdict.",
)
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder in which to keep the comparison. Run the same command to resume it.",
)
@json_option
@setting_option("seed")
@setting_option("machine.workers")
@setting_option("sandbox.level")
@set_option("secret", "seed", "machine", *OF_A_BOT)
@click.pass_context
def compare_command(
    context: click.Context,
    /,
    old: str,
    new: str,
    against: str,
    variant_id: str,
    budget: int,
    folder: Path | None,
    as_json: bool,
    **_: object,
) -> None:
    """Find out whether a new version of a bot is better.

    OLD and NEW are two versions of a bot. Each can be a .py file, a .zip file, a folder, or the
    name of a bot listed by `arena games`. The two versions play the same boards from the same
    seats against the same opponents. The comparison stops as soon as the result is statistically
    significant (95% confidence). The exit code is 0 if NEW is better, 3 if it isn't, 4 if the
    result is undecided after the maximum number of boards, and 1 on errors.
    """
    context.with_resource(stop_signals_as_ctrl_c())
    resume = f"`arena {shlex.join(sys.argv[1:])}`" if folder else ""
    observer = ShownRun(resume, notice, warning)
    observer.on_sandbox = sandbox_notice(full=False)
    result = compare(
        old, new, variant_id,
        against=bots_in(against) or None, budget=budget,
        folder=folder,
        settings=given(context), observer=observer,
    )  # fmt: skip
    if as_json:
        say_data(indented(result))
    else:
        _print_result(result, folder)
    context.exit(EXIT_CODES[result.verdict])


def _print_result(result: ComparisonResult, folder: Path | None) -> None:
    old, new = result.old, result.new
    margin = max(result.high - result.difference, result.difference - result.low)
    share = f"{50 + 50 * result.difference:.1f}% ± {50 * margin:.1f}"
    after = f"{share} after {counted(result.boards, 'board')}"
    if result.verdict == "undecided":
        say(f"undecided whether {new.bot} is better than {old.bot}: {after}")
    else:
        say(f"{new.bot} is {result.verdict} than {old.bot}: {after}")
    bounds = f"95% bounds {result.low:+.1%} to {result.high:+.1%}"
    say(f"  score difference in {result.variant}, {bounds}")
    if result.verdict == "not better":
        say(f"  not better means worse, equal, or better by less than {float(DELTA):.0%}")
    if result.verdict == "undecided":
        where = f"and --out {shlex.quote(str(folder))} resume it" if folder else "plays more boards"
        say(f"  a larger --budget {where}")
    if old.faults or new.faults:
        say(f"  games with faults: {new.bot} {new.faults}, {old.bot} {old.faults}")
        see = f"`arena logs {shlex.quote(str(folder.absolute()))}`" if folder else "--out DIR"
        notice(f"see the faults with {see}")
    if folder:
        notice(f"kept in {folder}")
