"""Time limits of a bot process. This module reads no clock; the driver does.

A bot may use a certain amount of processor time for each answer, counted over all its processes.
Processor time between requests is charged to the next answer, except for a small allowance.
Between a request and its answer, idle time is limited too: time in which the bot sleeps, blocks
or waits for another machine. A busy machine increases neither. Wall time is only the last
resort.
"""

import random
from typing import Literal

TICK_S = 0.05
"""Mean interval in seconds between two readings of all clocks."""
MIN_TICK_S = 0.002
"""Interval between two readings when a budget is almost used up."""
PATIENCE_S = 0.1
"""A bot is checked for idle time only when its request is this old. Most bots answer sooner."""
MAX_IDLE_S = 2 * TICK_S
"""Maximum idle time to count per reading. The machine may have been suspended in between."""
MAX_WALL_S = 1.0
"""Maximum wall time to count per reading. The machine may have been suspended in between."""
CREDIT = 0.01
"""The share of wall time that a bot may compute for free while it has no request."""
MAX_WALL_FACTOR = 20
"""The maximum wall time for an answer, as a multiple of its time limits."""

Judgement = Literal["ok", "wait", "cpu", "idle", "wall"]
"""Whether a bot is within its budget, or which time it has used up.

`wait` means that the bot is within its budget and has a pending request, `ok` that it has none."""


def next_interval_s(rng: random.Random) -> float:
    """Return a random time until the next reading of all clocks, in seconds.

    If bots could predict the readings, a bot could sleep between them and never be found idle.
    """
    return rng.uniform(0.0, 2 * TICK_S)


class Budget:
    """How much time a bot process may use until its next answer, and how much it has used. In
    seconds.
    """

    def __init__(self, now: float, limit_s: float, idle_s: float) -> None:
        self.limit_s = limit_s
        """Processor time allowed until the next answer."""
        self.idle_s = idle_s
        """Idle time allowed for the next answer."""
        self.spent_s = 0.0
        """Processor time used since the previous answer."""
        self.is_exact = True
        """Whether the clock includes processes of the bot that have ended."""
        self.cores = 1
        self.is_asked = True
        self.asked_at = now
        """When the bot could first read its pending request."""
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
        """Return whether the next reading has to include whether the bot can run."""
        return self.is_asked and now - self.asked_at > PATIENCE_S

    def look(self, now: float, clock_s: float, is_able: bool | None = None) -> None:
        """Update the budget with the process's current clock.

        `is_able` is whether any thread of the bot is running or waiting for a core, if known.
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
        """Update the budget when an answer arrives, and return the processor time used for the
        answer.

        If the answer is accepted, call `restart` next.
        """
        self.spent_s += max(0.0, clock_s - self._seen_s)
        self._seen_s = max(self._seen_s, clock_s)
        self._seen_at = now
        return self.spent_s

    def restart(self) -> None:
        """Begin the budget for the next answer. The bot has no request yet."""
        self.spent_s = self._slept_s = self._wall_s = 0.0
        self.is_asked = False

    @property
    def max_wall_s(self) -> float:
        if self.is_exact:
            return MAX_WALL_FACTOR * (self.limit_s + self.idle_s)
        return MAX_WALL_FACTOR * self.limit_s + self.idle_s

    def judge(self) -> Judgement:
        if self.spent_s > self.limit_s:
            return "cpu"
        if not self.is_asked:
            return "ok"
        if self._slept_s > self.idle_s:
            return "idle"
        return "wall" if self._wall_s > self.max_wall_s else "wait"

    def spent_at(self, now: float) -> float:
        """Return the earliest time at which the processor time can be used up."""
        return now + max(MIN_TICK_S, (self.limit_s - self.spent_s) / self.cores)
