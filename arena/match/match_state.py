"""The state of a match: its running games, its bots, and their processes."""

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
"""After this many failed starts in a row, a bot is not started again."""
LONG_S = 0.05
"""A bot whose typical answer takes at least this much processor time gets the core to itself."""
NEWEST = 1 / 8
"""Weight of the latest answer in the moving average of processor times."""

Cause = FaultKind | Literal["excess", "cpu", "idle", "wall"]
"""Why a process broke.

`excess` means it exceeded a sandbox limit. The last three are judgements of its `Budget`."""
KINDS: dict[Cause, FaultKind] = {
    "excess": "crash",
    "cpu": "timeout",
    "idle": "timeout",
    "wall": "timeout",
}
"""The fault kind of each cause that is not a fault kind itself."""


class MatchHooks(NamedTuple):
    """What a match calls besides bots."""

    sources: Mapping[str, ActionSource] = {}
    """Games whose actions are not simply their seats' answers, by key."""
    on_answer: Callable[[float], object] | None = None
    """Called with the processor time of each answer, in seconds."""
    on_log: OnLog | None = None
    """Called with each line a bot writes to stderr."""


NO_HOOKS = MatchHooks()


class Charge(NamedTuple):
    """A fault and what the referee observed about it."""

    fault: Fault
    evidence: Evidence
    cause: Cause


class ProcessFacts(NamedTuple):
    """What a driver observes about a process that did something wrong."""

    stderr: str = ""
    """The end of what it has written to stderr."""
    memory_kib: int | None = None


# -- bots and their processes --------------------------------------------------------------------


class RunningBot:
    """An entrant with its running processes."""

    def __init__(self, entrant: Entrant, may_wait: bool) -> None:
        """Make a bot without processes.

        `may_wait` says whether games of bots that wait for another machine run in parallel.
        """
        self.entrant = entrant
        self.sessions: list[Session] = []
        """More than one only if the bot waits for another machine or a game is being replayed."""
        self.ready: Ready | None = None
        """What the last process that reported ready sent."""
        self.charge: Charge | None = None
        """The charge for the last process that broke."""
        self.failed_starts = 0
        """Number of failed starts in a row."""
        self.restarts: list[Charge] = []
        """Restarts not charged to any game and not recorded yet."""
        self.waits = entrant.waits and may_wait
        self.has_broken = False
        self._typical_s = LONG_S  # processor time of an answer

    @property
    def is_long(self) -> bool:
        """Whether the bot should have the core to itself.

        True until its first answer, and for bots that have broken, since they may break again.
        """
        return not self.waits and (self._typical_s >= LONG_S or self.has_broken)

    def answered(self, spent_s: float) -> bool:
        """Learn from an answer's processor time and return whether `is_long` may have changed."""
        before = self._typical_s
        self._typical_s = typical_s = before + NEWEST * (spent_s - before)
        return (before >= LONG_S) != (typical_s >= LONG_S)


class BotSeat:
    """A bot's seat in one game, asked through its process.

    A seat has at most one pending decision, so this object also serves as the request for it.
    """

    __slots__ = ("_ask", "asked", "is_written", "messages", "number", "session", "table")

    asked: Ask
    """The latest decision requested, or to be requested, from its process."""

    def __init__(
        self, ask: Callable[["BotSeat"], None], session: "Session", table: "Table"
    ) -> None:
        """Make a seat that has not been asked yet. `ask` sends a seat's request."""
        self._ask = ask
        self.session = session
        self.table = table
        self.number = table.number
        self.messages: SeatMessages | None = None
        """None until the first request is sent."""
        self.is_written = False
        """Whether the request has been written, so that it can be answered."""

    def ask(self, asked: Ask) -> None:
        """Have the request sent. The answer comes later."""
        self.asked = asked
        self._ask(self)


class Session:
    """A bot process: its requests and its budget."""

    def __init__(self, number: int, bot: RunningBot, limits: Limits, now: float) -> None:
        self.number = number
        self.bot = bot
        self._limits = limits
        self.budget = Budget(now, limits.start_ms / 1000, limits.start_ms / 1000)
        self.ready: Ready | None = None
        self.requests: deque[BotSeat | None] = deque((None,))
        """Requests that were sent but not answered. None is a request for `ready`."""
        self.unsent: deque[BotSeat] = deque()
        """Requests queued until the process is ready or has answered."""
        self.tables: dict[int, Table] = {}
        """Running games whose start was sent to the process, by number."""
        self.games = 0
        """Number of games it has begun."""
        self.latest: Game | None = None
        """The last game whose start or end was sent to it."""
        self.is_own = False
        """Whether it was started for one game that is being replayed to it."""
        self.log: BotLog | None = None
        self.stderr = b""
        """The end of what the process has written to stderr."""
        self.has_printed = False
        """Whether it has printed to a log that is read. Each line must then belong to a move."""
        self.is_frozen = False

    @property
    def hello(self) -> Hello:
        """The first message to the process."""
        return Hello(PROTOCOL, __version__, self.bot.entrant.name, self._limits)

    @property
    def limit_s(self) -> float:
        """Processor time for the first pending request, or for the next one if none is pending."""
        request = self.requests[0] if self.requests else None
        messages = request.messages if request else None
        return (messages.clock_ms if messages else self._limits.move_ms) / 1000

    def text_of(self, cause: Cause) -> str:
        """Return the text of the fault for a budget that is used up."""
        limits = self._limits
        move_ms, idle_ms, what = limits.move_ms, limits.max_idle_ms, "for an answer"
        if self.ready is None:
            move_ms, idle_ms, what = limits.start_ms, limits.start_ms, "before it was ready"
        if cause == "idle":
            return f"was idle for more than {idle_ms} ms {what}"
        if cause == "wall":
            return f"took far more time than its limits {what}"
        bank = ""
        if limits.bank_ms and self.ready:
            bank = f", or what was left of {limits.bank_ms} ms for the game"
        return f"used more than {move_ms} ms of processor time {what}{bank}"

    def read_stderr(self, data: bytes) -> None:
        """Keep the end of what the process writes to stderr, and log it.

        Output before an answer belongs to that move. Output at other times, such as after a game,
        belongs to the last game whose start or end was sent to the process. With several pending
        requests, all lines would belong to the first. So once a process has printed, it gets one
        request at a time.
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
        """What is known without asking the driver."""
        return ProcessFacts(printable(self.stderr.decode("utf-8", "backslashreplace")).strip())

    def evidence(self, facts: ProcessFacts, came: bytes, now: float) -> Evidence:
        """Return the evidence of a fault, for the seat of the first pending request.

        `came` is what the process sent in answer to that request.
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
    """A running game."""

    def __init__(self, number: int, game: Game, source: ActionSource) -> None:
        self.number = number
        self.game = game
        self.seats: list[Seat] = []
        self.sessions: list[Session | None] = []
        """By seat: processes that got the start of the game and have not ended."""
        self.messages: dict[int, SeatMessages] = {}
        """Messages to the current process, by seat."""
        self.earlier: dict[int, SeatMessages] = {}
        """By seat: the messages to an earlier process."""
        self.evidence: dict[int, Evidence] = {}
        """By seat: what was observed about its fault."""
        self.late = 0
        """How many answers were too late in wall time alone."""
        self.pending: Ask | None = None
        """The decision at which the game was interrupted."""
        self.answers: list[Answer] = []
        """All answers so far, of all seats, in order."""
        self._source = source
        self.replay(None)

    def replay(self, seat: int | None) -> None:
        """Go back to the first decision, to replay the game to `seat`.

        All answers given so far stand, including those of `seat`. If None, no seat is asked again.
        """
        self.state = start_game(self.game.variant, self.game.deal)
        self._next = referee(self.state, self._source, worlds=self.game.worlds).send
        self._given = 0  # answers that stand, to this referee
        self._replayed = seat
        self.is_replaying = bool(self.answers)  # the pending decision was made before
        if seat in self.messages:
            self.earlier[seat] = self.messages.pop(seat).longest

    def next_ask(self, answer: Answer | None) -> Ask:
        """Pass an answer (at first, None) to the referee and return the next decision to ask for.

        Raises:
            StopIteration: The game is over. Its value is the `Ending`.
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
        """Return the existing answer to the pending decision, or None if its seat must be asked."""
        return None if asked.seat == self._replayed else self.answers[self._given]

    @property
    def timings(self) -> tuple[Timing, ...]:
        """Timing of the answers so far, by seat."""
        messages = [self.messages.get(seat) for seat in range(len(self.seats))]
        return tuple([own.timing if own else Timing() for own in messages])


class ChargedSeat:
    """The seat of a bot that is charged with a fault at its next decision."""

    def __init__(self, charge: Charge, table: Table) -> None:
        self.charge = charge
        self._table = table

    def ask(self, asked: Ask) -> Fault:
        """Return the fault and keep its evidence."""
        evidence = msgspec.structs.replace(self.charge.evidence, seat=asked.seat)
        self._table.evidence[asked.seat] = evidence
        return self.charge.fault
