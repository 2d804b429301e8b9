"""Limit how much processor time, idle time and wall time a bot may use for each answer.

A bot's processor time includes the processor time of its child processes. If a bot computes
between requests, the processor time that exceeds a small allowance counts towards its next
answer. A bot is idle if it has a pending request but uses no processor time, for example because
it sleeps or waits for a server. Processor time and idle time don't depend on how busy the
machine is. The wall time limit is only a last resort.
"""

import random
from typing import Literal

TICK_S = 0.05
"""Average interval between processor time measurements, in seconds."""
MIN_TICK_S = 0.002
"""Minimum interval between processor time measurements, in seconds."""
PATIENCE_S = 0.1  # from a request to the first measurement of the bot's idle time
# More idle time or wall time than this since the last measurement is not counted, because the
# machine may have been suspended.
MAX_IDLE_S = 2 * TICK_S
MAX_WALL_S = 1.0
CREDIT = 0.01  # processor cores that a bot may use in the background without being charged
MAX_WALL_FACTOR = 20

Judgement = Literal["ok", "wait", "cpu", "idle", "wall"]
"""The state of a bot's time budget.

`ok` means that the bot has no pending request, and `wait` means that the bot still has time to
answer. `cpu`, `idle` and `wall` name the time limit that the bot exceeded."""


def next_interval_s(rng: random.Random) -> float:
    """Return a random delay in seconds before the next processor time measurement."""
    # With regular intervals, a bot could hide its idle time by sleeping between readings.
    return rng.uniform(0.0, 2 * TICK_S)


class Budget:
    """Tracks the time that a bot process spends on its next answer, and its time limits. All times
    are in seconds.
    """

    def __init__(self, now: float, limit_s: float, idle_s: float) -> None:
        self.limit_s = limit_s
        self.idle_s = idle_s
        self.spent_s = 0.0
        self.is_exact = True
        self.cores = 1
        self.has_request = True
        self.requested_at = now
        self._slept_s = self._wall_s = 0.0  # while it has a request
        self._seen_s = 0.0  # clock at the last reading
        self._seen_at = now
        self._state_s, self._state_at = 0.0, now  # clock and time of the last state reading

    def start_request(self, now: float, limit_s: float, idle_s: float) -> None:
        self.limit_s, self.idle_s = limit_s, idle_s
        self.has_request = True
        self.requested_at = self._state_at = now
        self._state_s = self._seen_s

    def needs_state(self, now: float) -> bool:
        """Return whether to check if the bot is idle."""
        return self.has_request and now - self.requested_at > PATIENCE_S

    def measure(self, now: float, clock_s: float, is_able: bool | None = None) -> None:
        """Record the total processor time that the bot has used so far.

        `is_able` is True if a thread of the bot is running or runnable, and None if this wasn't
        checked.
        """
        used_s = max(0.0, clock_s - self._seen_s)
        if self.has_request:
            self.spent_s += used_s
            self._wall_s += min(now - max(self._seen_at, self.requested_at), MAX_WALL_S)
        else:
            self.spent_s += max(0.0, used_s - CREDIT * (now - self._seen_at))
        self._seen_s += used_s
        self._seen_at = now
        if is_able is not None and self.has_request:  # it may have answered in the meantime
            if not is_able:
                elapsed_s = min(now - self._state_at, MAX_IDLE_S)
                self._slept_s += max(0.0, elapsed_s - (self._seen_s - self._state_s))
            self._state_s, self._state_at = self._seen_s, now

    def answer(self, now: float, clock_s: float) -> float:
        """Record an answer, and return how much processor time the bot used for it."""
        self.spent_s += max(0.0, clock_s - self._seen_s)
        self._seen_s = max(self._seen_s, clock_s)
        self._seen_at = now
        return self.spent_s

    def restart(self) -> None:
        """Reset the budget for the bot's next answer."""
        self.spent_s = self._slept_s = self._wall_s = 0.0
        self.has_request = False

    @property
    def max_wall_s(self) -> float:
        if self.is_exact:
            return MAX_WALL_FACTOR * (self.limit_s + self.idle_s)
        return MAX_WALL_FACTOR * self.limit_s + self.idle_s

    def judge(self) -> Judgement:
        if self.spent_s > self.limit_s:
            return "cpu"
        if not self.has_request:
            return "ok"
        if self._slept_s > self.idle_s:
            return "idle"
        return "wall" if self._wall_s > self.max_wall_s else "wait"

    def spent_at(self, now: float) -> float:
        """Return the earliest time at which the bot can exceed its processor time limit."""
        return now + max(MIN_TICK_S, (self.limit_s - self.spent_s) / self.cores)
