"""`arena faults`: reports of the faults in a run."""

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from arena.check.fault_file import save_fault
from arena.check.fault_groups import FaultGroup
from arena.check.fault_report import WIDTH, CardStyle, card, wrap_command
from arena.commands.common import (
    command_of_run,
    complete_entrants,
    full_option,
    json_option,
    open_source,
    results_option,
    say_json,
    source_argument,
)
from arena.extras.faults.run_faults import RunFaults
from arena.narration.telling import counted
from arena.terminal.check_report import say_command
from arena.terminal.console import notice, say, terminal

INDENT = "    "


@click.command("faults")
@source_argument
@click.option(
    "--bot",
    "bot_name",
    metavar="NAME",
    shell_complete=complete_entrants,
    help="Print only the faults of this bot.",
)
@full_option
@click.option(
    "--save",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write a fault file of each fault to this folder, for `arena debug`.",
)
@json_option
@results_option
def faults_command(
    source: str,
    bot_name: str | None,
    full: bool,
    folder: Path | None,
    as_json: bool,
    results: Path,
) -> None:
    """Print the faults in a run by cause, with a report of each.

    A summary comes first: how often each cause occurred, its first and last game, and how to see it
    again. Then comes the report of the first fault of each cause, or of every fault with `--all`.
    Of a run under way, only faults of boards that are over are counted. JSON has each fault with
    what was asked and received, without withdrawals.
    """
    with open_source(results, source) as store, store.snapshot():
        faulty = RunFaults(store, bot_name)
        if left_out := store.count() - faulty.asides.games:
            notice(f"{left_out} games of boards that are not over are left out, with their faults")
        if as_json:
            say_json([fault for fault, _ in faulty.files()])
            return
        groups = faulty.causes.groups()
        if not groups:
            say(f"no faults of {bot_name}" if bot_name else "no faults")
        else:
            width = min(terminal().width, WIDTH)
            for line in summary_lines(groups, command_of_run("replay", source, results), width):
                say(line)
            say("")
            firsts = None if full else {(group.first.bot, group.first.key) for group in groups}
            for fault, file in faulty.files():
                path = save_fault(file, folder) if folder else None
                name = faulty.names.shown(fault.bot)
                if firsts is None or (name, fault.key) in firsts:
                    again = f"arena debug {shlex.quote(str(path))}" if path else ""
                    styled = CardStyle(full, again, width)
                    say(card(name, file.where, fault.fault, fault.evidence, styled) + "\n")
            if not folder:
                save = f"{command_of_run('faults', source, results)} --save faults"
                say_command("for files that play these moments again:", save)
    for line in faulty.asides.lines():
        say(line)


def summary_lines(groups: Sequence[FaultGroup], command: str, width: int) -> Iterator[str]:
    """Yield the lines of a summary: a total, then the causes of each bot.

    `command` is what replays a game when its title stands behind it. No line is wider than `width`
    columns, except for a word that does not fit.
    """
    faults = sum(group.size for group in groups)
    bots = len({group.bot for group in groups})
    yield (
        f"{counted(faults, 'fault')} of {counted(bots, 'bot')}, "
        f"with {counted(len(groups), 'cause')}:"
    )
    for group in groups:
        text = f"{group.bot}: {group.size} x {group.kind}: {group.cause}"
        yield from textwrap.wrap(
            text, width, initial_indent="  ", subsequent_indent=INDENT, break_on_hyphens=False
        )
        for name, fault in (("first", group.first), ("last", group.last)):
            if name == "first" or group.size > 1:
                yield f"{INDENT}{name:<6}{fault.title}, move {fault.move}"
        first, *more = wrap_command(f"{command} {group.first.title}", width - 10)
        yield f"{INDENT}{'again':<6}{first}"
        yield from (" " * 10 + line for line in more)
