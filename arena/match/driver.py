"""The driver of a match: it carries messages between the dispatcher and bot processes.

It decides nothing. It carries out the dispatcher's commands, waits for bots and deadlines, and
reports what happened, with the time.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Self

from arena.base.errors import BotError
from arena.base.protocol import Fault, Ready, shorten, write
from arena.base.record import Game, GameRecord, Observations
from arena.match.bot_log import BotLog, OnLog
from arena.match.charging import Reading
from arena.match.commands import (
    Breakage,
    Command,
    Dismiss,
    Freeze,
    Inspect,
    Kill,
    Measure,
    ProcessFacts,
    RecordGame,
    Send,
    StartProcess,
    Thaw,
    TooLate,
)
from arena.match.dispatcher import Dispatcher
from arena.match.request_queue import BEAT_S
from arena.match.seats import Player
from arena.process.bot_process import BYE_GRACE_S, BotProcess
from arena.process.local import LocalProcesses
from arena.process.pipes import MAX_WAIT_S
from arena.process.usage import Usage

WATCH_S = 0.1
"""The time between two looks at whether bots keep within the bounds of their sandbox."""
METER_S = 1.0
"""The time between two measurements of the processor time of all bots."""


class WaitingProcesses(NamedTuple):
    """The processes that are kept between two batches of games."""

    cpu_ms: Sequence[int]
    """The processor time that each has used so far, in ms."""
    memory_kib: int
    """The memory of all of them together in KiB, as far as the system tells."""


class Driver:
    """Plays games by processes. Use it as a context: at its end no process is left."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        transport: LocalProcesses | None = None,
        on_log: OnLog | None = None,
    ) -> None:
        """Make a driver without processes.

        Args:
            dispatcher: what decides.
            transport: what carries the messages; None stands for processes of this machine.
            on_log: called with each line that a bot writes to stderr.
        """
        settings = dispatcher.settings
        self._transport = transport or LocalProcesses(settings.limits, settings.sandbox)
        self._processes: dict[int, BotProcess] = {}
        self._numbers: dict[BotProcess, int] = {}
        self._dispatcher = dispatcher
        self._requests = dispatcher.requests
        self._heard = dispatcher.heard
        self._outbox = dispatcher.outbox
        self._on_log = on_log
        self._finished: list[tuple[GameRecord, Observations]] = []
        self._has_bank = settings.limits.bank_ms > 0
        self._woken = self._transport.now()
        self._watch_at = 0.0
        self._meter_at = math.inf if settings.sandbox.level == "none" else 0.0

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
        """Start every bot, and return what each said of itself, or why it did not."""
        self._dispatcher.bots.start_all()
        self._carry_out()
        while self._requests.unanswered:
            self._exchange()
        return self._dispatcher.bots.introductions()

    def play_all(self, games: Iterable[Game]) -> Iterator[tuple[GameRecord, Observations]]:
        """Yield each game when it is over.

        Raises:
            Stopped: the games are no longer wanted.
            BotUnavailable: a bot cannot play for a reason outside it.
        """
        under_way = self._dispatcher.games
        waiting = iter(games)
        has_more = True
        while has_more or under_way.by_table:
            while has_more and under_way.has_free_table:
                game = next(waiting, None)
                if game is None:
                    has_more = False
                else:
                    under_way.begin(game)
                    self._carry_out()
            if under_way.by_table:
                self._exchange()
            if self._finished:
                yield from self._finished
                self._finished.clear()

    def _exchange(self) -> None:
        """Send requests, wait until a bot answers or a deadline passes, and report it."""
        requests, transport = self._requests, self._transport
        lines = requests.send()
        if self._outbox:
            self._carry_out()
        for number, text in lines.items():
            if process := self._processes.get(number):  # else it was ended just before
                transport.put(process, text)
        transport.flush()
        now = transport.now()
        requests.stalls.was_busy(now - self._woken)
        requests.sent(now)
        until = requests.next_look
        if self._watch_at < until:
            until = self._watch_at
        wait_s = until - now
        if not 0.0 <= wait_s <= BEAT_S:
            wait_s = min(max(0.0, wait_s), BEAT_S if requests.unanswered else MAX_WAIT_S)
        readable = transport.wait(wait_s)
        self._woken = woken = transport.now()  # what can be read now has come by then
        if self._has_bank:
            requests.stalls.woke(wait_s, woken - now, transport.queued_s())
        elif woken - now > wait_s:
            requests.stalls.woke(wait_s, woken - now)
        numbers = self._numbers
        for process in readable:
            if process in numbers:  # else it was just ended
                self._read(numbers[process], process, woken)
        if woken >= until:
            self._look(woken)
            if self._watch_at <= woken:
                self._watch()

    def _look(self, now: float) -> None:
        """Look at the processes whose deadline has passed, or that may think."""
        for pending in self._requests.due(now):
            process = self._processes.get(pending.number)
            if process and pending.requests and pending.deadline <= now:
                self._read(pending.number, process, now)
            if pending.number in self._processes:
                came = self._processes[pending.number].half_line
                self._requests.look(pending, came, now)
                self._carry_out()

    def _watch(self) -> None:
        """End the bots that exceed the bounds of their sandbox."""
        for number, process in list(self._processes.items()):
            if excess := process.excess():
                self._kill(Kill(number, "excess", f"was ended, since it {excess}"))
                self._carry_out()
        now = self._transport.now()
        self._watch_at = now + WATCH_S
        if self._meter_at <= now:
            self._meter_at = now + METER_S
            for number in self._processes:
                self._outbox.append(Measure(number))
            self._carry_out()

    def _read(self, number: int, process: BotProcess, now: float) -> None:
        """Report the lines of a process, which have come by `now`, or that it has exited.

        The end of its output comes before its exit. It is not waited for here, since other bots may
        be on the clock. A bot that closes its output and lives on will be too late.
        """
        lines = process.read_lines()
        if lines is None:
            if process.has_exited():
                self._kill(Kill(number, "crash", came=process.half_line))
                self._carry_out()
            else:
                self._transport.await_exit(process)
            return
        for line in lines:
            self._heard(number, line, now)
            if self._outbox:
                self._carry_out()
                if number not in self._processes:  # it was ended for this line
                    return
        if process.too_long is not None:
            text = f"sent a line of more than {self._dispatcher.settings.limits.line_bytes} bytes"
            self._kill(Kill(number, "flood", text, process.too_long))
            self._carry_out()

    # -- carrying out commands ----------------------------------------------------------------

    def _carry_out(self) -> None:
        """Carry out the commands of the dispatcher, and those that follow from them."""
        outbox, processes, put = self._outbox, self._processes, self._transport.put
        while outbox:
            command = outbox.popleft()
            if type(command) is Send:
                process = processes.get(command.process)
                if process is not None:
                    put(process, command.line)
            else:
                self._execute(command)

    def _execute(self, command: Command) -> None:
        match command:
            case StartProcess():
                self._start(command)
            case Kill(process):
                if process in self._processes:  # else it was killed for another cause just before
                    self._kill(command)
            case Dismiss(process):
                self._transport.let_go(self._forget(process), BYE_GRACE_S)
            case Inspect(process):
                inspected = self._processes[process]
                used = inspected.usage()
                reading = used and _reading(used, self._transport)
                self._dispatcher.inspected(command, _facts(inspected, used), reading)
            case Measure(process):
                measured = self._processes.get(process)
                if measured and (used := measured.usage()):
                    self._dispatcher.measured(process, _reading(used, self._transport))
            case TooLate(process, came):
                if process in self._processes:
                    self._dispatcher.too_late(process, came)
            case Freeze(process):
                self._freeze(process)
            case Thaw(process):
                if thawed := self._processes.get(process):
                    thawed.thaw()
            case RecordGame(record, seen):
                self._finished.append((record, seen))

    def _start(self, command: StartProcess) -> None:
        entrant = command.entrant
        try:
            process = self._transport.start(entrant)
        except (BotError, OSError) as error:
            text = str(error)
            if isinstance(error, OSError):
                text = f"cannot start `{shorten(' '.join(entrant.command))}`: "
                text += str(error.strerror or error)
            self._dispatcher.not_started(command.process, text)
            return
        self._processes[command.process] = process
        self._numbers[process] = command.process
        if self._on_log:
            conversation = self._dispatcher.bots.running[command.process]
            process.on_stderr = BotLog(conversation, self._on_log).feed
        self._transport.put(process, write(command.hello))

    def _freeze(self, number: int) -> None:
        """Freeze a process. If a part of it runs on, its processor time will show that."""
        if process := self._processes.get(number):
            has_stopped = process.freeze()
            if used := process.usage():
                self._dispatcher.froze(number, _reading(used, self._transport), has_stopped)

    def _kill(self, command: Kill) -> None:
        """End a process that can't be relied on any more, and report what was seen of it."""
        process = self._forget(command.process)
        now = self._transport.now()
        used = process.usage()
        self._transport.end(process)
        cause, text = command.cause, command.text or process.exit_text()
        process.check_available()
        if obstacle := self._transport.obstacle(process):
            cause, text = "start", obstacle
        broken = Breakage(cause, text, command.came, _facts(process, used))
        self._dispatcher.broke(command.process, broken, now)

    # -- processes -----------------------------------------------------------------------------

    def let_all_go(self) -> None:
        """Let all processes leave without waiting for them, before the end of the context."""
        for number in list(self._processes):
            self._transport.let_go(self._forget(number), BYE_GRACE_S)

    def dismiss(self, number: int, grace_s: float = BYE_GRACE_S) -> ProcessFacts | None:
        """Let a process leave; return what was seen of it if it did not within `grace_s`."""
        process = self._forget(number)
        used = process.usage()
        stays = self._transport.dismiss([process], grace_s)
        return _facts(process, used) if stays else None

    def idle(self) -> WaitingProcesses:
        """Return what waits for the next games."""
        used = [process.quick_usage() for process in self._processes.values()]
        return WaitingProcesses(
            [usage.cpu_ms for usage in used], sum([usage.memory_kib for usage in used])
        )

    def _let_leave(self, numbers: Sequence[int]) -> None:
        self._transport.dismiss([self._forget(number) for number in numbers], BYE_GRACE_S)

    def _forget(self, number: int) -> BotProcess:
        process = self._processes.pop(number)
        del self._numbers[process]
        return process

    def usage_of(self, number: int) -> Usage | None:
        """Return what a process has used so far; None if the system does not tell."""
        return self._processes[number].usage()

    # -- batches of games ----------------------------------------------------------------------

    def enter(self, players: Mapping[str, Player]) -> None:
        """Take the players of the next games. Bots that have a process go on."""
        self._let_leave(self._dispatcher.enter(players))
        self._carry_out()

    def rest(self) -> WaitingProcesses:
        """Freeze the processes until the next games, and return what is kept of them.

        Those of bots that broke leave, as do those that cannot be frozen.
        """
        self._transport.flush()
        self._dispatcher.bots.rest()
        self._carry_out()
        self._let_leave(self._dispatcher.bots.restless())
        self._transport.await_leaving()
        return self.idle()


def _reading(used: Usage, transport: LocalProcesses) -> Reading:
    """Return what a process has used, with the time."""
    now, cores = transport.now(), transport.cores
    return Reading(used.cpu_ms, used.wait_ms, now, cores, used.is_ready)


def _facts(process: BotProcess, used: Usage | None) -> ProcessFacts:
    """Return what is seen of a process, which has `used` this, None if the system is silent."""
    if used is None:
        return ProcessFacts(process.last_words)
    return ProcessFacts(process.last_words, used.cpu_ms, used.memory_kib)
