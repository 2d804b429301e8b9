"""`arena faults`: reports of the faults in a run."""

import os
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from arena.check.fault_file import FaultFile, faults_in, save_fault
from arena.check.fault_groups import FaultGroups, faults_of
from arena.check.fault_report import WIDTH, CardStyle, card
from arena.commands.common import DEFAULT_RESULTS, is_file, open_source, results_option
from arena.errors import SettingsError
from arena.record import Entrant, GameRecord, Observations, Restart
from arena.terminal.console import notice, say, terminal
from arena.terminal.fault_summary import summary_lines
from arena.tournament.database import Database
from arena.tournament.finished_boards import board_of_observed, finished
from arena.tournament.settings import Settings
from engine.errors import unknown


@click.command()
@click.argument("source", metavar="RUN|FILE")
@click.option("--bot", "bot_name", metavar="NAME", help="Print only the faults of this bot.")
@click.option("--all", "every", is_flag=True, help="Print each fault, not one of each cause.")
@click.option("--full", is_flag=True, help="Print long lines and logs in full.")
@click.option(
    "--save",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write a fault file of each fault to this folder, for `arena replay-fault`.",
)
@results_option
def faults(
    source: str,
    bot_name: str | None,
    every: bool,
    full: bool,
    folder: Path | None,
    results: Path,
) -> None:
    """Print the faults in a run by cause, with a report: asked, received and expected.

    A summary comes first: how often each cause occurred, its first and last game, and how to see it
    again. Then comes the report of the first fault of each cause, or of every fault with `--all`.
    Of a run under way, only faults of boards that are over are counted.
    """
    with open_source(results, source) as store, store.snapshot():
        settings = store.settings(Settings)
        entrants = {one.name: one for one in settings.entrants}
        if bot_name is not None and bot_name not in entrants:
            raise SettingsError(unknown("bot of the run", bot_name, entrants))
        asides = _Asides(bot_name)
        causes = FaultGroups()
        for record, seen in _over(store, settings):
            asides.add(record, seen)
            for one in faults_of(record, seen):
                if bot_name in (None, one.bot):
                    causes.add(one)
        if left_out := store.count() - asides.games:
            notice(f"{left_out} games of boards that are not over are left out, with their faults")
        if groups := causes.groups():
            console = terminal()
            for line in summary_lines(groups, _replay(source, results), min(console.width, WIDTH)):
                say(line)
            say("")
            shown = {(one.bot, one.key) for one in (group.first for group in groups)}
            for file, key in _files(store, settings, entrants):
                if bot_name not in (None, file.bot.name):
                    continue
                path = save_fault(file, folder) if folder else None
                if every or (file.bot.name, key) in shown:
                    again = f"arena replay-fault {shlex.quote(str(path))}" if path else ""
                    style = CardStyle(full, again)
                    say(card(file.bot.name, file.where, file.fault, file.evidence, style) + "\n")
        else:
            say(f"no faults of {bot_name}" if bot_name else "no faults")
    for line in asides.lines():
        say(line)


class _Asides:
    """What else happened to the processes of the bots, collected game by game."""

    def __init__(self, bot: str | None) -> None:
        """Collect it for all bots, or for one `bot`."""
        self._bot = bot
        self._stalled: list[str] = []
        self._restarts: dict[str, list[Restart]] = {}
        self._withdrawn: dict[str, str] = {}
        self.games = 0

    def add(self, record: GameRecord, seen: Observations) -> None:
        """Add a game."""
        self.games += 1
        if seen.stalls:
            self._stalled.append(f"{record.title} ({seen.stalls} times)")
        for restart in seen.restarts:
            self._restarts.setdefault(record.entrants[restart.seat], []).append(restart)
        for fault in record.faults:
            if fault.kind == "withdrawn":
                self._withdrawn.setdefault(record.entrants[fault.seat], fault.text)

    def lines(self) -> Iterator[str]:
        """Yield what happened, as sentences."""
        for bot, reason in self._withdrawn.items():
            if self._bot in (None, bot):
                yield f"{bot} was withdrawn from the run: {reason}"
        for bot, broken in self._restarts.items():
            if self._bot in (None, bot):
                yield _restarted(bot, broken)
        if self._stalled and self._bot is None:
            games = ", ".join(self._stalled)
            yield f"a bot got a new process because the host stalled: {games}"


def _over(store: Database, settings: Settings) -> Iterator[tuple[GameRecord, Observations]]:
    """Yield the games of the boards that are over."""
    return finished(store.observed_records(), board_of_observed, settings.boards_per_deal)


def _files(
    store: Database, settings: Settings, entrants: Mapping[str, Entrant]
) -> Iterator[tuple[FaultFile, str]]:
    """Yield the file of each fault, with the key of its game."""
    bounds = settings.sandbox.bounds
    for record, seen in _over(store, settings):
        for file in faults_in(record, seen, entrants, settings.limits, bounds):
            yield file, record.key


def _replay(source: str, results: Path) -> str:
    """Return the command that replays a game of the run, without the game."""
    words = ["arena", "replay", source]
    if results != DEFAULT_RESULTS and not is_file(source) and os.sep not in source:
        words += ["--results", str(results)]
    return shlex.join(words)


def _restarted(bot: str, broken: list[Restart]) -> str:
    """Return a sentence on the processes of a bot that broke without a fault."""
    how = ": ".join([broken[-1].text, *broken[-1].stderr.splitlines()[-1:]])
    if len(broken) == 1:
        return f"{bot}: 1 process broke without a fault: {how}"
    return f"{bot}: {len(broken)} processes broke without a fault; the last one: {how}"
