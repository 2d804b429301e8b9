"""`arena replay-fault`: a bot at the moment of its fault once more."""

from collections.abc import Iterator
from pathlib import Path

import click

from arena.check.fault_file import FaultFile, read_fault
from arena.check.replay_fault import Replayed, replay_fault, sent_lines
from arena.check.sandbox_probe import choose
from arena.commands.common import readable_option, sandbox_option
from arena.contest.entrants import find_again, find_entrant
from arena.errors import BotError
from arena.protocol import printable
from arena.record import Entrant
from arena.terminal.check_report import print_card
from arena.terminal.console import notice, say, say_data, terminal

MOST_DETOURS = 5
"""Answers that are not as they were, of which so many are shown."""


@click.command("replay-fault")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--bot", "bot", metavar="NAME|PATH", help="The bot. Default: where it was then.")
@sandbox_option
@readable_option
@click.option("--full", is_flag=True, help="Print long lines and logs in full.")
@click.option(
    "--lines",
    "only_lines",
    is_flag=True,
    help="Start nothing: print the lines that the bot was sent, for its input by hand.",
)
@click.pass_context
def replay_fault_command(
    context: click.Context,
    path: Path,
    bot: str | None,
    level: str,
    readable: tuple[Path, ...],
    full: bool,
    only_lines: bool,
) -> None:
    """Bring a bot, as it is now, to the moment of a fault again, and show what it does.

    FILE is one that `arena check` or `arena faults --save` has written. The bot is sent what it was
    sent then. Exit code 0 says that it is mended, 1 that it still does wrong.
    """
    file = read_fault(path)
    if only_lines:
        say_data(b"".join(sent_lines(file)).decode())
        return
    entrant = _find(file, bot)
    if entrant.fingerprint == file.bot.fingerprint:
        notice(f"the code of {entrant.name} has not changed since")
    sandbox = choose(level, file.bounds, readable, notice)
    replayed = replay_fault(file, entrant, sandbox)
    for line in _report(file, replayed):
        say(line)
    if replayed.again:
        print_card(terminal(), replayed.again, full=full)
    context.exit(1 if replayed.again else 0)


def _find(file: FaultFile, bot: str | None) -> Entrant:
    if bot is None:
        try:
            return find_again(file.bot)
        except BotError as error:
            raise BotError(
                f"the bot of the file is not where it was ({printable(str(error))}): say where it "
                "is with --bot"
            ) from None
    return find_entrant(bot)


def _report(file: FaultFile, replayed: Replayed) -> Iterator[str]:
    yield f"then: {file.bot.name}: {file.fault.kind} {file.where}: {file.fault.text}"
    if replayed.asked:
        others = len(replayed.detours)
        like_then = f"{others} of them other than then" if others else "the same as then"
        yield f"on the way: {replayed.asked} answers, {like_then}"
    for title, detour in replayed.detours[:MOST_DETOURS]:
        yield f"  {title}, move {detour.move + 1}: then {detour.then!r}, now {detour.now!r}"
    if replayed.detours:
        yield "  (the game went on as it did then)"
    if not replayed.again:
        yield f"now: mended: {_what_now(file, replayed)}"
    elif _is_same(file, replayed.again):
        yield "now: still the same"
    else:
        yield "now: it still does wrong, but otherwise"


def _what_now(file: FaultFile, replayed: Replayed) -> str:
    if replayed.answer is not None:
        return f"it answers {replayed.answer!r}"
    return "it leaves" if file.fault.kind == "stays" else "it says ready"


def _is_same(file: FaultFile, again: FaultFile) -> bool:
    then, now = file.fault, again.fault
    return (then.action, then.kind, then.text, file.faulty) == (
        now.action, now.kind, now.text, again.faulty,
    )  # fmt: skip
