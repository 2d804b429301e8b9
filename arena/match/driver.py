"""The driver of a match: carries messages between the match and bot processes.

It makes no decisions. It waits for bots and for the deadline, reports what happened along with
times and process clocks, and carries out the match's commands.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Self

from arena.base.errors import BotError
from arena.base.protocol import Fault, Ready, shorten, write
from arena.base.record import Game, GameRecord, Observations
from arena.match.bot_log import BotLog, OnLog
from arena.match.events import (
    AskFacts,
    AskUsage,
    Command,
    Dismiss,
    Exited,
    Facts,
    Finished,
    Freeze,
    Interrupted,
    Kill,
    Line,
    Send,
    Started,
    StartProcess,
    Thaw,
    Tick,
    Usage,
    Written,
)
from arena.match.match import Match
from arena.match.match_state import Cause, ProcessFacts, Table
from arena.match.seats import Player
from arena.process.bot_process import BYE_GRACE_S, BotProcess
from arena.process.local import LocalProcesses
from arena.process.pipes import MAX_WAIT_S

WATCH_S = 0.1
"""Interval between checks that bots stay within their sandbox limits."""


class WaitingProcesses(NamedTuple):
    """The processes kept between two batches of games."""

    number: int
    memory_kib: int
    """Total memory of the processes in KiB, as far as the system reports it."""


class Driver:
    """Plays games using bot processes. A context manager: on exit, all processes have ended."""

    def __init__(
        self,
        match: Match,
        transport: LocalProcesses | None = None,
        on_log: OnLog | None = None,
    ) -> None:
        """Make a driver without processes.

        Args:
            match: Makes all decisions.
            transport: Carries the messages. Default: processes on this machine.
            on_log: Called with each line a bot writes to stderr.
        """
        settings = match.settings
        self._transport = transport or LocalProcesses(settings.limits, settings.sandbox)
        self._match = match
        self._on_log = on_log
        self._processes: dict[int, BotProcess] = {}
        self._numbers: dict[BotProcess, int] = {}
        self._finished: list[tuple[GameRecord, Observations]] = []
        self._interrupted: deque[Table] = deque()
        self._watch_at = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.let_all_go()
            self._transport.await_leaving(BYE_GRACE_S)
        for process in self._processes.values():
            process.kill()
        self._transport.close()

    # -- playing ------------------------------------------------------------------------------

    def introduce(self) -> dict[str, Ready | Fault]:
        """Start every bot and return what each reported about itself, or why it failed."""
        self._match.start_all(self._transport.now())
        self._carry_out()
        while self._match.is_waiting:
            self._exchange()
        return self._match.introductions()

    def play_all(self, games: Iterable[Game]) -> Iterator[tuple[GameRecord, Observations]]:
        """Yield each game as it finishes. Interrupted games are resumed one at a time.

        Raises:
            Stopped: The games are no longer wanted.
            BotUnavailable: A bot can't play, through no fault of its own.
        """
        match, waiting = self._match, iter(games)
        coming = next(waiting, None)
        while coming or match.tables or self._interrupted:
            if self._interrupted:
                if not match.tables:
                    match.resume(self._interrupted.popleft(), self._transport.now())
                    self._carry_out()
            else:
                while coming and match.has_room_for(coming):
                    match.start(coming, self._transport.now())
                    self._carry_out()
                    coming = next(waiting, None)
            if match.tables:
                self._exchange()
            if self._finished:
                yield from self._finished
                self._finished.clear()

    def _exchange(self) -> None:
        """Send what is queued, wait for an answer or the deadline, and report it."""
        match, transport = self._match, self._transport
        transport.flush()
        now = transport.now()
        match.receive(Written(), now)
        until = match.deadline
        if self._watch_at < until:
            until = self._watch_at
        readable = transport.wait(min(max(0.0, until - now), MAX_WAIT_S))
        numbers = self._numbers
        for process in readable:
            if process in numbers:  # else it was just ended
                self._read(numbers[process], process)
        now = transport.now()
        if now >= match.deadline:
            match.receive(Tick(), now)
            self._carry_out()
        if now >= self._watch_at:
            self._watch()

    def _watch(self) -> None:
        """Kill bots that exceed their sandbox limits."""
        for number, process in list(self._processes.items()):
            if excess := process.excess():
                self._end(number, "excess", f"was ended, since it {excess}")
        self._watch_at = self._transport.now() + WATCH_S

    def _read(self, number: int, process: BotProcess) -> None:
        """Report lines from a process, or that it has exited.

        A process closes its output before it exits. This method doesn't wait for the exit, since
        other bots may be on the clock. A bot that closes its output and keeps running will
        exceed its idle time.
        """
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
                match.receive(Line(number, line, clock_s), now)
                self._carry_out()
                if number not in self._processes:  # it was ended for this line
                    return
        if process.too_long is not None:
            text = f"sent a line of more than {match.settings.limits.line_bytes} bytes"
            self._end(number, "flood", text, process.too_long)

    # -- carrying out commands ----------------------------------------------------------------

    def _carry_out(self) -> None:
        """Carry out the match's commands until there are no more."""
        next_command, processes, put = (
            self._match.next_command,
            self._processes,
            self._transport.put,
        )
        while (command := next_command()) is not None:
            if type(command) is Send:
                process = processes.get(command.process)
                if process is not None:
                    put(process, command.line)
            else:
                self._execute(command)

    def _execute(self, command: Command) -> None:
        processes = self._processes
        match command:
            case StartProcess():
                self._start(command)
            case AskUsage():
                self._report_usage(command)
            case Kill(number, cause, text, came):
                if number in processes:  # else it was killed for another cause just before
                    self._end(number, cause, text, came or processes[number].half_line)
            case AskFacts(number):
                facts = _facts(processes[number])
                self._match.receive(Facts(number, facts), self._transport.now())
            case Freeze(number):
                if number in processes:
                    processes[number].freeze()
            case Thaw(number):
                if number in processes:
                    processes[number].thaw()
            case Dismiss(number):
                if number in processes:
                    self._transport.let_go(self._forget(number), BYE_GRACE_S)
            case Finished(record, seen):
                self._finished.append((record, seen))
            case Interrupted(table):
                self._interrupted.append(table)

    def _start(self, command: StartProcess) -> None:
        entrant, number, transport = command.entrant, command.process, self._transport
        try:
            process = transport.start(entrant)
        except (BotError, OSError) as error:
            text = str(error)
            if isinstance(error, OSError):
                text = f"cannot start `{shorten(' '.join(entrant.command))}`: "
                text += str(error.strerror or error)
            self._match.receive(Started(number, text), transport.now())
            return
        self._processes[number] = process
        self._numbers[process] = number
        if self._on_log:
            process.on_stderr = BotLog(self._match.sessions[number], self._on_log).feed
        transport.put(process, write(command.hello))
        started = Started(number, "", process.has_exact_clock, transport.cores)
        self._match.receive(started, transport.now())

    def _report_usage(self, command: AskUsage) -> None:
        """Read all clocks before doing anything else, then report each.

        Bots that were asked are read first, because their answer may have come while we were
        busy.
        """
        processes, now = self._processes, self._transport.now
        clocks_s = {number: processes[number].clock_s() for number, _ in command.processes}
        for number, needs_state in command.processes:
            if needs_state and number in processes:
                self._read(number, processes[number])
        for number, needs_state in command.processes:
            if process := processes.get(number):
                is_able = process.is_able() if needs_state else None
                self._match.receive(Usage(number, clocks_s[number], is_able), now())
        self._carry_out()

    def _end(self, number: int, cause: Cause, text: str = "", came: bytes = b"") -> None:
        """Kill a process that has broken, and report the facts observed."""
        process = self._forget(number)
        clock_s, facts = process.clock_s(), _facts(process)
        self._transport.end(process)
        text = text or process.exit_text()
        process.check_available()
        if obstacle := self._transport.obstacle(process):
            cause, text = "start", obstacle
        facts = facts._replace(stderr=process.last_words)
        exited = Exited(number, cause, text, came, clock_s, facts)
        self._match.receive(exited, self._transport.now())
        self._carry_out()

    # -- processes -----------------------------------------------------------------------------

    def let_all_go(self) -> None:
        """Let all processes exit without waiting for them, before leaving the context."""
        for number in list(self._processes):
            self._transport.let_go(self._forget(number), BYE_GRACE_S)

    def dismiss(self, number: int, grace_s: float = BYE_GRACE_S) -> ProcessFacts | None:
        """Let a process exit. Return the facts observed if it takes longer than `grace_s`."""
        process = self._forget(number)
        facts = _facts(process)
        return facts if self._transport.dismiss([process], grace_s) else None

    def _forget(self, number: int) -> BotProcess:
        process = self._processes.pop(number)
        del self._numbers[process]
        return process

    def memory_kib_of(self, number: int) -> int:
        """Return the memory of a process; 0 if the system doesn't report it."""
        return self._processes[number].memory_kib()

    # -- batches of games ----------------------------------------------------------------------

    def enter(self, players: Mapping[str, Player]) -> None:
        """Set the players of the next games. Bots that already have a process keep it."""
        self._match.enter(players)
        self.look()

    def look(self) -> None:
        """Kill processes that have used up their budget, even between games."""
        self._match.look(self._transport.now())
        self._carry_out()

    def rest(self) -> WaitingProcesses:
        """Freeze the processes until the next games and return what is kept.

        Processes of bots that broke exit.
        """
        self._transport.flush()
        self._match.rest()
        self._carry_out()
        self._transport.await_leaving()
        memory_kib = sum([process.quick_memory_kib() for process in self._processes.values()])
        return WaitingProcesses(len(self._processes), memory_kib)


def _facts(process: BotProcess) -> ProcessFacts:
    return ProcessFacts(process.last_words, process.memory_kib() or None)
