"""The clock of a bot process: what it has used since its last answer, and whether that is too much.

A bot pays for processor time, of all its processes. What it burns while it isn't asked is charged
to its next answer, except for a small credit that a waiting process may use. While it is asked it
may be idle for a bounded time only: asleep, blocked or waiting for another machine. Neither grows
when the machine is busy, so nobody has to be excused. Wall time is the last resort.

All is pure: the driver reads the clocks.
"""

from typing import Literal

TICK_S = 0.05
"""The time between two looks at all clocks."""
MIN_TICK_S = 0.002
"""The same near the end of a budget."""
PATIENCE_S = 0.1
"""A bot that was asked for less is not looked at. Most answers come sooner."""
MAX_IDLE_S = 0.1
"""The idle time that one look can find: the machine may have been suspended since the last."""
MAX_WALL_S = 1.0
"""The same for wall time."""
CREDIT = 0.01
"""The share of wall time that a waiting process may compute for free."""
MAX_WALL_FACTOR = 20
"""How much longer than its limits an answer may take by the wall clock."""

Judgement = Literal["ok", "wait", "cpu", "idle", "wall"]
"""`ok`: within its budget, and not asked; `wait`: within it, and asked. The others say what it has
used up: processor time, idle time, or wall time as the last resort.
"""


class Budget:
    """The time of one bot process until its next answer, in seconds."""

    def __init__(self, now: float, limit_s: float, idle_s: float) -> None:
        """Open the budget of a process that starts, and is asked to say that it is ready."""
        self.limit_s = limit_s
        """The processor time that it may use until its next answer."""
        self.idle_s = idle_s
        """The idle time that it may use for its next answer."""
        self.spent_s = 0.0
        """The processor time that it has used since its last answer."""
        self.is_exact = True
        """Whether the clock counts all its processes, also those that have ended."""
        self.cores = 1
        """The number of cores that it may use."""
        self.is_asked = True
        self.asked_at = now
        """When it could begin to think on its first request."""
        self._slept_s = self._wall_s = 0.0  # while it is asked
        self._seen_s = 0.0  # its clock at the last look
        self._seen_at = now
        self._state_s, self._state_at = 0.0, now  # the same, of a look at its state

    def ask(self, now: float, limit_s: float, idle_s: float) -> None:
        """Note that the process is asked."""
        self.limit_s, self.idle_s = limit_s, idle_s
        self.is_asked = True
        self.asked_at = self._state_at = now
        self._state_s = self._seen_s

    def needs_state(self, now: float) -> bool:
        """Return whether a look has to tell if the process is able to run."""
        return self.is_asked and now - self.asked_at > PATIENCE_S

    def look(self, now: float, clock_s: float, is_able: bool | None = None) -> None:
        """Note what the clock of the process shows now.

        `is_able` says whether a thread of it runs or waits for a core; None stands for not known.
        """
        used_s = max(0.0, clock_s - self._seen_s)
        if self.is_asked:
            self.spent_s += used_s
            self._wall_s += min(now - max(self._seen_at, self.asked_at), MAX_WALL_S)
        else:
            self.spent_s += max(0.0, used_s - CREDIT * (now - self._seen_at))
        self._seen_s += used_s
        self._seen_at = now
        if is_able is not None:
            if not is_able:
                elapsed_s = min(now - self._state_at, MAX_IDLE_S)
                self._slept_s += max(0.0, elapsed_s - (self._seen_s - self._state_s))
            self._state_s, self._state_at = self._seen_s, now

    def answer(self, now: float, clock_s: float) -> float:
        """Note that an answer came, and return the processor time to charge for it.

        Call `restart` if it is accepted.
        """
        self.spent_s += max(0.0, clock_s - self._seen_s)
        self._seen_s = max(self._seen_s, clock_s)
        self._seen_at = now
        return self.spent_s

    def restart(self) -> None:
        """Open the budget of the next answer. The process is not asked yet."""
        self.spent_s = self._slept_s = self._wall_s = 0.0
        self.is_asked = False

    @property
    def max_wall_s(self) -> float:
        """The time by the wall clock that an answer may take in any case."""
        if self.is_exact:
            return MAX_WALL_FACTOR * (self.limit_s + self.idle_s)
        return MAX_WALL_FACTOR * self.limit_s + self.idle_s

    def judge(self) -> Judgement:
        """Return the judgement on what the process has used so far."""
        if self.spent_s > self.limit_s:
            return "cpu"
        if not self.is_asked:
            return "ok"
        if self._slept_s > self.idle_s:
            return "idle"
        return "wall" if self._wall_s > self.max_wall_s else "wait"

    def spent_at(self, now: float) -> float:
        """Return the earliest time at which the process can have used up its processor time."""
        return now + max(MIN_TICK_S, (self.limit_s - self.spent_s) / self.cores)
