"""The state of a match: games in progress, bots, and bot processes."""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

import msgspec

from arena import __version__
from arena.base.protocol import (
    PROTOCOL,
    Fault,
    FaultKind,
    Hello,
    Limits,
    Ready,
    printable,
    show,
    write,
)
from arena.base.record import Entrant, Evidence, Game, Timing
from arena.match.bot_log import BotLog, LogLine, OnLog
from arena.match.clock import Budget
from arena.match.referee import referee, start_game
from arena.match.seat_messages import SeatMessages
from arena.match.seats import ActionSource, Answer, Ask, Seat

MAX_FAILED_STARTS = 3
"""Number of consecutive failed starts after which a bot is not started again."""
LONG_S = 0.05
"""Typical processor time of an answer, in seconds, from which a bot plays one game at a time."""
NEWEST = 1 / 8
"""Weight of the latest answer in the moving average of processor times."""

Cause = FaultKind | Literal["excess", "cpu", "idle", "wall"]
"""Why a process was killed or broke.

`excess` means that it exceeded a sandbox limit; `cpu`, `idle` and `wall` that it used up its
time."""
KINDS: dict[Cause, FaultKind] = {
    "excess": "crash",
    "cpu": "timeout",
    "idle": "timeout",
    "wall": "timeout",
}
"""The kind of fault for each cause that isn't a kind itself."""


class MatchHooks(NamedTuple):
    """Functions that a match calls."""

    sources: Mapping[str, ActionSource] = {}
    """By game key, what chooses the actions of that game. Default: the answers of its seats."""
    on_answer: Callable[[float], object] | None = None
    """Called with the processor time of each answer, in seconds."""
    on_log: OnLog | None = None
    """Called with each line that a bot writes to stderr."""


NO_HOOKS = MatchHooks()


class Charge(NamedTuple):
    """A bot's fault, and what was observed about it."""

    fault: Fault
    evidence: Evidence
    cause: Cause


class ProcessFacts(NamedTuple):
    """What the driver observed about a broken process."""

    stderr: str = ""
    memory_kib: int | None = None


# -- bots and their processes --------------------------------------------------------------------


class RunningBot:
    """A bot with its running processes."""

    def __init__(self, entrant: Entrant, may_wait: bool) -> None:
        """Create a bot without processes.

        `may_wait` is whether games of bots that wait for another machine are played in parallel.
        """
        self.entrant = entrant
        self.sessions: list[Session] = []
        self.ready: Ready | None = None
        """The latest `ready` of any of the bot's processes."""
        self.charge: Charge | None = None
        self.failed_starts = 0
        self.restarts: list[Charge] = []
        """Broken processes that led to no fault and have not been recorded yet."""
        self.waits = entrant.waits and may_wait
        self.has_broken = False
        self._typical_s = LONG_S  # processor time of an answer

    @property
    def is_long(self) -> bool:
        """Whether the bot plays one game at a time. True before its first answer and after it
        broke.
        """
        return not self.waits and (self._typical_s >= LONG_S or self.has_broken)

    def answered(self, spent_s: float) -> bool:
        """Update the average with an answer's processor time. Return whether `is_long` may have
        changed.
        """
        before = self._typical_s
        self._typical_s = typical_s = before + NEWEST * (spent_s - before)
        return (before >= LONG_S) != (typical_s >= LONG_S)


class BotSeat:
    """A bot's seat in one game, and at the same time its latest request."""

    __slots__ = ("_ask", "asked", "is_written", "messages", "number", "session", "table")

    asked: Ask

    def __init__(
        self, ask: Callable[["BotSeat"], None], session: "Session", table: "Table"
    ) -> None:
        """Create a seat. `ask` sends its requests."""
        self._ask = ask
        self.session = session
        self.table = table
        self.number = table.number
        self.messages: SeatMessages | None = None
        self.is_written = False
        """Whether the latest request has been written to the process."""

    def ask(self, asked: Ask) -> None:
        self.asked = asked
        self._ask(self)


class Session:
    """A bot process with its requests and its budget."""

    def __init__(self, number: int, bot: RunningBot, limits: Limits, now: float) -> None:
        self.number = number
        self.bot = bot
        self._limits = limits
        self.budget = Budget(now, limits.start_ms / 1000, limits.start_ms / 1000)
        self.ready: Ready | None = None
        self.requests: deque[BotSeat | None] = deque((None,))
        """Requests that were sent and not answered yet. None stands for the request for `ready`."""
        self.unsent: deque[BotSeat] = deque()
        self.tables: dict[int, Table] = {}
        """Games that the process plays, by table number."""
        self.games = 0
        self.latest: Game | None = None
        """The game of the latest `start` or `end` message to the process."""
        self.is_own = False
        """Whether the process was started to resume one interrupted game."""
        self.log: BotLog | None = None
        self.stderr = b""
        self.has_printed = False
        """Whether the process has written to stderr while its log is read."""
        self.is_frozen = False

    @property
    def hello(self) -> Hello:
        return Hello(PROTOCOL, __version__, self.bot.entrant.name, self._limits)

    @property
    def limit_s(self) -> float:
        """Processor time for the first pending or else the next request, in seconds."""
        request = self.requests[0] if self.requests else None
        messages = request.messages if request else None
        return (messages.clock_ms if messages else self._limits.move_ms) / 1000

    def text_of(self, cause: Cause) -> str:
        limits = self._limits
        move_ms, idle_ms, what = limits.move_ms, limits.max_idle_ms, "for an answer"
        if self.ready is None:
            move_ms, idle_ms, what = limits.start_ms, limits.start_ms, "before it was ready"
        if cause == "idle":
            return f"was idle for more than {idle_ms} ms {what}"
        if cause == "wall":
            return f"took more than 20 times its time limits {what}"
        bank = ""
        if limits.bank_ms and self.ready:
            bank = f", or what was left of {limits.bank_ms} ms for the game"
        return f"used more than {move_ms} ms of processor time {what}{bank}"

    def read_stderr(self, data: bytes) -> None:
        """Handle output of the process to stderr.

        Output before an answer belongs to that move. Output at other times belongs to the game
        whose `start` or `end` was sent last. With several pending requests, all output would
        belong to the first, so a process that writes to stderr gets one request at a time.
        """
        size = self._limits.stderr_bytes
        self.stderr = (self.stderr + data)[-size:] if size else b""
        if self.log:
            self.has_printed |= bool(data)
            name, game, seat, move = self.bot.entrant.name, self.latest, None, None
            if request := self.requests[0] if self.requests else None:
                game, seat, move = request.table.game, request.asked.seat, request.asked.move
            elif game:
                seat = game.entrants.index(name)
            self.log.feed(data, LogLine(name, game, seat, move, ""))

    @property
    def facts(self) -> "ProcessFacts":
        return ProcessFacts(printable(self.stderr.decode("utf-8", "backslashreplace")).strip())

    def evidence(self, facts: ProcessFacts, came: bytes, now: float) -> Evidence:
        """Return the evidence of a fault at the first pending request.

        `came` is the line that the bot sent, if any.
        """
        request = self.requests[0] if self.requests else None
        is_asked = request.is_written if request else bool(self.requests)
        return Evidence(
            seat=request.asked.seat if request else 0,
            asked=self._asked_line() if is_asked else "",
            came=show(came) if came else "",
            stderr=facts.stderr,
            wall_ms=int((now - self.budget.asked_at) * 1000) if is_asked else None,
            cpu_ms=int(self.budget.spent_s * 1000),
            memory_kib=facts.memory_kib or None,
        )

    def _asked_line(self) -> str:
        request = self.requests[0]
        messages = request.messages if request else None
        return messages.asked if messages else write(self.hello)[:-1].decode()


# -- games ---------------------------------------------------------------------------------------


class Table:
    """A game in progress."""

    def __init__(self, number: int, game: Game, source: ActionSource) -> None:
        self.number = number
        self.game = game
        self.seats: list[Seat] = []
        self.sessions: list[Session | None] = []
        """The running process at each seat; None if there is none."""
        self.messages: dict[int, SeatMessages] = {}
        """By seat, the messages to its current process."""
        self.earlier: dict[int, SeatMessages] = {}
        """By seat, the messages to its former process."""
        self.evidence: dict[int, Evidence] = {}
        """By seat, the evidence of its fault."""
        self.late = 0
        """Number of answers that reached the wall-clock limit."""
        self.pending: Ask | None = None
        """The decision at which the game was interrupted."""
        self.answers: list[Answer] = []
        self._source = source
        self.replay(None)

    def replay(self, seat: int | None) -> None:
        """Go back to the start of the game, to send it to a new process at `seat`.

        All earlier answers stand, even those of `seat`.
        """
        self.state = start_game(self.game.variant, self.game.deal)
        self._next = referee(self.state, self._source, worlds=self.game.worlds).send
        self._given = 0  # answers that stand, to this referee
        self._replayed = seat
        self.is_replaying = bool(self.answers)  # the pending decision was made before
        if seat in self.messages:
            self.earlier[seat] = self.messages.pop(seat).longest

    def next_ask(self, answer: Answer | None) -> Ask:
        """Send an answer to the referee, or None at the start. Return the next decision to ask for.

        Raises:
            StopIteration: The game is over. The value is an `Ending`.
        """
        if self.is_replaying:
            if answer is not None:
                answer = self.answers[self._given]
                self._given += 1
                self.is_replaying = self._given < len(self.answers)
        elif answer is not None:
            self.answers.append(answer)
        # A generator is started by sending it None.
        return self._next(answer)  # type: ignore[arg-type]

    def answer_before(self, asked: Ask) -> Answer | None:
        """Return the earlier answer to a replayed decision. Return None for the seat that is asked
        again.
        """
        return None if asked.seat == self._replayed else self.answers[self._given]

    @property
    def timings(self) -> tuple[Timing, ...]:
        messages = [self.messages.get(seat) for seat in range(len(self.seats))]
        return tuple([own.timing if own else Timing() for own in messages])


class ChargedSeat:
    """The seat of a bot that gets a fault at its next decision."""

    def __init__(self, charge: Charge, table: Table) -> None:
        self.charge = charge
        self._table = table

    def ask(self, asked: Ask) -> Fault:
        evidence = msgspec.structs.replace(self.charge.evidence, seat=asked.seat)
        self._table.evidence[asked.seat] = evidence
        return self.charge.fault
