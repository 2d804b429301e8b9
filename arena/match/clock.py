"""The clock of a bot process: what it has used since its last answer, and whether it may go on.

Bots are charged for processor time, over all their processes. Time a bot burns while it isn't
asked is charged to its next answer, except for a small allowance for waiting processes. While a
bot is asked, its idle time is limited: sleeping, blocking, or waiting for another machine. A
busy machine increases neither, so no exceptions are needed. Wall time is the last resort.

This module does no I/O: the driver reads the clocks.
"""

import random
from typing import Literal

TICK_S = 0.05
"""Mean interval between two readings of all clocks."""
MIN_TICK_S = 0.002
"""The interval when a budget is almost used up."""
PATIENCE_S = 0.1
"""Idle time is checked only once a request is this old. Most are answered sooner."""
MAX_IDLE_S = 2 * TICK_S
"""Maximum idle time counted per reading, since the machine may have been suspended in between."""
MAX_WALL_S = 1.0
"""Maximum wall time counted per reading, for the same reason."""
CREDIT = 0.01
"""The share of wall time for which a waiting process may compute for free."""
MAX_WALL_FACTOR = 20
"""How much longer than its limits an answer may take in wall time."""

Judgement = Literal["ok", "wait", "cpu", "idle", "wall"]
"""`ok` and `wait` mean within budget; `wait` means that the process has a pending request. The
others name what is used up: processor time, idle time, or wall time as the last resort."""


def next_interval_s(rng: random.Random) -> float:
    """Return the time until the next reading of all clocks.

    It is random. If bots could predict it, a bot could compute only at these moments, sleep in
    between, and never be found idle.
    """
    return rng.uniform(0.0, 2 * TICK_S)


class Budget:
    """The time a bot process has until its next answer, in seconds."""

    def __init__(self, now: float, limit_s: float, idle_s: float) -> None:
        """Open the budget of a process that is starting and has to report that it is ready."""
        self.limit_s = limit_s
        """Processor time allowed until the next answer."""
        self.idle_s = idle_s
        """Idle time allowed for the next answer."""
        self.spent_s = 0.0
        """Processor time used since the last answer."""
        self.is_exact = True
        """Whether the clock counts all processes of the bot, even those that have ended."""
        self.cores = 1
        """Number of cores the bot may use."""
        self.is_asked = True
        self.asked_at = now
        """When the bot could begin to think about its first request."""
        self._slept_s = self._wall_s = 0.0  # while it is asked
        self._seen_s = 0.0  # its clock at the last look
        self._seen_at = now
        self._state_s, self._state_at = 0.0, now  # the same, of a look at its state

    def ask(self, now: float, limit_s: float, idle_s: float) -> None:
        self.limit_s, self.idle_s = limit_s, idle_s
        self.is_asked = True
        self.asked_at = self._state_at = now
        self._state_s = self._seen_s

    def needs_state(self, now: float) -> bool:
        """Return whether the next reading must say if any thread of the process can run."""
        return self.is_asked and now - self.asked_at > PATIENCE_S

    def look(self, now: float, clock_s: float, is_able: bool | None = None) -> None:
        """Record the current reading of the process's clock.

        `is_able` says whether any of its threads is running or waiting for a core; None if
        unknown.
        """
        used_s = max(0.0, clock_s - self._seen_s)
        if self.is_asked:
            self.spent_s += used_s
            self._wall_s += min(now - max(self._seen_at, self.asked_at), MAX_WALL_S)
        else:
            self.spent_s += max(0.0, used_s - CREDIT * (now - self._seen_at))
        self._seen_s += used_s
        self._seen_at = now
        if is_able is not None and self.is_asked:  # it may have answered in the meantime
            if not is_able:
                elapsed_s = min(now - self._state_at, MAX_IDLE_S)
                self._slept_s += max(0.0, elapsed_s - (self._seen_s - self._state_s))
            self._state_s, self._state_at = self._seen_s, now

    def answer(self, now: float, clock_s: float) -> float:
        """Record an answer and return the processor time to charge for it.

        Call `restart` if the answer is accepted.
        """
        self.spent_s += max(0.0, clock_s - self._seen_s)
        self._seen_s = max(self._seen_s, clock_s)
        self._seen_at = now
        return self.spent_s

    def restart(self) -> None:
        """Open the budget for the next answer. The process has not been asked yet."""
        self.spent_s = self._slept_s = self._wall_s = 0.0
        self.is_asked = False

    @property
    def max_wall_s(self) -> float:
        """Maximum wall time for an answer."""
        if self.is_exact:
            return MAX_WALL_FACTOR * (self.limit_s + self.idle_s)
        return MAX_WALL_FACTOR * self.limit_s + self.idle_s

    def judge(self) -> Judgement:
        """Return whether the process is within its budget, or what it has used up."""
        if self.spent_s > self.limit_s:
            return "cpu"
        if not self.is_asked:
            return "ok"
        if self._slept_s > self.idle_s:
            return "idle"
        return "wall" if self._wall_s > self.max_wall_s else "wait"

    def spent_at(self, now: float) -> float:
        """Return the earliest time at which the process may have used up its processor time."""
        return now + max(MIN_TICK_S, (self.limit_s - self.spent_s) / self.cores)
