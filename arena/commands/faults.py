"""`arena faults`: reports of the faults in a run."""

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import msgspec

from arena.check.fault_file import FaultFile, faults_in, save_fault
from arena.check.fault_groups import FaultGroup, FaultGroups, faults_of, summary_lines
from arena.check.fault_report import WIDTH, CardStyle, card
from arena.commands.common import (
    DEFAULT_RESULTS,
    complete_entrants,
    full_option,
    json_option,
    open_source,
    results_option,
    say_json,
    source_argument,
)
from arena.contest.run_roster import Names
from arena.errors import SettingsError
from arena.protocol import SeatFault
from arena.record import Evidence, GameRecord, Observations, Restart
from arena.terminal.console import notice, say, terminal
from arena.tournament.database import Database
from arena.tournament.finished_boards import board_of_observed, finished
from arena.tournament.run_names import named_record, names_of
from arena.tournament.runs import is_file
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


@click.command("faults")
@source_argument
@click.option(
    "--bot",
    "bot_name",
    metavar="NAME",
    shell_complete=complete_entrants,
    help="Print only the faults of this bot.",
)
@click.option("--all", "every", is_flag=True, help="Print each fault, not one of each cause.")
@full_option
@click.option(
    "--save",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write a fault file of each fault to this folder, for `arena replay-fault`.",
)
@json_option
@results_option
def faults_command(
    source: str,
    bot_name: str | None,
    every: bool,
    full: bool,
    folder: Path | None,
    as_json: bool,
    results: Path,
) -> None:
    """Print the faults in a run by cause, with a report: asked, received and expected.

    A summary comes first: how often each cause occurred, its first and last game, and how to see it
    again. Then comes the report of the first fault of each cause, or of every fault with `--all`.
    Of a run under way, only faults of boards that are over are counted. JSON has each fault with
    what was asked and received, without withdrawals.
    """
    with open_source(results, source) as store, store.snapshot():
        faulty = _Faults(store, bot_name)
        if left_out := store.count() - faulty.asides.games:
            notice(f"{left_out} games of boards that are not over are left out, with their faults")
        if as_json:
            files = faulty.files()
            say_json([_listed(file, record) for file, record in files])
            return
        groups = faulty.causes.groups()
        if not groups:
            say(f"no faults of {bot_name}" if bot_name else "no faults")
        else:
            width = min(terminal().width, WIDTH)
            for line in summary_lines(groups, _replay(source, results), width):
                say(line)
            say("")
            _print_cards(faulty, None if every else groups, CardStyle(full, width=width), folder)
    for line in faulty.asides.lines():
        say(line)


def _print_cards(
    faulty: "_Faults", groups: Sequence[FaultGroup] | None, style: CardStyle, folder: Path | None
) -> None:
    """Print the first fault of each of `groups`, or every fault; save all in `folder`, if given."""
    firsts = {(group.first.bot, group.first.key) for group in groups or ()}
    for file, record in faulty.files():
        path = save_fault(file, folder) if folder else None
        name = faulty.names.shown(file.bot.name)
        if groups is None or (name, record.key) in firsts:
            again = f"arena replay-fault {shlex.quote(str(path))}" if path else ""
            styled = style._replace(again=again)
            say(card(name, file.where, file.fault, file.evidence, styled) + "\n")


def _listed(file: FaultFile, record: GameRecord) -> ListedFault:
    return ListedFault(file.bot.name, record.title, record.key, file.fault, file.evidence)


class _Faults:
    """The faults of a run, of all its bots or of one."""

    def __init__(self, store: Database, bot_name: str | None) -> None:
        """Collect them. Raises `SettingsError` if no bot of the run has the name or id."""
        self._store = store
        self._settings = settings = store.settings(Settings)
        self._entrants = {entrant.name: entrant for entrant in settings.entrants}
        self.names: Names = names_of(store)
        self._bot = self.names.id_of(bot_name) if bot_name is not None else None
        if self._bot is not None and self._bot not in self._entrants:
            raise SettingsError(unknown("bot of the run", self._bot, self._entrants))
        shown = self.names.shown(self._bot) if self._bot is not None else None
        self.asides = _Asides(shown)
        self.causes = FaultGroups()
        for record, seen in self._over():
            named = named_record(record, self.names)
            self.asides.add(named, seen)
            for fault in faults_of(named, seen):
                if shown in (None, fault.bot):
                    self.causes.add(fault)

    def files(self) -> Iterator[tuple[FaultFile, GameRecord]]:
        """Yield the file of each fault, with its game."""
        limits, bounds = self._settings.limits, self._settings.sandbox.bounds
        for record, seen in self._over():
            for file in faults_in(record, seen, self._entrants, limits, bounds):
                if self._bot in (None, file.bot.name):
                    yield file, record

    def _over(self) -> Iterator[tuple[GameRecord, Observations]]:
        """Yield the games of the boards that are over."""
        games, boards_per_deal = self._store.observed_records(), self._settings.boards_per_deal
        return finished(games, board_of_observed, boards_per_deal)


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
