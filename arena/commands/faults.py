"""`arena faults`: reports of the faults in a run."""

import shlex
from pathlib import Path

import click
import msgspec

from arena.check.fault_file import faults_in, save_fault
from arena.check.fault_report import CardStyle, card
from arena.commands.common import (
    complete_entrants,
    json_option,
    open_source,
    results_option,
    say_json,
    source_argument,
)
from arena.errors import SettingsError
from arena.protocol import SeatFault
from arena.record import Evidence, Restart
from arena.terminal.console import notice, say
from arena.tournament.finished_boards import board_of_observed, finished
from arena.tournament.run_names import names_of
from arena.tournament.settings import Settings
from engine.errors import unknown


class ListedFault(msgspec.Struct, frozen=True):
    """A fault for programs."""

    bot: str
    game: str
    """The title of the game: `pot-de-vin/3 board 12 rotation 0`."""
    key: str
    """The key of the game."""
    fault: SeatFault
    evidence: Evidence


@click.command()
@source_argument
@click.option(
    "--bot",
    "bot_name",
    metavar="NAME",
    shell_complete=complete_entrants,
    help="Print only the faults of this bot.",
)
@click.option("--full", is_flag=True, help="Print long lines and logs in full.")
@click.option(
    "--save",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write a fault file of each fault to this folder, for `arena replay-fault`.",
)
@json_option
@results_option
def faults(
    source: str,
    bot_name: str | None,
    full: bool,
    folder: Path | None,
    as_json: bool,
    results: Path,
) -> None:
    """Print a report of each fault in a run: what was asked, received and expected.

    Of a run under way, only faults of boards that are over are printed. JSON has the faults with
    what was asked and received, without withdrawals.
    """
    listed: list[ListedFault] = []
    stalled: list[str] = []
    restarts: dict[str, list[Restart]] = {}
    withdrawn: dict[str, str] = {}
    shown_any = False
    with open_source(results, source) as store, store.snapshot():
        settings = store.settings(Settings)
        entrants = {one.name: one for one in settings.entrants}
        names = names_of(store)
        bot_name = names.id_of(bot_name) if bot_name is not None else None
        if bot_name is not None and bot_name not in entrants:
            raise SettingsError(unknown("bot of the run", bot_name, entrants))
        shown_games = 0
        over = finished(store.observed_records(), board_of_observed, settings.boards_per_deal)
        for record, seen in over:
            shown_games += 1
            if seen.stalls:
                stalled.append(f"{record.title} ({seen.stalls} times)")
            for restart in seen.restarts:
                restarts.setdefault(record.entrants[restart.seat], []).append(restart)
            for fault in record.faults:
                if fault.kind == "withdrawn":
                    withdrawn.setdefault(record.entrants[fault.seat], fault.text)
            for file in faults_in(record, seen, entrants, settings.limits, settings.sandbox.bounds):
                if bot_name not in (None, file.bot.name):
                    continue
                again = ""
                if folder:
                    again = f"arena replay-fault {shlex.quote(str(save_fault(file, folder)))}"
                if as_json:
                    listed.append(
                        ListedFault(
                            file.bot.name, record.title, record.key, file.fault, file.evidence
                        )
                    )
                    continue
                style = CardStyle(full, again)
                shown = card(
                    names.shown(file.bot.name), file.where, file.fault, file.evidence, style
                )
                say(shown + "\n")
                shown_any = True
        left_out = store.count() - shown_games
    if left_out:
        notice(f"{left_out} games of boards that are not over are left out, with their faults")
    if as_json:
        say_json(listed)
        return
    if not shown_any:
        say(f"no faults of {bot_name}" if bot_name else "no faults")
    for bot, reason in withdrawn.items():
        if bot_name in (None, bot):
            say(f"{names.shown(bot)} was withdrawn from the run: {reason}")
    for bot, broken in restarts.items():
        if bot_name in (None, bot):
            say(_restarted(names.shown(bot), broken))
    if stalled and bot_name is None:
        say(f"a bot got a new process because the host stalled: {', '.join(stalled)}")


def _restarted(bot: str, broken: list[Restart]) -> str:
    """Return a sentence on the processes of a bot that broke without a fault."""
    how = ": ".join([broken[-1].text, *broken[-1].stderr.splitlines()[-1:]])
    if len(broken) == 1:
        return f"{bot}: 1 process broke without a fault: {how}"
    return f"{bot}: {len(broken)} processes broke without a fault; the last one: {how}"
