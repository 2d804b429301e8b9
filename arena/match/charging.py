"""Who is charged when a bot is late or its process breaks: the bot, another bot, or the host.

A record must say of a bot only what it would have done alone on an idle machine with a process of
its own. So before a bot is charged, it is asked who took its time, and which game broke its
process:

    an answer is too late                            a process breaks, or used too much
            |                                                        |
    it waited for a core ---yes--> GRANTED: its                      |
            | no                   deadline moves                    |
            v                                                        v
    who took the time that it lost? (`judge_share`)     can another game be the reason? (`judge`)
      |            |                |                       | no                 | yes
    another bot  the host         nobody                    |                    |
    BURNED it    STALLED            |                       v                    v
      |            |                +------------------> CHARGE              REPLAY in a new
      +------------+----------------------------------------------------> process of its own

- **granted**: milliseconds by which a deadline has moved, since the bot waited for a core that
  others used. They are not a loss any more.
- **burned**: a bot that was not asked computed all the same, and took time from the one that was.
  The burner is charged (`ProcessorAccount`), the one that was late is not.
- **stalled**: the host woke the referee up too late (`HostStalls`), so a bot may have been late for
  that. It is replayed up to `MAX_STALL_REPLAYS` times a game, then a time-out counts.
- **charge**: the game gets the fault, at the next decision of the bot (`Charge`).
- **replay**: the game goes back to its first decision. All answers that were given stand; only the
  bot whose process broke is asked again, by a process of its own (`GamesUnderWay.replay`). If that
  breaks too, nothing but this game can be the reason, and it is charged.

So a death counts at the bot's next decision in a game whose turns alone bring it about. Which games
were under way together changes nothing, and no answer that was given is undone. A process that
broke in a game that is not charged is told beside the record (`RunningBot.restarts`).

The facts are kept here too: `HostStalls`, `ProcessorAccount` and `LostTime`. `RequestQueue` asks
`time_to_grant_ms` and `judge_share`; `Dispatcher` asks `judge` and does what it says. All is pure.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, cast

from arena.base.protocol import Fault, FaultKind
from arena.base.record import Evidence

# -- a bot that is too late ----------------------------------------------------------------------

EXCUSED_SHARE = 0.25
"""A time-out is usually excused if the machine took this share of the bot's time from it."""
BURNED_SHARE = 0.05
"""A time-out is excused if this share was lost while another bot computed that was not asked.

It is smaller, since a bot pays for it.
"""

BANK_SHARE = 0.05
"""The same as `EXCUSED_SHARE` in a game with a bank."""

MAX_GRANTED = 20
"""The most time that a bot gets for what it has lost, in units of its limit for an answer."""
LOOK_MS = 50
"""The time after which a bot that may be waiting for a core is looked at again."""

ShareRuling = Literal["fair", "stalled", "burned"]
"""Whether a bot had a fair share, or else who took it: the machine, or a bot that was not asked."""


class TimeShare(NamedTuple):
    """The time of a bot that is too late, in milliseconds."""

    limit_ms: float
    """The time that it had."""
    cpu_ms: float
    """Processor time of its processes."""
    wait_ms: float
    """Time in which a thread of it could have run, and waited for a core that others used.

    Waiting for threads of its own does not count.
    """
    stalled_ms: float
    """The time by which the referee was woken up too late meanwhile."""
    has_burner: bool
    """Whether another bot computed meanwhile that was not asked."""
    granted_ms: float = 0.0
    """The time that it got for what it has lost."""
    may_wait: bool = False
    """Whether it may be waiting for a core now, for a time that the system does not tell yet."""


def time_to_grant_ms(share: TimeShare, answer_ms: float) -> float:
    """Return by how many milliseconds the deadline moves of a bot whose time is over.

    These are the milliseconds for which it waited for others. So a busy machine does not make it
    late. It never gets more than `MAX_GRANTED` times `answer_ms`, the limit for an answer.
    """
    more_ms = share.wait_ms - share.granted_ms
    if more_ms < 1:
        more_ms = float(LOOK_MS if share.may_wait else 0)
    return max(0.0, min(more_ms, MAX_GRANTED * answer_ms - share.granted_ms))


def judge_share(share: TimeShare, excused_share: float = EXCUSED_SHARE) -> ShareRuling:
    """Return whether a bot that is too late had a fair share of the processor.

    It has lost the time for which it waited for others. It has also lost the time for which the
    referee was late, except for its own processor time: its own processes may have made the referee
    late. What it got for that does not count. The first row that fits decides, here with an
    `excused_share` of 25 %:

    | another bot burned | lost of its time | ruling  |
    |--------------------|------------------|---------|
    | yes                | 5 % or more      | burned  |
    | any                | 25 % or more     | stalled |
    | any                | less             | fair    |

    Examples, with a limit of 1,000 ms:

    | the bot ...                             | cpu | wait | stalled | burner | ruling  |
    |-----------------------------------------|-----|------|---------|--------|---------|
    | computes all the time                   | 990 |    5 |       0 | no     | fair    |
    | sleeps                                  |   0 |    0 |       0 | no     | fair    |
    | sleeps while another one burns          |   0 |    0 |       0 | yes    | fair    |
    | gets little beside spinners of a rival  |  70 |  900 |     400 | yes    | burned  |
    | gets little beside other programs       | 240 |  750 |       0 | no     | stalled |
    | is suspended with the machine           |   0 |    0 |     900 | no     | stalled |
    | makes the referee late by spinners      | 950 |   20 |     400 | no     | fair    |
    | does so, while another one burns too    | 500 |  480 |     400 | yes    | burned  |
    """
    lost_ms = max(share.wait_ms, share.stalled_ms - share.cpu_ms) - share.granted_ms
    if share.has_burner and lost_ms >= BURNED_SHARE * share.limit_ms:
        return "burned"
    return "stalled" if lost_ms >= excused_share * share.limit_ms else "fair"


# -- a process that broke ------------------------------------------------------------------------

MAX_STALL_REPLAYS = 2
"""Replays of a game after host stalls. After these a time-out counts."""

Cause = FaultKind | Literal["excess", "burned"]
"""The way in which a process broke, also before it was ready.

`excess`: it exceeded a bound of its sandbox; `burned`: it used too much processor time.
"""

_KINDS: dict[Cause, FaultKind] = {"excess": "crash", "burned": "timeout"}

Ruling = Literal["charge", "replay", "stalled"]
"""The ruling on a game: the bot is charged, or its turns are replayed to a new process. A replay is
`stalled` where the host is to blame.
"""


class Charge(NamedTuple):
    """A fault, and what the referee saw of it."""

    fault: Fault
    evidence: Evidence
    cause: Cause


class Facts(NamedTuple):
    """The facts of a process that broke."""

    cause: Cause
    was_ready: bool
    share: ShareRuling
    """Whether the bot had a fair share of its time, if it was too late."""
    is_only_game: bool
    """Whether the process has begun one game only."""
    always_charge: bool
    """Whether the bot is charged in any case."""
    stall_replays: Sequence[int]
    """The number of stalls of the host in each game that was under way in the process."""


class Verdict(NamedTuple):
    """The kind of the fault, and the ruling on each game in the order of the facts."""

    kind: FaultKind
    rulings: Sequence[Ruling]
    is_failed_start: bool
    """Whether it counts as one of the starts that may fail."""


def judge(facts: Facts) -> Verdict:
    """Return the verdict on a broken process.

    The fault is `start` before the process was ready, `crash` for an excess, `timeout` for too much
    processor time, else the cause. A time-out is excused if the bot had no fair share of its time,
    because of another bot or of the host. The first row that fits decides:

    | cause     | excused by | replays left | always charge | ready | only game | ruling  |
    |-----------|------------|--------------|---------------|-------|-----------|---------|
    | timeout   | a bot      | any          | any           | any   | any       | replay  |
    | timeout   | the host   | yes          | any           | any   | any       | stalled |
    | any       | any        | any          | yes           | any   | any       | charge  |
    | any       | any        | any          | no            | no    | any       | charge  |
    | any       | any        | any          | no            | yes   | yes       | charge  |
    | burned    | any        | any          | no            | yes   | no        | charge  |
    | any other | any        | any          | no            | yes   | no        | replay  |

    What a new process does cannot give processor time back, so a bot that has burned it is charged.
    """
    kind: FaultKind = _KINDS.get(facts.cause) or cast(FaultKind, facts.cause)
    if not facts.was_ready:
        kind = "start"
    share: ShareRuling = facts.share if facts.cause == "timeout" else "fair"
    is_certain = (
        facts.always_charge or not facts.was_ready or facts.is_only_game or facts.cause == "burned"
    )
    rulings: list[Ruling] = []
    for replays in facts.stall_replays:
        if share == "stalled" and replays < MAX_STALL_REPLAYS:
            rulings.append("stalled")
        elif share != "burned" and is_certain:
            rulings.append("charge")
        else:
            rulings.append("replay")
    return Verdict(kind, rulings, kind == "start" and share == "fair")


# -- what is measured: the host ------------------------------------------------------------------

MIN_STALL_S = 0.03
"""Shorter delays are usual on a busy machine."""


class HostStalls:
    """The time for which the host has stalled so far, in seconds of any clock."""

    def __init__(self) -> None:
        self.total_s = 0.0
        self.busy_s = 0.0
        """For how long the referee did something else before it listened last, if that was short.
        It is not in the total. An answer may have come meanwhile."""
        self._queued_s = 0.0

    def woke(self, wait_s: float, waited_s: float, queued_s: float = 0.0) -> None:
        """Note a wait that was to last at most `wait_s` and lasted `waited_s`.

        By now, the referee has waited for a core for `queued_s` in all, if the system tells.
        """
        late_s = waited_s - max(0.0, wait_s)
        more_queued_s, self._queued_s = queued_s - self._queued_s, queued_s
        self.total_s += max(late_s if late_s > MIN_STALL_S else 0.0, more_queued_s)

    def was_busy(self, busy_s: float) -> None:
        """Note that the referee could not listen for `busy_s`, since it did something else."""
        is_stall = busy_s > MIN_STALL_S
        self.total_s += busy_s if is_stall else 0.0
        self.busy_s = 0.0 if is_stall else busy_s


# -- what is measured: the processor time of a bot -----------------------------------------------

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

    def since_asked(self, answered_s: float, elapsed_ms: float) -> "UsedTime":
        """Return what it has used for its first request, which it has had for `elapsed_ms`.

        Quick answers are not measured. What it computed for those since it was measured before, of
        `answered_s` for all answers, is no more than their time.
        """
        used, asked = self.last, self.asked
        earlier_ms = 1000 * max(0.0, answered_s - asked.asked_s)
        cpu_ms = max(0.0, used.cpu_ms - asked.cpu_ms - earlier_ms * used.cores)
        wait_ms = min(used.wait_ms - asked.wait_ms, max(0.0, elapsed_ms))
        return UsedTime(cpu_ms, wait_ms, used.is_ready)


class UsedTime(NamedTuple):
    """The time that a bot has used and waited since it was asked, in milliseconds."""

    cpu_ms: float
    wait_ms: float
    is_ready: bool
    """Whether a thread of it runs or waits for a core now."""


# -- what is measured: the time that others took from a bot ---------------------------------------


class LostTime:
    """The time that others have taken from a bot since it was asked, and what it got for that."""

    def __init__(self) -> None:
        self.stalled_before_s = 0.0
        """For how long the host had stalled when it was asked."""
        self.has_burner = False
        """Whether another bot has computed since then that was not asked."""
        self.granted_s = 0.0
        self._waited_ms = 0.0  # when it got that

    def ask(self) -> None:
        """Note that the bot is asked."""
        self.has_burner = False
        self.granted_s = self._waited_ms = 0.0

    def grant(self, milliseconds: float, share: TimeShare) -> None:
        """Give it time for what it has lost, by its `share`."""
        self.granted_s += milliseconds / 1000
        self._waited_ms = share.wait_ms

    def charged_s(self, taken_s: float, share: TimeShare | None) -> float:
        """Return the time that an answer costs which took `taken_s`; `share` is given with a bank.

        Then the time does not count for which it waited for others, or the referee was late. What
        it computed counts in any case, so it gains nothing by making the referee late.
        """
        if share is None:
            return taken_s - self.granted_s
        lost_s = (share.wait_ms + share.stalled_ms) / 1000
        return min(taken_s, max(share.cpu_ms / 1000, taken_s - lost_s))

    def share(
        self, limit_ms: float, elapsed_ms: float, used: UsedTime, stalled_s: float
    ) -> TimeShare:
        """Return its share of `elapsed_ms`. The host has stalled for `stalled_s` so far."""
        is_unknown = elapsed_ms - used.cpu_ms - used.wait_ms > LOOK_MS / 2
        has_waited = not self.granted_s or used.wait_ms > self._waited_ms
        return TimeShare(
            limit_ms,
            used.cpu_ms,
            used.wait_ms,
            1000 * (stalled_s - self.stalled_before_s),
            self.has_burner,
            1000 * self.granted_s,
            used.is_ready and is_unknown and has_waited,
        )
