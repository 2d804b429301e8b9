"""The verdict on a broken process: its fault, and what becomes of each of its games.

A game counts as the bot would play it by a process of its own. Where a process breaks that has
played other games too, they may be the reason. So no game is charged. The bot gets a new process in
each game in which it has to decide again, and its turns in that game are replayed to it
(`replays`). If it breaks again, nothing but this game can be the reason, and it is charged.

So a death counts at the bot's next decision in a game whose turns alone bring it about. Which games
were under way together changes nothing, and no answer that was given is undone.
"""
# compiled: see setup.py

from collections.abc import Sequence
from typing import Literal, NamedTuple, cast

from arena.match.fair_share import ShareRuling
from arena.protocol import Fault, FaultKind
from arena.record import Evidence

MAX_STALL_REPLAYS = 2
"""Replays of a game after host stalls. After these a time-out counts."""

Cause = FaultKind | Literal["excess", "burned"]
"""How a process broke, also before it was ready.

`excess`: it exceeded a bound of its sandbox; `burned`: it used too much processor time.
"""

_KINDS: dict[Cause, FaultKind] = {"excess": "crash", "burned": "timeout"}

Ruling = Literal["charge", "replay", "stalled"]
"""What becomes of a game: the bot is charged, or its turns are replayed to a new process. A replay
is `stalled` where the host is to blame.
"""


class Charge(NamedTuple):
    """A fault, and what the referee saw of it."""

    fault: Fault
    evidence: Evidence
    cause: Cause


class Facts(NamedTuple):
    """What is known of a process that broke."""

    cause: Cause
    was_ready: bool
    share: ShareRuling
    """Whether the bot had a fair share of its time, if it was too late."""
    is_only_game: bool
    """Whether the process has begun one game only."""
    always_charge: bool
    """Whether the bot is charged in any case."""
    stall_replays: Sequence[int]
    """How often the host has stalled in each game that was under way in the process."""


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
