"""Limits for the processor time of a bot: for an answer, between its answers, and while frozen."""
# compiled: see setup.py

from typing import NamedTuple

BETWEEN_SHARE = 0.25
"""The share of the time that a bot may compute between its answers, in the long run."""
MAX_FROZEN_MS = 50
"""Processor time after which a frozen bot has evidently run on. The system rounds a bit."""

BETWEEN_TEXT = (
    f"computed too much between its answers: the limit of an answer, and {BETWEEN_SHARE:.0%} of "
    "the time, are allowed"
)
FROZEN_TEXT = "went on computing while another bot was asked, although it was stopped"


class Reading(NamedTuple):
    """A measurement of the processor time of a process."""

    cpu_ms: int = 0
    wait_ms: int = 0
    """Time in which it could have run, and waited for a core that others used."""
    now: float = 0.0
    cores: int = 1
    """The number of cores that it may use."""
    is_ready: bool = False
    """Whether a thread runs or waits for a core."""
    asked_s: float = 0.0
    """For how long it was asked by then, all requests together."""


class ProcessorAccount:
    """The processor time of a process, as it is measured from time to time."""

    def __init__(self, limit_ms: int) -> None:
        """Open an account; `limit_ms` is the limit for an answer."""
        self._limit_ms = limit_ms
        self.last = Reading()
        """The last reading."""
        self.before = self.last
        """The last reading before it was asked, or one soon after."""
        self.is_sampled = False
        """Whether `before` is from after it was asked."""
        self.asked = self.last
        """The last reading before it was asked."""
        self._frozen: Reading | None = None
        self._thawed: Reading | None = None  # the same of a process that is to be measured once
        self._between_ms = 0.0  # used between answers, less what is allowed in the long run
        self.ran_on = False
        """Whether it computed while it was frozen, at the last reading."""

    def ask(self) -> None:
        """Note that the process is asked."""
        self.before = self.asked = self.last
        self.is_sampled = False

    def measure(self, reading: Reading) -> None:
        """Note what it has used."""
        used_ms = reading.cpu_ms - self.last.cpu_ms
        for_answers_ms = 1000 * (reading.asked_s - self.last.asked_s) * reading.cores
        allowed_ms = 1000 * (reading.now - self.last.now) * BETWEEN_SHARE
        self._between_ms += max(0.0, used_ms - for_answers_ms)
        self._between_ms = max(0.0, self._between_ms - allowed_ms)
        self.last = reading
        since, self._thawed = self._frozen or self._thawed, None
        self.ran_on = since is not None and reading.cpu_ms - since.cpu_ms > MAX_FROZEN_MS

    def sample(self) -> None:
        """Note that the last reading is from soon after it was asked."""
        self.before = self.last
        self.is_sampled = True

    def freeze(self) -> None:
        """Note that it was frozen before the last reading. A second call changes nothing."""
        self._frozen = self._frozen or self.last

    def thaw(self, is_measured: bool) -> None:
        """Note that it may run again; `is_measured` says that the next reading is from before."""
        self._thawed = self._frozen if is_measured else None
        self._frozen = None

    # -- limits -------------------------------------------------------------------------------

    @property
    def excess(self) -> str | None:
        """The limit that it exceeds, in words."""
        if self.ran_on:
            return FROZEN_TEXT
        if self._between_ms > self._limit_ms:
            return BETWEEN_TEXT
        return self.excess_of_answer(self.last.cpu_ms)

    def excess_of_answer(self, cpu_ms: int | None) -> str | None:
        """Return in words that it used too much for its answer, if it has used `cpu_ms` by now."""
        if cpu_ms is None or not self.is_sampled or cpu_ms - self.before.cpu_ms <= self._limit_ms:
            return None
        return f"used more than {self._limit_ms} ms of processor time for an answer"
