"""`arena check`: check that a bot can play in a run."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from arena.base.contracts import SandboxSettings
from arena.check.bot_check import CheckSettings, check_bot
from arena.check.fault_file import save_fault
from arena.check.game_check import check_game, check_order, template_rules, variants_in
from arena.check.sandbox_probe import ALL_ATTACKS_S, DID_IT, denied_attacks, try_attacks
from arena.commands.common import (
    full_option,
    games_option,
    json_option,
    refuse_given,
    sandbox_notice,
    say_json,
    seed_option,
    variants_option,
)
from arena.commands.completion import complete_bots
from arena.commands.setting_options import OF_A_BOT, given, set_option, setting_option
from arena.contest.admission import sandbox_of
from arena.contest.contest_file import contest_at, read_contest
from arena.contest.entrants import named_bots, only_bot
from arena.contest.settings import Contest, chosen_variants, override
from arena.match.bot_log import LogLine
from arena.narration.telling import counted
from arena.plugins import get_sandbox
from arena.sandbox.users import SHARED, our_users
from arena.terminal.bot_output import say_printed
from arena.terminal.check_report import CheckOutput, CheckReport, line_of, say_command
from arena.terminal.console import notice, say

OF_A_CHECKED_BOT = ("variant_ids", "games", "seed", "folder", "as_json")


@click.command("check")
@click.argument("bot", metavar="[BOT|GAME]", required=False, shell_complete=complete_bots)
@click.option(
    "--kind", type=click.Choice(["bot", "game"]), default="bot", show_default=True,
    help="Whether to check a bot or a game.",
)  # fmt: skip
@variants_option(
    "Play this variant. Repeat the option to add more variants. Default: all variants that the bot "
    "plays."
)
@games_option("Play all variants of this game. Repeat the option to add more games.")
@click.option(
    "--contest",
    "place",
    type=click.Path(exists=True, path_type=Path),
    metavar="FILE",
    help="Use the variants, limits and sandbox from this contest file.",
)
@seed_option
@setting_option("sandbox.level")
@set_option(*OF_A_BOT)
@click.option(
    "--faults",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="For each failure, write a file to this folder that `arena debug` can replay.",
)
@full_option
@json_option
@click.pass_context
def check_command(
    context: click.Context,
    /,
    bot: str | None,
    kind: str,
    variant_ids: Sequence[str],
    games: Sequence[str],
    place: Path | None,
    seed: int,
    folder: Path | None,
    full: bool,
    as_json: bool,
    **_: object,
) -> None:
    """Check a bot or a game for errors.

    The bot plays complete games while its time and memory usage are measured. The report
    explains each kind of failure. The exit code is 1 if a check failed. Use `--all` to print
    every variant, all reports in full, and the bot's output. Use `--contest` to apply a
    contest's settings, as if the bot were submitted to the contest.

    With `--kind game`, run the conformance tests on an installed game or on a Python module that
    registers variants.

    If no bot is given, test the sandbox by running the attacks that it must block.
    """
    if kind == "game":
        if bot is None:
            raise click.UsageError("--kind game needs the name of a game or of a Python module")
        context.exit(_check_game(bot, seed, full=full))
    contest = override(read_contest(contest_at(place)) if place else Contest(), given(context))
    if bot is None:
        refuse_given(context, OF_A_CHECKED_BOT, "is for the check of a bot: name one")
        context.exit(_check_sandbox(sandbox_of(contest, lambda _: None), full=full))
    chosen = (variant_ids, games) if variant_ids or games else (contest.variants, contest.games)
    variants = chosen_variants(*chosen) if any(chosen) else ()  # the bot's own games
    entrants = context.with_resource(named_bots([bot], contest.entrants.interpreters, notice))
    entrant = only_bot(entrants, bot)
    sandbox = sandbox_of(contest, sandbox_notice(full=full))
    printed: list[LogLine] = []
    lines = []
    can_be_replayed = False
    shown = CheckOutput(full)
    on_log = printed.append if full else None
    settings = CheckSettings(contest.limits, sandbox, seed, on_log)
    for checked in check_bot(entrant, variants, settings):
        path = save_fault(checked.failure, folder) if checked.failure and folder else None
        lines.append(line_of(checked, path))
        can_be_replayed |= bool(checked.failure and checked.failure.game)
        if not as_json:
            again = shlex.join(["arena", "debug", bot, str(path)]) if path else ""
            shown.show(checked, again)
    failed = [line.name for line in lines if line.outcome == "failed"]
    if as_json:
        say_json(CheckReport(entrant.name, not failed, lines))
        context.exit(1 if failed else 0)
    shown.end()
    say_printed(entrant.name, printed, notice)
    verdict = f"failed: {', '.join(failed)}" if failed else "can play in a run"
    say(f"\n{entrant.name} {verdict}")
    if can_be_replayed and not folder:
        again = shlex.join(["arena", *sys.argv[1:], "--faults", "faults"])
        say_command("for commands that replay these failures:", again)
    context.exit(1 if failed else 0)


def _check_game(module: str, seed: int, *, full: bool) -> int:
    sys.path.insert(0, str(Path.cwd()))  # as `python -m` does: a module need not be installed
    failed = 0
    tested = variants_in(module)
    for variant in tested:
        passed = 0
        for result in (*check_game([variant], seed), check_order(module, variant, seed)):
            if full or result.error:
                say(f"{'x' if result.error else '+'} {variant.id}: {result.name}")
            if result.error:
                failed += 1
                say(f"    {result.error}")
            else:
                passed += 1
        if not full:
            say(f"+ {variant.id}: {counted(passed, 'check')} passed; `--all` lists them")
    say(f"\n{failed} checks failed" if failed else f"\n{module} passes all checks")
    if rules := template_rules(tested):
        notice(f"{rules} contains the rules of Hush Money: replace them with those of your game")
    return 1 if failed else 0


def _check_sandbox(sandbox: SandboxSettings, *, full: bool) -> int:
    succeeded, level = 0, sandbox.level
    rows = denied_attacks(level)
    say(
        "No bot was named, so the sandbox is tested with attacks that it must block. To check a "
        "bot, run `arena check BOT`."
    )
    outcomes = try_attacks(get_sandbox(level), rows, ALL_ATTACKS_S)
    for row, outcome in zip(rows, outcomes, strict=True):
        succeeded += (is_success := outcome.startswith(DID_IT))
        if full or is_success:
            word = "SUCCEEDS" if is_success else "denied"
            say(f"{word:8}  {row.number:3} {row.title} ({outcome})")
    say(sandbox.promise)
    if SHARED in sandbox.promise:
        say(f"to run each bot as a separate kernel user: {our_users()}")
    result = f"all {len(rows)} attacks were blocked (`--all` lists them); bots can play in it"
    if succeeded or not rows:
        happened = f"{succeeded} of {len(rows)} attacks succeeded" if rows else "it blocks nothing"
        result = f"{happened}; run only bots that you trust"
    say(f"\nsandbox {level}: {result}")
    return 1 if succeeded else 0
