"""`arena replay-fault`: reproduction of a fault from its file."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import click

from arena.check.fault_file import FaultFile, read_fault
from arena.check.fault_replay import Replayed, replay_fault, sent_lines
from arena.check.fault_report import CardStyle
from arena.check.sandbox_probe import choose
from arena.commands.common import full_option
from arena.commands.setting_options import interpreters_option, readable_option, sandbox_option
from arena.contest.entrants import find_again, named_bots, only_bot
from arena.contest.packages import equip_again
from arena.errors import BotError
from arena.protocol import printable
from arena.record import Entrant
from arena.terminal.check_report import print_card
from arena.terminal.console import notice, say, say_data, terminal

MAX_DETOURS = 5
"""Changed answers that are printed."""


@click.command("replay-fault")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--bot", "bot", metavar="NAME|PATH", help="The bot. Default: the path in the file.")
@sandbox_option
@readable_option
@interpreters_option
@full_option
@click.option(
    "--lines",
    "only_lines",
    is_flag=True,
    help="Print only the lines that the bot was sent; do not start it.",
)
@click.pass_context
def replay_fault_command(
    context: click.Context,
    path: Path,
    bot: str | None,
    level: str,
    readable: tuple[Path, ...],
    interpreters: tuple[str, ...],
    full: bool,
    only_lines: bool,
) -> None:
    """Bring a bot to a fault again, and show what it does now.

    FILE was written by `arena check` or `arena faults --save`. The exit code is 0 if the fault is
    fixed, 1 if the bot still has a fault.
    """
    file = read_fault(path)
    if only_lines:
        say_data(b"".join(sent_lines(file)).decode())
        return
    entrant = _find(file, bot, interpreters, context.with_resource(ExitStack()))
    if entrant.fingerprint == file.bot.fingerprint:
        notice(f"the code of {entrant.name} has not changed since the fault")
    sandbox = choose(level, file.bounds, readable, notice)
    replayed = replay_fault(file, entrant, sandbox)
    for line in _report(file, replayed):
        say(line)
    if replayed.again:
        print_card(terminal(), replayed.again, CardStyle(full))
    context.exit(1 if replayed.again else 0)


def _find(
    file: FaultFile, bot: str | None, interpreters: tuple[str, ...], unpacked: ExitStack
) -> Entrant:
    if bot is None:
        try:
            return equip_again(find_again(file.bot, interpreters, unpacked), file.bot)
        except BotError as error:
            raise BotError(
                f"cannot find the bot of the file ({printable(str(error))}); give its path with "
                "--bot"
            ) from None
    found = unpacked.enter_context(named_bots([bot], interpreters))
    return equip_again(only_bot(found, bot), file.bot)


def _report(file: FaultFile, replayed: Replayed) -> Iterator[str]:
    yield f"then: {file.bot.name}: {file.fault.kind} {file.where}: {file.fault.text}"
    if replayed.asked:
        others = len(replayed.detours)
        compared = f"{others} of them changed" if others else "all unchanged"
        yield f"before it: {replayed.asked} answers, {compared}"
    for title, detour in replayed.detours[:MAX_DETOURS]:
        yield f"  {title}, move {detour.move + 1}: then {detour.then!r}, now {detour.now!r}"
    if replayed.detours:
        yield "  (the game continued with the recorded answers)"
    if not replayed.again:
        yield f"now: fixed: {_what_now(file, replayed)}"
    elif _is_same(file, replayed.again):
        yield "now: the same fault"
    else:
        yield "now: a different fault"


def _what_now(file: FaultFile, replayed: Replayed) -> str:
    if replayed.answer is not None:
        return f"the bot answers {replayed.answer!r}"
    return "the bot exits" if file.fault.kind == "stays" else "the bot sends ready"


def _is_same(file: FaultFile, again: FaultFile) -> bool:
    then, now = file.fault, again.fault
    return (then.action, then.kind, then.text, file.faulty) == (
        now.action, now.kind, now.text, again.faulty,
    )  # fmt: skip
