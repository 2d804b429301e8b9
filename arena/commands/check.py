"""`arena check`: is a bot fit for a run? A tick or a cross for each check, a card for a fault."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from arena.check.check import CheckSettings, check_bot
from arena.check.fault_file import save_fault
from arena.check.sandbox_probe import AUTO, choose
from arena.commands.common import chosen_variants
from arena.commands.settings import given, setting_options
from arena.contest.entrants import find_entrant
from arena.contest.settings import Contest, override
from arena.terminal.check_report import CheckReport, line_of, print_card, print_checked
from arena.terminal.console import notice, say, say_data, terminal


@click.command("check")
@click.argument("bot", metavar="NAME|PATH")
@click.option(
    "--variant",
    "variant_ids",
    multiple=True,
    metavar="ID",
    help="Play this variant; may be repeated. Default: all that the bot plays.",
)
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="ID",
    help="Play all variants of this game; may be repeated.",
)
@click.option(
    "--repeat",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="So many games of each variant.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Fixes the deals and dice.")
@setting_options("limits", "sandbox")
@click.option(
    "--faults",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("."),
    show_default=True,
    help="Where fault files are written.",
)
@click.option("--full", is_flag=True, help="Print long lines and logs in full.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@click.pass_context
def check(
    context: click.Context,
    /,
    bot: str,
    variant_ids: Sequence[str],
    games: Sequence[str],
    repeat: int,
    seed: int,
    folder: Path,
    full: bool,
    as_json: bool,
    **_: object,
) -> None:
    """Check whether a bot is fit for a run, one thing after another.

    Exit code 0 says that no check failed, 1 that one did. Of each failure a file is written that
    `arena replay-fault` takes, and a card is printed; without `--full` those that are alike have
    one card.
    """
    entrant = find_entrant(bot)
    variants = chosen_variants(variant_ids, games)
    contest = override(Contest(), given(context))
    around = contest.sandbox
    sandbox = choose(around.level, around.bounds, around.readable, notice)
    in_sandbox = [] if around.level == AUTO else ["--sandbox", around.level]
    in_sandbox += [word for one in around.readable for word in ("--readable", one)]
    console = terminal()
    lines = []
    told = set()
    settings = CheckSettings(contest.limits, sandbox, repeat, seed)
    for checked in check_bot(entrant, variants, settings):
        path = save_fault(checked.failure, folder) if checked.failure else None
        lines.append(line_of(checked, path))
        if not as_json:
            print_checked(console, checked)
            if checked.failure and path:
                again = shlex.join(["arena", "replay-fault", str(path), *in_sandbox])
                kind = (checked.failure.fault.kind, checked.failure.fault.text)
                if kind in told and not full:
                    say(f"  as above; again: {again}")
                else:
                    print_card(console, checked.failure, again, full)
                told.add(kind)
    failed = [line.name for line in lines if line.outcome == "failed"]
    if as_json:
        report = CheckReport(entrant.name, not failed, lines)
        say_data(msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n")
    elif failed:
        say(f"\n{entrant.name} fails: {', '.join(failed)}")
    else:
        say(f"\n{entrant.name} is fit for a run")
    context.exit(1 if failed else 0)
