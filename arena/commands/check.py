"""`arena check`: is a bot fit for a run? A tick or a cross for each check, a card for a fault."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from arena.check import Checked, Outcome, check_bot
from arena.commands.checks import print_card, print_checked
from arena.commands.common import (
    chosen_variants,
    notice,
    readable_option,
    sandbox_option,
    say,
    say_data,
    terminal,
)
from arena.entrants import find_entrant
from arena.fault_file import save_fault
from arena.protocol import DEFAULT_LIMITS, Limits, SeatFault
from arena.record import Evidence
from arena.sandbox.contract import Bounds
from arena.sandbox.probe import AUTO, choose


class CheckLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A check, for programs."""

    name: str
    outcome: Outcome
    text: str
    fault: SeatFault | None = None
    evidence: Evidence | None = None
    file: str = ""
    """The fault file."""


class CheckReport(msgspec.Struct, frozen=True):
    """All checks of a bot, for programs."""

    bot: str
    passed: bool
    checks: list[CheckLine]


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
@click.option(
    "--move-ms", type=click.IntRange(min=1), default=DEFAULT_LIMITS.move_ms, show_default=True,
    help="How long the bot may take for an action.",
)  # fmt: skip
@click.option(
    "--start-ms", type=click.IntRange(min=1), default=DEFAULT_LIMITS.start_ms, show_default=True,
    help="How long the bot may take to start.",
)  # fmt: skip
@click.option(
    "--bank-ms", type=click.IntRange(min=0), default=DEFAULT_LIMITS.bank_ms,
    help="How long it may take for all actions of a game. Default: no such limit.",
)  # fmt: skip
@click.option(
    "--increment-ms", type=click.IntRange(min=0), default=DEFAULT_LIMITS.increment_ms,
    show_default=True, help="What each action adds to the bank.",
)  # fmt: skip
@click.option(
    "--memory-mib", type=click.IntRange(min=16), default=Bounds().memory_mib, show_default=True,
    help="How much memory the bot may take, with all its processes.",
)  # fmt: skip
@sandbox_option
@readable_option
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
    bot: str,
    variant_ids: Sequence[str],
    games: Sequence[str],
    repeat: int,
    seed: int,
    move_ms: int,
    start_ms: int,
    bank_ms: int,
    increment_ms: int,
    memory_mib: int,
    sandbox: str,
    readable: Sequence[Path],
    folder: Path,
    full: bool,
    as_json: bool,
) -> None:
    """Check whether a bot is fit for a run, one thing after another.

    Exit code 0 says that no check failed, 1 that one did. Of each failure a file is written that
    `arena replay-fault` takes, and a card is printed; without `--full` those that are alike have
    one card.
    """
    entrant = find_entrant(bot)
    variants = chosen_variants(variant_ids, games)
    limits = Limits(start_ms=start_ms, move_ms=move_ms, bank_ms=bank_ms, increment_ms=increment_ms)
    walls = choose(sandbox, Bounds(memory_mib=memory_mib), readable, notice)
    in_walls = [] if sandbox == AUTO else ["--sandbox", sandbox]
    in_walls += [word for one in readable for word in ("--readable", str(one))]
    console = terminal()
    lines = []
    told = set()
    for checked in check_bot(entrant, variants, limits, walls, games=repeat, seed=seed):
        path = save_fault(checked.failure, folder) if checked.failure else None
        lines.append(_line(checked, path))
        if not as_json:
            print_checked(console, checked)
            if checked.failure and path:
                again = shlex.join(["arena", "replay-fault", str(path), *in_walls])
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


def _line(checked: Checked, path: Path | None) -> CheckLine:
    failure = checked.failure
    if failure is None or path is None:
        return CheckLine(checked.name, checked.outcome, checked.text)
    return CheckLine(
        checked.name, checked.outcome, checked.text, failure.fault, failure.evidence, str(path)
    )
