"""The state of a match: its games in progress, bots, and bot processes."""

from collections import Counter, deque
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
from arena.match.seats import ActionSource, Answer, Decision, Seat

MAX_FAILED_STARTS = 3
LONG_S = 0.05  # average processor time per answer from which a bot counts as slow
NEWEST = 1 / 8  # weight of the latest answer in the moving average of the processor time

Cause = FaultKind | Literal["excess", "cpu", "idle", "wall"]
"""Why a bot process failed or was killed.

`excess` means that the bot process exceeded a sandbox limit. `cpu`, `idle` and `wall` mean that
the bot process exceeded a time limit."""
KINDS: dict[Cause, FaultKind] = {
    "excess": "crash",
    "cpu": "timeout",
    "idle": "timeout",
    "wall": "timeout",
}


class MatchHooks(NamedTuple):
    sources: Mapping[str, ActionSource] = {}  # by game key
    on_answer: Callable[[float], object] | None = None
    on_log: OnLog | None = None


NO_HOOKS = MatchHooks()


class BotFailure(NamedTuple):
    fault: Fault
    evidence: Evidence
    cause: Cause


class ProcessFacts(NamedTuple):
    stderr: str = ""
    memory_kib: int | None = None


# -- bots and their processes --------------------------------------------------------------------


class RunningBot:
    def __init__(self, entrant: Entrant, may_wait: bool) -> None:
        self.entrant = entrant
        self.sessions: list[Session] = []
        self.ready: Ready | None = None
        self.failure: BotFailure | None = None
        self.failed_starts = 0
        self.waits = entrant.waits and may_wait
        self.has_broken = False
        self._typical_s = LONG_S  # processor time of an answer

    @property
    def is_long(self) -> bool:
        """True if the bot must play one game at a time, because it is slow or its process has
        failed.
        """
        return not self.waits and (self._typical_s >= LONG_S or self.has_broken)

    def answered(self, spent_s: float) -> bool:
        """Update the bot's average processor time per answer.

        Return whether `is_long` may have changed.
        """
        before = self._typical_s
        self._typical_s = typical_s = before + NEWEST * (spent_s - before)
        return (before >= LONG_S) != (typical_s >= LONG_S)


class BotSeat:
    """A bot's seat in one game, and the latest request sent to that seat."""

    __slots__ = ("_ask", "decision", "is_written", "messages", "number", "session", "table")

    decision: Decision

    def __init__(
        self, ask: Callable[["BotSeat"], None], session: "Session", table: "Table"
    ) -> None:
        self._ask = ask
        self.session = session
        self.table = table
        self.number = table.number
        self.messages: SeatMessages | None = None
        self.is_written = False

    def ask(self, decision: Decision) -> None:
        self.decision = decision
        self._ask(self)


class Session:
    def __init__(self, number: int, bot: RunningBot, limits: Limits, now: float) -> None:
        self.number = number
        self.bot = bot
        self._limits = limits
        self.budget = Budget(now, limits.start_ms / 1000, limits.start_ms / 1000)
        self.ready: Ready | None = None
        self.requests: deque[BotSeat | None] = deque((None,))
        """Unanswered requests, oldest first. The request for a `ready` message is None."""
        self.unsent: deque[BotSeat] = deque()
        self.tables: dict[int, Table] = {}
        self.games = 0
        self.latest: Game | None = None  # game of the last `start` or `end` message
        self.is_own = False
        self.log: BotLog | None = None
        self.stderr = b""
        self.has_printed = False
        self.is_frozen = False

    @property
    def hello(self) -> Hello:
        return Hello(PROTOCOL, __version__, self.bot.entrant.name, self._limits)

    @property
    def limit_s(self) -> float:
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
        """Log the bot's stderr output, noting the bot's current game and move."""
        size = self._limits.stderr_bytes
        self.stderr = (self.stderr + data)[-size:] if size else b""
        if self.log:
            self.has_printed |= bool(data)
            name, game, seat, move = self.bot.entrant.name, self.latest, None, None
            if request := self.requests[0] if self.requests else None:
                game, seat, move = request.table.game, request.decision.seat, request.decision.move
            elif game:
                seat = game.entrants.index(name)
            self.log.feed(data, LogLine(name, game, seat, move, ""))

    @property
    def facts(self) -> "ProcessFacts":
        return ProcessFacts(printable(self.stderr.decode("utf-8", "backslashreplace")).strip())

    def evidence(self, facts: ProcessFacts, came: bytes, now: float) -> Evidence:
        """Return diagnostic data about a bot's fault, including the invalid line that the bot sent,
        if any.
        """
        request = self.requests[0] if self.requests else None
        was_sent = request.is_written if request else bool(self.requests)
        messages = request.messages if request else None
        latest_request = messages.latest_request if messages else write(self.hello)[:-1].decode()
        return Evidence(
            seat=request.decision.seat if request else 0,
            asked=latest_request if was_sent else "",
            came=show(came) if came else "",
            stderr=facts.stderr,
            wall_ms=int((now - self.budget.requested_at) * 1000) if was_sent else None,
            cpu_ms=int(self.budget.spent_s * 1000),
            memory_kib=facts.memory_kib or None,
        )


# -- games ---------------------------------------------------------------------------------------


class Table:
    def __init__(self, number: int, game: Game, source: ActionSource) -> None:
        self.number = number
        self.game = game
        self.seats: list[Seat] = []
        self.sessions: list[Session | None] = []
        self.messages: dict[int, SeatMessages] = {}  # by seat
        self.earlier: dict[int, SeatMessages] = {}  # by seat, to the process that was replaced
        self.evidence: dict[int, Evidence] = {}
        self.late = Counter[int]()
        self.pending: Decision | None = None
        self.answers: list[Answer] = []
        self._source = source
        self.replay(None)

    def replay(self, seat: int | None) -> None:
        """Restart the game and replay its earlier answers, so that a new bot process can take over
        the seat.
        """
        self.state = start_game(self.game.variant, self.game.deal)
        self._next = referee(self.state, self._source, worlds=self.game.worlds).send
        self._given = 0  # number of earlier answers replayed so far
        self._replayed = seat
        self.is_replaying = bool(self.answers)  # the pending decision was already answered
        if seat in self.messages:
            self.earlier[seat] = self.messages.pop(seat).longest

    def next_decision(self, answer: Answer | None) -> Decision:
        """Pass an answer to the referee, and return the next decision. Pass None to get the first
        decision.

        Raises:
            StopIteration: The game is over. The exception's value is an `Ending`.
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

    def answer_before(self, decision: Decision) -> Answer | None:
        # Only the new bot process must answer again.
        return None if decision.seat == self._replayed else self.answers[self._given]

    @property
    def timings(self) -> tuple[Timing, ...]:
        messages = [self.messages.get(seat) for seat in range(len(self.seats))]
        return tuple([own.timing if own else Timing() for own in messages])


class FailedSeat:
    """The seat of a failed bot. Requests to the failed bot are answered with its fault."""

    def __init__(self, failure: BotFailure, table: Table) -> None:
        self.failure = failure
        self._table = table

    def ask(self, decision: Decision) -> Fault:
        evidence = msgspec.structs.replace(self.failure.evidence, seat=decision.seat)
        self._table.evidence[decision.seat] = evidence
        return self.failure.fault
