"""Collect the faults and withdrawals of bots in a run."""

from collections.abc import Iterator

from arena.base.record import GameRecord
from arena.check.fault_groups import FaultGroups, FaultInGame, faults_of
from arena.tournament.database import Database
from arena.tournament.display_names import names_of, with_names
from arena.tournament.finished_boards import finished_games


class RunFaults:
    def __init__(self, store: Database, bot_name: str | None) -> None:
        """Collect the faults of the bot `bot_name`, or of all bots.

        Raise `SettingsError` if no bot of the run has the name or id `bot_name`.
        """
        self._store = store
        self.names = names_of(store)
        shown = None if bot_name is None else self.names.shown(self.names.find(bot_name))
        self._shown = shown
        self.asides = _Asides(shown)
        self.causes = FaultGroups()
        for record, seen in finished_games(self._store):
            named = with_names(record, self.names)
            self.asides.add(named)
            for fault in faults_of(named, seen):
                if shown in (None, fault.bot):
                    self.causes.add(fault)

    def faults(self) -> Iterator[FaultInGame]:
        for record, seen in finished_games(self._store):
            for found in faults_of(with_names(record, self.names), seen):
                if self._shown in (None, found.bot):
                    yield found


class _Asides:
    def __init__(self, bot: str | None) -> None:
        self._bot = bot
        self._withdrawn: dict[str, str] = {}
        self.games = 0

    def add(self, record: GameRecord) -> None:
        self.games += 1
        for fault in record.faults:
            if fault.kind == "withdrawn":
                self._withdrawn.setdefault(record.entrants[fault.seat], fault.text)

    def lines(self) -> Iterator[str]:
        for bot, reason in self._withdrawn.items():
            if self._bot in (None, bot):
                yield f"{bot} was withdrawn from the run: {reason}"
