"""An agent that runs a bot in a separate process."""

import time
import weakref
from collections.abc import Callable

import msgspec

from arena import __version__
from arena.base.atomic_file import os_error_as
from arena.base.contracts import SandboxSettings
from arena.base.errors import BotError, ProtocolError
from arena.base.protocol import (
    DEFAULT_LIMITS,
    PROTOCOL,
    Act,
    End,
    Fault,
    FaultKind,
    Hello,
    Limits,
    Message,
    Ready,
    read_from_bot,
    show,
    write,
)
from arena.base.record import Entrant
from arena.bot import Start
from arena.match.seat_messages import SeatMessages
from arena.match.seats import Decision
from arena.process.bot_process import BotProcess, dismiss
from arena.process.pipes import Pipes

# Training on the same machine may slow bots down.
PATIENT = msgspec.structs.replace(DEFAULT_LIMITS, start_ms=120_000, move_ms=120_000)
MEASURE_S = 0.1


class BrokenBot(BotError):
    """A bot process has failed. The exception's message contains the end of the bot's log."""

    def __init__(self, text: str, fault: Fault) -> None:
        super().__init__(text)
        self.fault = fault


class ProcessAgent:
    """An agent that plays in a bot process.

    The bot process starts with the first game and stops when `close` is called or Python exits.
    """

    def __init__(
        self,
        entrant: Entrant,
        limits: Limits = PATIENT,
        sandbox: SandboxSettings | None = None,
        grace_ms: int = 0,
    ) -> None:
        """Create an agent. Add `grace_ms` milliseconds to the bot's time limits."""
        self._entrant, self._limits, self._sandbox = entrant, limits, sandbox
        self.grace_ms = grace_ms
        self.on_stderr: Callable[[bytes], object] | None = None
        self._process: BotProcess | None = None
        self._pipes: Pipes | None = None
        self._ready: Ready | None = None
        self._tables = 0
        self._is_closed = False

    def __enter__(self) -> "ProcessAgent":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> str:
        raise BotError(
            f"{self._entrant.name} plays in a process, which cannot be copied or pickled: make "
            "another agent, or let a bot in Python play in this process"
        )

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def sit(self, table: Start) -> "AgentSeat":
        """Start a game. The first call also starts the bot process.

        Raise `BotError` if the bot fails to start, doesn't support the game, or has been closed.
        """
        if self._ready is None:
            self._ready = self._start()
        games = self._ready.games
        if games and table.game not in games:
            name = self._entrant.name
            raise BotError(f"{name} does not play {table.game}, only {', '.join(games)}")
        self._tables += 1
        self.notify(msgspec.structs.replace(table, table=self._tables))
        ready = self._ready
        messages = SeatMessages(self._tables, ready, self._limits)
        return AgentSeat(self, self._tables, messages)

    def close(self) -> None:
        self._is_closed, self._ready = True, None
        if process := self._let_go():
            dismiss([process])

    def _start(self) -> Ready:
        if self._is_closed:
            raise BotError(f"{self._entrant.name} is closed: make another agent")
        with os_error_as(BotError, f"{self._entrant.name} does not start"):
            self._process = BotProcess(self._entrant, self._limits, self._sandbox)
        self._process.on_stderr = self.on_stderr
        weakref.finalize(self, self._process.kill)
        self._pipes = Pipes()
        self._pipes.add(self._process)
        self.notify(Hello(PROTOCOL, __version__, self._entrant.name, self._limits))
        answer = self.answer(self._limits.start_ms + self.grace_ms)
        if not isinstance(answer, Ready) or answer.protocol != PROTOCOL:
            text = f"answered `hello` with {answer!r:.200}, expected `ready`"
            raise self.broken("malformed", text)
        return answer

    def notify(self, message: Message) -> None:
        self.send(write(message))

    def send(self, line: bytes) -> None:
        """Send a line, including its newline, to the bot process.

        Raise `BotError` if the bot process is not running.
        """
        if self._process is None or self._pipes is None:
            raise BotError(f"{self._entrant.name} has no process: make another agent")
        self._pipes.put(self._process, line)
        self._pipes.flush()

    def answer(self, patience_ms: int) -> Ready | Act:
        """Wait for the bot's next message.

        If the bot takes longer than `patience_ms`, exits, sends an invalid message or exceeds
        the limits of its sandbox, kill the bot process and raise `BrokenBot`.
        """
        process, pipes = self._process, self._pipes
        assert process is not None, "expected a process"
        assert pipes is not None, "expected the pipes of the process"
        deadline = time.monotonic() + patience_ms / 1000
        lines: list[bytes] | None = []
        while lines == []:
            if (wait_s := deadline - time.monotonic()) <= 0:
                raise self.broken("timeout", f"did not answer in {patience_ms / 1000:g} s")
            pipes.wait(min(wait_s, MEASURE_S))
            lines = process.read_lines()
            if lines and self.on_stderr:
                pipes.wait(0)  # output printed before the answer may have been missed
            if process.too_long is not None:
                text = f"sent a line of more than {self._limits.line_bytes} bytes"
                raise self.broken("flood", text)
            if excess := process.excess():
                raise self.broken("crash", f"was killed because it {excess}")
        if lines is None:
            self._let_go()
            raise self.broken("crash", process.exit_text(), process)
        if len(lines) > 1:
            raise self.broken("flood", f"sent {len(lines)} lines, expected one")
        try:
            return read_from_bot(lines[0], self._limits.nesting)
        except ProtocolError as error:
            raise self.broken("malformed", f"sent {show(lines[0])}: {error}") from None

    def freeze(self) -> None:
        """Pause the bot process if the sandbox supports it. Call `thaw` to resume the process."""
        if self._process:
            self._process.freeze()

    def thaw(self) -> None:
        if self._process:
            self._process.thaw()

    def broken(self, kind: FaultKind, what: str, process: BotProcess | None = None) -> BrokenBot:
        process = process or self._let_go()
        self._is_closed, self._ready = True, None
        log = ""
        if process:
            process.kill()
            log = process.last_words
        ending = f"; its log ends:\n{log}" if log else ""
        return BrokenBot(f"{self._entrant.name} {what}{ending}", Fault(kind, what))

    def _let_go(self) -> BotProcess | None:
        process, self._process = self._process, None
        if process and self._pipes:
            self._pipes.remove(process)
        return process


class AgentSeat:
    def __init__(self, agent: ProcessAgent, table: int, messages: SeatMessages) -> None:
        self._agent, self._table, self._messages = agent, table, messages

    def act(self, decision: Decision) -> str:
        """Return the bot's action for a decision.

        Raise `BotError` if the bot process fails or has already ended.
        """
        self._agent.send(self._messages.line(decision))
        act = self._agent.answer(self._messages.clock_ms + self._agent.grace_ms)
        if not isinstance(act, Act) or (act.table, act.turn) != (self._table, decision.turn):
            raise self._agent.broken(
                "malformed",
                f"answered {act!r:.200}, expected `act` of table {self._table}, "
                f"turn {decision.turn}",
            )
        return act.action

    def end(self, points: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        self._agent.notify(End(self._table, points, ranks, ()))
