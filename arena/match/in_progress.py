"""Games in progress, and the bots that play them."""

import errno
import math
import time
from collections import deque
from collections.abc import Callable, Generator
from typing import Literal, NamedTuple

from arena import __version__
from arena.contracts import SandboxSettings
from arena.errors import ArenaError
from arena.match.referee import Ask, Ending, Reply, start_game
from arena.match.seat_messages import Turns
from arena.process.bot_process import BotProcess
from arena.process.usage import Usage
from arena.protocol import PROTOCOL, Fault, FaultKind, Hello, Limits, Ready, show, write
from arena.record import Entrant, Evidence, Game, Timing
from engine import State

THINKING_S = 0.005
"""A bot that takes longer than this thinks."""
SAMPLE_S = 0.05
"""After so long it is looked up what a bot has used, for the case that it is too late. To ask the
system that costs more than a quick answer."""
LOOKS = 2
"""At a bot while it has time: whether it thinks, and what it has used."""
MOST_STARTS = 3
"""A bot that fails to start so often in a row is not started again."""
OUR_LIMITS = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
"""Reasons why a process cannot be started that are no fault of the bot."""
PROOF, MOST_PROOF = 4, 64
"""Answers in a row by which a bot shows that it is quick: at first, then twice as many whenever it
was found thinking, up to the second."""


Referee = Callable[[State], Generator[Ask, Reply | Fault, Ending]]
"""Decides which seat is asked next: `arena.match.referee.referee`, or one that follows a record."""

Cause = FaultKind | Literal["excess"]
"""How a process broke, also before it was ready; `excess`: it took too much of the machine."""


class Charge(NamedTuple):
    """A fault, and what the referee saw of it."""

    fault: Fault
    evidence: Evidence
    cause: Cause


class Table:
    """A game under way."""

    def __init__(self, number: int, game: Game, referee: Referee) -> None:
        self.number = number
        self.game = game
        self.state = start_game(game.variant, game.deal)
        self.refereeing = referee(self.state)
        self.processes: list[BotProcess | None] = []  # by seat, those that heard the start
        self.turns: dict[int, Turns] = {}  # by seat
        self.broken: dict[str, Fault] = {}  # by entrant: why it cannot be asked any more
        self.evidence: dict[int, Evidence] = {}  # by seat: what was seen of its fault
        self.is_void = False

    @property
    def timings(self) -> tuple[Timing, ...]:
        """What the answers of each seat have taken so far."""
        asked = [self.turns.get(seat) for seat in range(len(self.game.entrants))]
        return tuple([turns.timing if turns else Timing() for turns in asked])


class Request(NamedTuple):
    """A turn that a bot has not answered yet."""

    table: Table
    asked: Ask


class TableBot:
    """An entrant, its process while it has one, and what that still has to answer."""

    def __init__(self, entrant: Entrant, limits: Limits) -> None:
        self.entrant = entrant
        self._limits = limits
        self.process: BotProcess | None = None
        self.ready: Ready | None = None  # what its process said
        self.requests: deque[Request | None] = deque()  # None stands for `ready`
        self.asked_at = 0.0  # when the first of them could be begun
        self.deadline = 0.0  # when it has to be answered
        self.charge: Charge | None = None  # the last one of its process
        self.games = 0  # of its process
        self.failed_starts = 0  # in a row
        self.stalled_before = 0.0  # of the host, when its clock began to run
        self._looks = 0  # at it, since its clock began to run
        self._used_before: Usage | None = None  # at the last of them
        self._proof: float = PROOF
        self._to_prove: float = PROOF  # answers

    @property
    def is_quick(self) -> bool:
        """Whether it is known to answer at once."""
        return self._to_prove <= 0

    def took(self, seconds: float) -> None:
        """Learn how long it took for an answer."""
        if seconds > THINKING_S:
            self._proof = min(2 * self._proof, MOST_PROOF)
            self._to_prove = max(self._to_prove, self._proof)
        else:
            self._to_prove -= 1

    def has_broken(self) -> None:
        """Never take it for quick again: it may break once more, and is better alone then."""
        self._to_prove = math.inf

    def start(self, sandbox: SandboxSettings | None) -> BotProcess | None:
        """Start its process and return it; None if that can't be done, then `charge` says why.

        Raises:
            ArenaError: this machine has no room for another process.
            SandboxError: the walls cannot be put up.
        """
        if self.failed_starts >= MOST_STARTS:
            return None
        try:
            self.process = BotProcess(self.entrant, self._limits, sandbox)
        except OSError as error:
            if error.errno in OUR_LIMITS:
                raise ArenaError(
                    f"cannot start more bots: {error.strerror}; enter fewer bots, take fewer "
                    "--workers, or raise the limit (ulimit -n, ulimit -u)"
                ) from None
            command = " ".join(self.entrant.command)
            text = f"cannot start `{command}`: {error.strerror or error}"
            self.charge = Charge(Fault("start", text), Evidence(0), "start")
            self.failed_starts += 1
            return None
        self.ready = None
        self.games = 0
        return self.process

    # -- its time -----------------------------------------------------------------------------

    def start_clock(self, now: float, stalled_s: float) -> None:
        """Have its clock run for the first of its requests; the host has stalled so long by now."""
        self.asked_at = now
        self.deadline = now + self.limit_ms / 1000
        self.stalled_before = stalled_s
        self._used_before = None
        self._looks = 0

    @property
    def next_look(self) -> float:
        """When its time is over, or it is to be looked at before."""
        if self.requests[0] is None or self._looks >= LOOKS:
            return self.deadline
        return min(self.deadline, self.asked_at + (SAMPLE_S if self._looks else THINKING_S))

    def look(self) -> None:
        """Note that it still thinks; at the last look also what it has used."""
        self._looks += 1
        if self._looks == LOOKS and self.process:
            self._used_before = self.process.usage()

    @property
    def limit_ms(self) -> int:
        """How long it may take for the first of its requests."""
        request = self.requests[0]
        if request is None:
            return self._limits.start_ms
        return request.table.turns[request.asked.seat].clock_ms

    @property
    def too_late(self) -> str:
        """What it is charged with when that time is over."""
        limits = self._limits
        if self.requests[0] is None:
            return f"not ready within {limits.start_ms} ms"
        if limits.bank_ms:
            return (
                f"no whole answer in time: within {limits.move_ms} ms, and what was left of "
                f"{limits.bank_ms} ms for the game"
            )
        return f"no whole answer within {limits.move_ms} ms"

    # -- what was seen ------------------------------------------------------------------------

    @property
    def hello(self) -> Hello:
        """What each of its processes is told first."""
        return Hello(PROTOCOL, __version__, self.entrant.name, self._limits)

    def evidence(self, came: bytes) -> Evidence:
        """Return what can be seen of it now that it has done something wrong.

        It is on its clock for the first of its requests, if there is one; `came` is what it sent.
        """
        assert self.process is not None
        used = self.process.usage()
        before = self._used_before or Usage(0, 0)
        is_asked = bool(self.requests)
        return Evidence(
            seat=0,  # until it is known at which table it is charged
            asked=self._line_asked() if is_asked else "",
            came=show(came) if came else "",
            stderr=self.process.last_words,
            wall_ms=int((time.monotonic() - self.asked_at) * 1000) if is_asked else None,
            cpu_ms=max(0, used.cpu_ms - before.cpu_ms) if used and is_asked else None,
            memory_kib=(used.memory_kib or None) if used else None,
        )

    def _line_asked(self) -> str:
        """Return the line that it is to answer, without its end."""
        request = self.requests[0]
        if request is None:
            return write(self.hello)[:-1].decode()
        return request.table.turns[request.asked.seat].asked
