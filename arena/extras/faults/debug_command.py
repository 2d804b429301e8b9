"""`arena debug`: step through a bot's game, or replay a fault or a game of a run."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from arena.base.contracts import SandboxSettings
from arena.base.errors import ArenaError, BotError, StoreError
from arena.base.protocol import Fault, Limits, printable
from arena.base.record import Entrant, GameRecord, as_game
from arena.check.bot_check import first_difference
from arena.check.fault_file import FaultFile
from arena.check.fault_report import CardStyle
from arena.check.sandbox_probe import choose, hold
from arena.commands.common import (
    full_option,
    open_run,
    refuse_given,
    results_option,
    sandbox_notice,
    seed_option,
)
from arena.commands.completion import complete_bots
from arena.commands.table_options import ChosenTable, table_options
from arena.contest.entrants import named_bots, only_bot
from arena.contest.settings import INTERPRETERS, Contest
from arena.extras.faults.bots_again import find_again
from arena.extras.faults.fault_replay import Replayed, read_fault, replay_fault, sent_lines
from arena.extras.faults.stepping import Chance, step_through
from arena.match.playing import play_games
from arena.match.seats import Player, always
from arena.match.settings import MatchSettings
from arena.terminal.check_report import print_card
from arena.terminal.console import notice, say, say_data, terminal
from arena.tournament.display_names import names_of, with_names
from arena.tournament.finished_boards import find_finished_game
from arena.tournament.runs import is_file

OF_BOT = ("against", "variant_id", "game", "seat", "seed")
OF_FILE = ("other", "only_lines", "full")
"""The options for each kind of argument."""
MAX_DETOURS = 5


@click.command("debug")
@click.argument(
    "words",
    metavar="BOT | FAULT_FILE | RUN GAME",
    nargs=-1,
    required=True,
    shell_complete=complete_bots,
)
@table_options
@click.option("--seat", type=click.IntRange(min=0), default=0, help="The seat of BOT. Default: 0.")
@seed_option
@click.option(
    "--bot", "other", metavar="NAME|PATH", help="The bot of FAULT_FILE. Default: that in the file."
)
@click.option(
    "--lines",
    "only_lines",
    is_flag=True,
    help="Print only the lines that the bot of FAULT_FILE was sent; do not start it.",
)
@full_option
@results_option
@click.pass_context
def debug_command(  # the options of three ways to look at a bot
    context: click.Context,
    words: tuple[str, ...],
    table: ChosenTable,
    seat: int,
    seed: int,
    other: str | None,
    only_lines: bool,
    full: bool,
    results: Path,
) -> None:
    """Step through a game of a bot, or play a fault or a game again.

    BOT plays one game step by step. Each step shows what has happened, the changed fields of its
    view, and its answer. The bot has no time limit and no sandbox, so that `breakpoint()` and
    pdb work in it: debug only bots that you trust.

    FAULT_FILE is a .json file written by `arena check` or `arena logs --save`. The current bot
    is brought to the moment of the fault. The exit code is 0 if the fault is fixed.

    GAME is a title, such as `pot-de-vin/3 board 12 rotation 0`, or the start of a key. The
    current bots of RUN play it again, and the first difference is printed.
    """
    source, *game = words
    if game:
        refuse_given(context, {*OF_BOT, *OF_FILE}, "is not for a game of a run: leave it out")
        _rerun(source, " ".join(game), table.given, results)
    elif source.endswith(".json"):
        refuse_given(context, OF_BOT, "is not for a fault file: leave it out")
        context.exit(_replay_fault(context, Path(source), other, table.contest, (full, only_lines)))
    else:
        refuse_given(context, OF_FILE, "is for a fault file: leave it out")
        own = table.find(source)
        seated = table.seated(own, seat, seed)
        step_through(own, seated, table.variant, Chance(seed, table.sandbox))


def _replay_fault(
    context: click.Context,
    path: Path,
    bot: str | None,
    contest: Contest,
    shown: tuple[bool, bool],
) -> int:
    """Bring a bot back to a fault, print what it does now, and return the exit code."""
    full, only_lines = shown
    file = read_fault(path)
    if only_lines:
        say_data(b"".join(sent_lines(file)).decode())
        return 0
    unpacked = context.with_resource(ExitStack())
    entrant = _find(file, bot, contest.entrants.interpreters, unpacked)
    if entrant.fingerprint == file.bot.fingerprint:
        notice(f"the code of {entrant.name} has not changed since the fault")
    wanted, tell = contest.sandbox, sandbox_notice(full=full)
    sandbox = choose(wanted.level, file.bounds, wanted.readable, tell)
    replayed = replay_fault(file, entrant, sandbox)
    for line in _report(file, replayed):
        say(line)
    if replayed.again:
        print_card(terminal(), replayed.again, CardStyle(full))
    return 1 if replayed.again else 0


def _find(
    file: FaultFile, bot: str | None, interpreters: tuple[str, ...], unpacked: ExitStack
) -> Entrant:
    if bot is None:
        try:
            return find_again(file.bot, interpreters, unpacked)
        except BotError as error:
            raise BotError(
                f"cannot find the bot of the file ({printable(str(error))}); give its path with "
                "--bot"
            ) from None
    found = unpacked.enter_context(named_bots([bot], interpreters))
    return only_bot(found, bot)


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


def _rerun(run: str, game: str, given: Mapping[str, Any], results: Path) -> None:
    if is_file(run):
        raise StoreError(
            f"{run} is a file, and an exported file does not say where the bots of its run are: "
            "name the run instead"
        )
    with open_run(results, run) as store:
        settings = store.settings()
        record = find_finished_game(store, game)
        names = names_of(store)
    before = [bot for bot in settings.entrants if bot.name in record.entrants]
    interpreters = given.get("entrants.interpreters", INTERPRETERS)
    now = [find_again(bot, interpreters) for bot in before]
    for old, new in zip(before, now, strict=True):
        if old.fingerprint != new.fingerprint:
            notice(f"the code of {names.shown(old.name)} has changed since the run")
    sandbox, level = settings.sandbox, given.get("sandbox.level")
    sandbox = choose(level, sandbox.bounds, sandbox.readable, notice) if level else hold(sandbox)
    again = play_again(record, {bot.name: bot for bot in now}, settings.limits, sandbox)
    if difference := first_difference(with_names(record, names), again):
        raise ArenaError(f"{record.title} differs from its record: {difference}")
    say(f"{record.title}: the bots play the same {len(again.actions)} moves")


def play_again(
    record: GameRecord,
    entrants: Mapping[str, Entrant],
    limits: Limits,
    sandbox: SandboxSettings | None = None,
) -> GameRecord:
    """Play the same game now, and return its record. `entrants` maps names to the run's bots."""
    players: dict[str, Player] = {name: entrants[name] for name in record.entrants}
    for fault in record.faults:
        if fault.kind == "withdrawn":
            players[record.entrants[fault.seat]] = always(Fault("withdrawn", fault.text))
    settings = MatchSettings(limits, sandbox or SandboxSettings())
    (again,) = play_games([as_game(record)], players, settings)
    return again
