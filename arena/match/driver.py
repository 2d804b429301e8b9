"""Run the bot processes that play the games of a match.

The driver performs all I/O but makes no decisions: it passes events to the match and executes
the match's commands.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Self

from arena.base.errors import BotError
from arena.base.protocol import Fault, Ready, shorten, write
from arena.base.record import Game, GameRecord, Observations
from arena.match import events
from arena.match.bot_log import OnLog
from arena.match.match import Match
from arena.match.match_state import NO_HOOKS, BotFailure, Cause, MatchHooks, ProcessFacts
from arena.match.seats import Player
from arena.match.settings import MatchSettings
from arena.process.bot_process import BYE_GRACE_S, BotProcess
from arena.process.local import LocalProcesses
from arena.process.pipes import MAX_WAIT_S

WATCH_S = 0.1


class WaitingProcesses(NamedTuple):
    number: int
    memory_kib: int


class Driver:
    """Context manager that starts bot processes, plays games with them, and finally stops them."""

    def __init__(
        self,
        players: Mapping[str, Player],
        settings: MatchSettings,
        transport: LocalProcesses | None = None,
        hooks: MatchHooks = NO_HOOKS,
    ) -> None:
        self._transport = transport or LocalProcesses(settings.limits, settings.sandbox)
        self._match = Match(players, settings, random.Random(), hooks)
        self._line_bytes = settings.limits.line_bytes
        self._processes: dict[int, BotProcess] = {}
        self._numbers: dict[BotProcess, int] = {}
        self._finished: list[tuple[GameRecord, Observations]] = []
        self._watch_at = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.let_all_go()
            self._transport.await_leaving(BYE_GRACE_S)
        for process in self._processes.values():
            process.kill()
        self._transport.await_leaving()

    # -- playing ------------------------------------------------------------------------------

    def start_bots(self) -> dict[str, Ready | Fault]:
        """Start all bots and return each bot's `ready` message or fault."""
        self._report(events.StartBots())
        bots = self._match.sessions.bots
        while any(session.ready is None for bot in bots.values() for session in bot.sessions):
            self._exchange()
        faults = {name: failure.fault for name, failure in self.failures.items()}
        return faults | {name: bot.ready for name, bot in bots.items() if bot.ready}

    @property
    def failures(self) -> dict[str, BotFailure]:
        """The latest fault of each bot whose process has failed."""
        bots = self._match.sessions.bots.items()
        return {name: bot.failure for name, bot in bots if bot.failure}

    def play_all(self, games: Iterable[Game]) -> Iterator[tuple[GameRecord, Observations]]:
        """Play games and yield the record of each game when it ends.

        Raises:
            StopRequested: The parent process ended or told the worker to stop.
            BotUnavailable: A bot can't play, for example because a service that it calls is down.
        """
        unfinished = 0
        for game in games:
            self._match.start(game, self._transport.now())
            unfinished += 1
        self._carry_out()
        while True:
            finished, self._finished = self._finished, []
            unfinished -= len(finished)
            yield from finished
            if not unfinished:
                return
            self._exchange()

    def _exchange(self) -> None:
        match, transport = self._match, self._transport
        transport.flush()
        now = transport.now()
        match.receive(events.Written(), now)
        until = min(match.deadline, self._watch_at)
        readable = transport.wait(min(max(0.0, until - now), MAX_WAIT_S))
        numbers = self._numbers
        for process in readable:
            if process in numbers:  # otherwise it has just been killed
                self._read(numbers[process], process)
        now = transport.now()
        if now >= match.deadline:
            self._report(events.Tick())
        if now >= self._watch_at:
            for number, process in list(self._processes.items()):
                if excess := process.excess():
                    self._end(number, "excess", f"was killed because it {excess}")
            self._watch_at = transport.now() + WATCH_S

    def _report(self, event: events.Event) -> None:
        self._match.receive(event, self._transport.now())
        self._carry_out()

    def _read(self, number: int, process: BotProcess) -> None:
        # If the process keeps running after its output is closed, it exceeds its idle time limit.
        lines = process.read_lines()
        if lines is None:
            if process.has_exited():
                self._end(number, "crash", came=process.half_line)
            else:
                self._transport.await_exit(process)
            return
        match = self._match
        if lines:
            clock_s, now = process.clock_s(), self._transport.now()
            for line in lines:
                match.receive(events.Line(number, line, clock_s), now)
                self._carry_out()
                if number not in self._processes:  # it was killed for this line
                    return
        if process.too_long is not None:
            text = f"sent a line of more than {self._line_bytes} bytes"
            self._end(number, "flood", text, process.too_long)

    # -- carrying out commands ----------------------------------------------------------------

    def _carry_out(self) -> None:
        next_command, processes, put = (
            self._match.next_command,
            self._processes,
            self._transport.put,
        )
        while (command := next_command()) is not None:
            if type(command) is events.Send:
                process = processes.get(command.process)
                if process is not None:
                    put(process, command.line)
            else:
                self._execute(command)

    def _execute(self, command: events.Command) -> None:
        match command:
            case events.StartProcess():
                self._start(command)
            case events.MeasureUsage(measured):
                self._report_usage(measured)
            case events.Finished(record, seen):
                self._finished.append((record, seen))
            case _ if process := self._processes.get(command.process):
                self._execute_on(process, command)

    def _execute_on(self, process: BotProcess, command: events.Command) -> None:
        match command:
            case events.Kill(number, cause, text, came):
                self._end(number, cause, text, came or process.half_line)
            case events.Freeze():
                process.freeze()
            case events.Thaw():
                process.thaw()
            case events.Dismiss(number):
                self._transport.let_go(self._forget(number), BYE_GRACE_S)

    def _start(self, command: events.StartProcess) -> None:
        entrant, number, transport = command.entrant, command.process, self._transport
        try:
            process = transport.start(entrant)
        except (BotError, OSError) as error:
            text = str(error)
            if isinstance(error, OSError):
                text = f"cannot start `{shorten(' '.join(entrant.command))}`: "
                text += str(error.strerror or error)
            self._match.receive(events.Started(number, text), transport.now())
            return
        self._processes[number] = process
        self._numbers[process] = number
        process.on_stderr = command.on_stderr
        transport.put(process, write(command.hello))
        started = events.Started(number, "", process.has_exact_clock, transport.cores)
        self._match.receive(started, transport.now())

    def _report_usage(self, measured: Sequence[tuple[int, bool]]) -> None:
        processes = self._processes
        # All clocks are read before any event is handled. Output is read after the state, because a
        # bot that has just answered appears idle.
        clocks_s = {number: processes[number].clock_s() for number, _ in measured}
        needed = [number for number, needs_state in measured if needs_state]
        states = {number: processes[number].is_able() for number in needed}
        for number in states:
            if number in processes:  # otherwise, it was killed because of another bot's output
                self._read(number, processes[number])
        for number, _ in measured:
            usage = events.Usage(number, clocks_s[number], states.get(number))
            self._match.receive(usage, self._transport.now())
        self._carry_out()

    def _end(self, number: int, cause: Cause, text: str = "", came: bytes = b"") -> None:
        process = self._forget(number)
        clock_s = process.clock_s()
        facts = ProcessFacts(process.last_words, process.memory_kib() or None)
        self._transport.end(process)
        text = text or process.exit_text()
        process.check_available()
        if obstacle := self._transport.obstacle(process):
            cause, text = "start", obstacle
        facts = facts._replace(stderr=process.last_words)
        self._report(events.Exited(number, cause, text, came, clock_s, facts))

    # -- processes -----------------------------------------------------------------------------

    def let_all_go(self) -> None:
        for number in list(self._processes):
            self._transport.let_go(self._forget(number), BYE_GRACE_S)

    def _forget(self, number: int) -> BotProcess:
        process = self._processes.pop(number)
        del self._numbers[process]
        return process

    def memory_kib_of(self, name: str) -> int | None:
        """Return the memory usage of a bot in KiB, or None if the bot isn't running."""
        processes = [bot for bot in self._processes.values() if bot.entrant.name == name]
        return processes[0].memory_kib() if processes else None

    # -- batches of games ----------------------------------------------------------------------

    def set_players(self, players: Mapping[str, Player]) -> None:
        """Set the players for the next games. Running bots keep their processes."""
        self._report(events.SetPlayers(players))
        self.enforce_limits()

    def enforce_limits(self) -> None:
        """Kill bot processes that have exceeded their time limit. Call this between games, too."""
        self._report(events.Tick())

    def pause_bots(self) -> WaitingProcesses:
        """Stop bots that have failed or haven't answered, and freeze all other bots until the next
        game.
        """
        self._transport.flush()
        self._report(events.PauseBots())
        self._transport.await_leaving()
        memory_kib = sum([process.quick_memory_kib() for process in self._processes.values()])
        return WaitingProcesses(len(self._processes), memory_kib)


OpenTransport = Callable[[MatchSettings], LocalProcesses]


def local_processes(settings: MatchSettings, orders: int | None = None) -> LocalProcesses:
    """Return an object that runs bot processes on this machine.

    All games stop as soon as the optional file descriptor `orders` becomes readable.
    """
    return LocalProcesses(settings.limits, settings.sandbox, orders)


def watch_games(
    games: Iterable[Game],
    players: Mapping[str, Player],
    settings: MatchSettings,
    open_transport: OpenTransport = local_processes,
    on_log: OnLog | None = None,
) -> Iterator[tuple[GameRecord, Observations]]:
    """Play games and yield each game's record and observations when the game ends.

    Raises:
        StopRequested: The parent process ended or told the worker to stop.
    """
    with Driver(players, settings, open_transport(settings), MatchHooks(on_log=on_log)) as driver:
        yield from driver.play_all(games)
