"""`arena check`: checks of a bot before a run, with a report for each failure."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from arena.check.check import CheckSettings, check_bot
from arena.check.fault_file import save_fault
from arena.check.fault_report import WIDTH, wrap_command
from arena.check.sandbox_probe import choose
from arena.commands.common import games_option, variants_option
from arena.commands.completers import complete_bots
from arena.commands.settings import given, setting_options
from arena.contest.entrants import find_entrant
from arena.contest.settings import Contest, override
from arena.contest.variant_choice import chosen_variants
from arena.contracts import AUTO
from arena.terminal.bot_output import MAX_LINES, BotOutput
from arena.terminal.check_report import CheckReport, line_of, print_card, print_checked
from arena.terminal.console import notice, say, say_data, terminal


@click.command("check")
@click.argument("bot", metavar="NAME|PATH", shell_complete=complete_bots)
@variants_option("Play this variant; may be repeated. Default: all variants that the bot plays.")
@games_option("Play all variants of this game; may be repeated.")
@click.option(
    "--repeat",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="Games of each variant.",
)
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Seed of the deals and of the bots' random numbers.",
)
@setting_options("limits", "sandbox", "entrants.interpreters")
@click.option(
    "--faults",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write a fault file of each failure to this folder, for `arena replay-fault`.",
)
@click.option("--quiet", is_flag=True, help="Do not show what the bot prints.")
@click.option("--full", is_flag=True, help="Print long lines and logs in full.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.pass_context
def check(
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
    in_sandbox += [word for one in wanted.readable for word in ("--readable", one)]
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
        say_data(msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n")
    elif failed:
        say(f"\n{entrant.name} fails: {', '.join(failed)}")
        if not folder:
            say("play them again: --faults DIR, then arena replay-fault FILE")
    else:
        say(f"\n{entrant.name} is fit for a run")
    context.exit(1 if failed else 0)
