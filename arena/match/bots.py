"""The bots of a match, with the processes that run for each."""

from collections import deque
from collections.abc import Collection, Iterator, Mapping

from arena.base.protocol import Fault, Ready
from arena.base.record import Entrant, GameRecord, Restart
from arena.match.charging import Charge
from arena.match.commands import Command, Dismiss, StartProcess
from arena.match.match_state import (
    MAX_FAILED_STARTS,
    ChargedSeat,
    Conversation,
    GameInProgress,
    RunningBot,
)
from arena.match.request_queue import RequestQueue
from arena.match.seats import Player
from arena.match.settings import MatchSettings


class Bots:
    """The bots of a match by name, and their processes by number."""

    def __init__(
        self, players: Mapping[str, Player], settings: MatchSettings, requests: RequestQueue
    ) -> None:
        self._settings = settings
        self._requests = requests
        self._outbox: deque[Command] = requests.outbox
        self._bots: dict[str, RunningBot] = {}
        self.running: dict[int, Conversation] = {}
        """The processes that have neither broken nor been dismissed."""
        self._started = 0
        self.enter(players)

    def enter(self, players: Mapping[str, Player]) -> list[int]:
        """Take the bots among the players of the next games. A bot that has a process goes on.

        Return the processes that have to leave, since a script plays for their bot from now on. A
        bot that is no player has just no game, and keeps its process.
        """
        leaving = []
        for name, player in players.items():
            known = self._bots.get(name)
            if known and known.entrant != player:
                leaving += list(known.processes)
            if isinstance(player, Entrant) and not (known and known.processes):
                self._bots[name] = RunningBot(player, self._settings.waiting_games > 0)
        for process in leaving:
            self.remove(process)
        return [process.number for process in leaving]

    def __getitem__(self, name: str) -> RunningBot:
        return self._bots[name]

    def among(self, names: Collection[str]) -> Iterator[RunningBot]:
        """Yield the bots among these players."""
        return (self._bots[name] for name in names if name in self._bots)

    # -- what they said -----------------------------------------------------------------------

    def introductions(self) -> dict[str, Ready | Fault]:
        """Return what each bot said of itself, or why it did not."""
        return {
            name: bot.ready or (bot.charge.fault if bot.charge else Fault("start", "did not start"))
            for name, bot in self._bots.items()
        }

    def charge_of(self, name: str) -> Charge | None:
        """Return the charge of an entrant's last process that broke."""
        return self._bots[name].charge

    def restarts_in(self, game: GameInProgress, record: GameRecord) -> tuple[Restart, ...]:
        """Return the processes that broke without a fault before a game was over.

        Each is returned once.
        """
        found = []
        for seat, name in enumerate(record.entrants):
            if name in self._bots:
                own, restarts = game.seats[seat], self._bots[name].restarts
                if isinstance(own, ChargedSeat) and not record.faults_of(seat):
                    restarts.append(own.charge)  # it broke after its last decision
                for charge in restarts:
                    found.append(Restart(seat, charge.fault.text, charge.evidence.stderr))
                restarts.clear()
        return tuple(found)

    def process_of(self, name: str) -> int | None:
        """Return the number of an entrant's first process; None without one."""
        processes = self._bots[name].processes
        return processes[0].number if processes else None

    # -- starting and ending ------------------------------------------------------------------

    def start_all(self) -> None:
        """Start a process of every bot that has none."""
        for bot in self._bots.values():
            if not bot.processes:
                self.start(bot)

    def process_for(
        self, bot: RunningBot, games: Collection[GameInProgress]
    ) -> Conversation | None:
        """Return a process for a game, or None if the bot has failed to start too often.

        A bot that waits gets one that is in none of the `games`. No bot gets one that has a game of
        its own.
        """
        busy = [process for game in games for process in game.processes] if bot.waits else ()
        for process in bot.processes:
            if not (process.is_own or process in busy):
                return process
        return self.start(bot)

    def start(self, bot: RunningBot) -> Conversation | None:
        """Start a process, or return None if the bot has failed to start too often."""
        if bot.failed_starts >= MAX_FAILED_STARTS:
            return None
        self._started += 1
        process = Conversation(self._started, bot, self._settings.limits)
        self.running[process.number] = process
        bot.processes.append(process)
        bot.ready = None
        self._requests.greeted(process)
        self._outbox.append(StartProcess(process.number, bot.entrant, process.hello))
        return process

    def end_own(self, process: Conversation) -> None:
        """Keep a process whose own game is over for other games, or let it leave."""
        process.is_own = False
        if len(process.bot.processes) > 1:
            self.remove(process)
            self._outbox.append(Dismiss(process.number))

    def rest(self) -> None:
        """Freeze all processes until the next games, if the sandbox can do that."""
        self._requests.freezer.freeze_all()

    def restless(self) -> list[int]:
        """Return the processes that have to leave before the next games, now that all should rest.

        They were not seen to stop, have not said that they are ready, or are of a bot that has
        broken. It begins the next games with a new process, as if it had not.
        """
        runs_on = self._requests.freezer.is_on
        leaving = [
            process
            for process in self.running.values()
            if process.bot.charge or process.requests or (runs_on and not process.has_stopped)
        ]
        for process in leaving:
            self._requests.forget(process)
            self.remove(process)
        return [process.number for process in leaving]

    def remove(self, process: Conversation) -> None:
        """Forget a process that has ended."""
        self._requests.freezer.remove(process)
        del self.running[process.number]
        process.bot.processes.remove(process)
