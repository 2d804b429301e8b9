"""State of the games under way, and of the bots and processes that play them."""

import math
from collections import deque
from collections.abc import Callable, Generator, Iterable

import msgspec

from arena import __version__
from arena.base.protocol import PROTOCOL, Fault, Hello, Limits, Ready, show, write
from arena.base.record import Entrant, Evidence, Game, Timing
from arena.match.charging import Charge, LostTime, ProcessorAccount, Reading, TimeShare
from arena.match.commands import ProcessFacts
from arena.match.referee import Ending, start_game
from arena.match.seat_messages import SeatMessages
from arena.match.seats import Answer, Ask, Seat
from engine import State

THINKING_MS = 5
"""A bot that takes longer for an answer, multiplied by the bots asked at the same time, thinks."""
THINKING_S = THINKING_MS / 1000
THINKING_SHARE = 1 / 80
"""The part of its time after which a bot thinks, however many are asked: 25 ms of 2 s."""
SAMPLE_S = 0.05
"""The time after which the usage of a pending bot is measured, or half of its time if that is less.
Asking the system takes longer than a quick answer."""
LOOKS = 2
"""Looks at a bot before its deadline: whether it thinks, and what it has used."""
MAX_FAILED_STARTS = 3
"""Failed starts in a row after which a bot is not started again."""
INITIAL_PROOF, MAX_PROOF = 4, 64
"""Answers in a row by which a bot shows that it is quick: at first, and at most. The number doubles
each time that the bot is found thinking."""

RefereeOf = Callable[[State], Generator[Ask, Answer, Ending]]
"""Makes the referee of a game: `arena.match.referee.referee`, or one that follows a record."""


class RunningBot:
    """An entrant with its running processes."""

    def __init__(self, entrant: Entrant, may_wait: bool) -> None:
        """Make a bot without a process; `may_wait` says whether games of bots that wait run
        side by side.
        """
        self.entrant = entrant
        self.processes: list[Conversation] = []  # more than one only if it waits
        self.ready: Ready | None = None  # from its last process that was ready
        self.charge: Charge | None = None  # of its last process that broke
        self.failed_starts = 0  # in a row
        self.restarts: list[Charge] = []  # that no game was charged with, until they are recorded
        self.waits = entrant.waits and may_wait
        self._proof = float(INITIAL_PROOF)
        self._to_prove = float(INITIAL_PROOF)  # answers
        self.is_quick = False
        """Whether it is known to answer at once."""

    def answered(self, at_once: bool) -> None:
        """Learn from an answer. One at once of a quick bot tells nothing."""
        if at_once:
            self._to_prove -= 1
        else:
            self._proof = min(2 * self._proof, MAX_PROOF)
            self._to_prove = max(self._to_prove, self._proof)
        self.is_quick = self._to_prove <= 0

    def has_broken(self) -> None:
        """Play it alone from now on, since it may break again."""
        self._to_prove = math.inf
        self.is_quick = self.waits = False


class GameInProgress:
    """A game under way."""

    def __init__(self, table: int, game: Game, referee_of: RefereeOf) -> None:
        self.table = table
        self.game = game
        self.seats: list[Seat] = []
        self.processes: list[Conversation | None] = []  # by seat, those that heard the start
        self.messages: dict[int, SeatMessages] = {}  # by seat
        self.earlier: dict[int, SeatMessages] = {}  # by seat, those to an earlier process
        self.evidence: dict[int, Evidence] = {}  # by seat, of its fault
        self.stalls = 0  # of the host, for which a process was replaced
        self._referee_of = referee_of
        self._answers: list[Answer] = []  # of all seats, in order
        self.replay(None)

    def replay(self, seat: int | None) -> None:
        """Go back to the first decision, to ask `seat` again; None asks no seat again.

        All answers that were given stand, also those of `seat`.
        """
        self.state = start_game(self.game.variant, self.game.deal)
        self._next = self._referee_of(self.state).send
        self._given = 0  # answers that stand, to this referee
        self._replayed = seat
        self.is_replaying = bool(self._answers)  # the pending decision was made before
        if seat in self.messages:
            self.earlier[seat] = self.messages.pop(seat).longest

    def next_ask(self, answer: Answer | None) -> Ask:
        """Give an answer to the referee, None at first, and return the next decision to ask for.

        Raises:
            StopIteration: the game is over. Its value is the `Ending`.
        """
        if self.is_replaying:
            if answer is not None:
                answer = self._answers[self._given]
                self._given += 1
                self.is_replaying = self._given < len(self._answers)
        elif answer is not None:
            self._answers.append(answer)
        # A generator is started by sending it None.
        return self._next(answer)  # type: ignore[arg-type]

    def answer_before(self, asked: Ask) -> Answer | None:
        """Return the answer that stands for the pending decision; None if its seat is asked."""
        return None if asked.seat == self._replayed else self._answers[self._given]

    def request_among(self, requests: Iterable["ProcessSeat"]) -> "ProcessSeat | None":
        """Return the request of this game among some, or None."""
        return next((request for request in requests if request.game is self), None)

    @property
    def answers(self) -> list[Answer]:
        """The answers of all seats so far, in order."""
        return self._answers

    @property
    def timings(self) -> tuple[Timing, ...]:
        """The times of the answers so far, by seat."""
        messages = [self.messages.get(seat) for seat in range(len(self.seats))]
        return tuple([own.timing if own else Timing() for own in messages])


class ProcessSeat:
    """The seat of a bot in one game, which is asked by its process.

    It has one pending decision at most. So it is also the request for that decision.
    """

    __slots__ = ("_add", "asked", "game", "messages", "process", "table")

    asked: Ask
    """The last decision that its process has to be asked for, or has been asked for."""

    def __init__(
        self,
        add: Callable[["ProcessSeat"], None],
        process: "Conversation",
        game: GameInProgress,
    ) -> None:
        """Make a seat that has not been asked yet; `add` puts it into the queue of requests."""
        self._add = add
        self.process = process
        self.game = game
        self.table = game.table
        self.messages: SeatMessages | None = None  # from the first request on that is sent

    def ask(self, asked: Ask) -> None:
        """Add a request to the queue."""
        self.asked = asked
        self._add(self)


class Conversation:
    """A process of a bot: what it has been asked and its clock."""

    def __init__(self, number: int, bot: RunningBot, limits: Limits) -> None:
        self.number = number
        self.bot = bot
        self._limits = limits
        self.waits = bot.waits  # it does not compute while it is asked
        self.ready: Ready | None = None
        self.requests: deque[ProcessSeat | None] = deque()  # unanswered; None stands for `ready`
        self.games = 0  # that it has begun
        self.latest: Game | None = None  # of which it was told last that it begins or is over
        self.is_own = False  # started for one game, which is replayed to it
        self.has_printed = False  # and somebody reads it: see `RequestQueue.send`
        self.asked_at = 0.0  # when it could begin to think on the first request
        self.clock_runs = False  # of the first request
        self.account = ProcessorAccount(limits.processor_ms)
        self.lost = LostTime()
        self.is_frozen = False  # told to be
        self.has_stopped = False  # all of it, so far as is known
        self.has_bank = bool(limits.bank_ms)
        # Whether no deadline comes before the first look. To look too early does no harm.
        self._has_time = not limits.bank_ms and limits.move_ms >= THINKING_MS
        # A bank pays for waiting, too, so no bot should wait long for others.
        share = 0.0 if limits.bank_ms else THINKING_SHARE
        self._thinks_at_latest_s = max(THINKING_S, share * limits.move_ms / 1000)
        self.thinks_after_s = THINKING_S  # if its clock runs longer, for the first request
        self.answered_s = 0.0  # its time for all answers so far
        self._looks = 0  # since its clock started
        self._is_as_asked = False  # nothing was noted since its clock started
        self.look_at = math.inf  # when it will be looked at, or earlier

    @property
    def hello(self) -> Hello:
        """The first message to the process."""
        return Hello(PROTOCOL, __version__, self.bot.entrant.name, self._limits)

    # -- its clock ----------------------------------------------------------------------------

    def start_clock(self, now: float, stalled_s: float, sharing: int) -> bool:
        """Start the clock of the first request, and return whether `look_at` may be too late.

        The host has stalled for `stalled_s` so far. `sharing` bots share the core to answer,
        this one included.
        """
        self.asked_at = now
        self.clock_runs = True
        # A bot that waits for another machine is not counted, so there may be none.
        self.thinks_after_s = min(THINKING_S * (sharing or 1), self._thinks_at_latest_s)
        self.lost.stalled_before_s = stalled_s
        if not self._is_as_asked:  # hardly ever, so that an answer at once costs little
            self.account.ask()
            self.lost.ask()
            self._looks = 0
            self._is_as_asked = True
        return self.look_at > now + self.thinks_after_s or not self._has_time

    @property
    def deadline(self) -> float:
        """The deadline of the first request."""
        return self.asked_at + self.limit_ms / 1000 + self.lost.granted_s

    def asked_s(self, now: float) -> float:
        """Return the time for which it was asked so far, for all requests together."""
        return self.answered_s + self._clock_s(now)

    def _clock_s(self, now: float) -> float:
        """Return for how long the clock of the first request has run, zero before it is written."""
        return now - self.asked_at if self.requests and self.clock_runs else 0.0

    @property
    def next_look(self) -> float:
        """The time of the next look: its deadline, or before."""
        if self.requests[0] is None or self._looks >= LOOKS:
            return self.deadline
        after_s = min(SAMPLE_S, self.limit_ms / 2000) if self._looks else self.thinks_after_s
        return min(self.deadline, self.asked_at + after_s)

    def look(self) -> bool:
        """Note that it still thinks; return whether its usage has to be measured."""
        self._is_as_asked = False
        self._looks += 1
        return self._looks == LOOKS

    @property
    def limit_ms(self) -> int:
        """The time that it has for the first request."""
        request = self.requests[0]
        messages = request.messages if request else None
        return messages.clock_ms if messages else self._limits.start_ms

    @property
    def answer_ms(self) -> int:
        """The same, whatever is left of its bank."""
        return self._limits.move_ms if self.requests[0] else self._limits.start_ms

    @property
    def timeout_text(self) -> str:
        """The text of its fault when that time is over."""
        limits = self._limits
        if self.requests[0] is None:
            return f"not ready within {limits.start_ms} ms"
        if limits.bank_ms:
            return (
                f"no whole answer in time: within {limits.move_ms} ms, and what was left of "
                f"{limits.bank_ms} ms for the game"
            )
        return f"no whole answer within {limits.move_ms} ms"

    # -- what it has used ---------------------------------------------------------------------

    def measure(self, reading: Reading) -> str | None:
        """Note what it has used; return in words the limit that it exceeds."""
        self._is_as_asked = False
        self.account.measure(reading._replace(asked_s=self.asked_s(reading.now)))
        is_last_look = self._looks == LOOKS and self.requests and not self.account.is_sampled
        if is_last_look and reading.now < self.deadline:
            self.account.sample()
        return self.account.excess

    def freeze(self, reading: Reading, has_stopped: bool) -> str | None:
        """Note what it had used when it was frozen, and whether all of it was seen to stop.

        Return in words the limit that it exceeds. What does not stop, since it is in a long call of
        the kernel, must not compute much longer.
        """
        excess = self.measure(reading)
        self.account.freeze()
        self.has_stopped = has_stopped
        return excess

    def thaw(self) -> bool:
        """Note that it may run again. Return whether it has to be measured before."""
        is_measured = not self.has_stopped
        self.account.thaw(is_measured)
        self.is_frozen = self.has_stopped = False
        return is_measured

    def grant(self, milliseconds: float, share: TimeShare) -> None:
        """Move its deadline for the time that it has lost, by its `share`."""
        self._is_as_asked = False
        self.lost.grant(milliseconds, share)

    def lose_time(self) -> None:
        """Note that a bot that is not asked takes time from it."""
        self._is_as_asked = False
        self.lost.has_burner = True

    def charged_s(self, now: float, stalled_s: float) -> float:
        """Return the time that an answer costs, which has come and was measured.

        The host has stalled for `stalled_s` so far.
        """
        taken_s = now - self.asked_at
        share = self.time_share(stalled_s) if self.has_bank else None
        return self.lost.charged_s(taken_s, share)

    def time_share(self, stalled_s: float) -> TimeShare:
        """Return its share of the time for the first request, as it was measured last.

        The host has stalled for `stalled_s` so far.
        """
        elapsed_ms = 1000 * self._clock_s(self.account.last.now)
        used = self.account.since_asked(self.answered_s, elapsed_ms)
        return self.lost.share(self.limit_ms, elapsed_ms, used, stalled_s)

    # -- evidence -----------------------------------------------------------------------------

    def evidence(self, facts: ProcessFacts, came: bytes, now: float) -> Evidence:
        """Return the evidence of a fault, for seat 0 until the game is known.

        `came` is what the process sent. Its first request, if any, is what it had to answer.
        """
        is_asked = bool(self.requests)
        cpu_ms = None
        if facts.cpu_ms is not None and is_asked:
            cpu_ms = max(0, facts.cpu_ms - self.account.before.cpu_ms)
        return Evidence(
            seat=0,
            asked=self._asked_line() if is_asked else "",
            came=show(came) if came else "",
            stderr=facts.stderr,
            wall_ms=int(self._clock_s(now) * 1000) if is_asked else None,
            cpu_ms=cpu_ms,
            memory_kib=facts.memory_kib or None,
        )

    def _asked_line(self) -> str:
        request = self.requests[0]
        messages = request.messages if request else None
        return messages.asked if messages else write(self.hello)[:-1].decode()


class ChargedSeat:
    """The seat of a bot that is charged with its next decision."""

    def __init__(self, charge: Charge, game: GameInProgress) -> None:
        self.charge = charge
        self._game = game

    def ask(self, asked: Ask) -> Fault:
        """Return the fault, and keep its evidence."""
        evidence = msgspec.structs.replace(self.charge.evidence, seat=asked.seat)
        self._game.evidence[asked.seat] = evidence
        return self.charge.fault
