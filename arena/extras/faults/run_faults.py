"""Collect the faults, restarts and withdrawals of bots in a run."""

from collections.abc import Iterator

from arena.base.record import GameRecord, Observations, Restart
from arena.check.fault_groups import FaultGroups, FaultInGame, faults_of, raised_in
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
            self.asides.add(named, seen)
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
        self._restarts: dict[str, list[Restart]] = {}
        self._withdrawn: dict[str, str] = {}
        self.games = 0

    def add(self, record: GameRecord, seen: Observations) -> None:
        self.games += 1
        for restart in seen.restarts:
            self._restarts.setdefault(record.entrants[restart.seat], []).append(restart)
        for fault in record.faults:
            if fault.kind == "withdrawn":
                self._withdrawn.setdefault(record.entrants[fault.seat], fault.text)

    def lines(self) -> Iterator[str]:
        for bot, reason in self._withdrawn.items():
            if self._bot in (None, bot):
                yield f"{bot} was withdrawn from the run: {reason}"
        for bot, broken in self._restarts.items():
            if self._bot in (None, bot):
                yield _restarted(bot, broken)


def _restarted(bot: str, broken: list[Restart]) -> str:
    last = broken[-1]
    said = raised_in(last.stderr) or "".join(last.stderr.splitlines()[-1:])
    how = f"{last.text}: {said}" if said else last.text
    if len(broken) == 1:
        return f"{bot}: 1 process broke without a fault: {how}"
    return f"{bot}: {len(broken)} processes broke without a fault; the last one: {how}"
