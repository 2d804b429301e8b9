"""The verdict on a broken process: its fault, and what becomes of each of its games.

A game counts as the bot would play it by a process of its own. Where a process breaks that has
played other games too, they may be the reason. So no game is charged. The bot gets a new process in
each game in which it has to decide again, and its turns in that game are replayed to it
(`GamesUnderWay.replay`). If it breaks again, nothing but this game can be the reason, and it is
charged.

So a death counts at the bot's next decision in a game whose turns alone bring it about. Which games
were under way together changes nothing, and no answer that was given is undone.
"""
# compiled: see setup.py

from collections.abc import Sequence
from typing import Literal, NamedTuple, cast

from arena.base.protocol import Fault, FaultKind
from arena.base.record import Evidence

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
