"""The verdict on a broken process: its fault, and what becomes of each of its games.

A game counts as the bot would play it by a process of its own. Where a process breaks that has
played other games too, they may be the reason. So no game is charged. The bot gets a new process in
each game in which it has to decide again, and its turns in that game are replayed to it
(`replays`). If it breaks again, nothing but this game can be the reason, and it is charged.

So a death counts at the bot's next decision in a game whose turns alone bring it about. Which games
were under way together changes nothing, and no answer that was given is undone.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from arena.protocol import Fault, FaultKind
from arena.record import Evidence

MAX_STALL_REPLAYS = 2
"""Replays of a game after host stalls. After these a time-out counts."""

Cause = FaultKind | Literal["excess"]
"""How a process broke, also before it was ready; `excess`: it exceeded a bound of its sandbox."""

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
    has_stalled: bool
    """Whether the host stalled for a good part of the time that the bot had."""
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

    The fault is `start` before the process was ready, `crash` for an excess, else the cause. A
    time-out is excused if the host has stalled. The first row that fits decides:

    | time-out excused, replays left | always charge | ready | only game | ruling  |
    |--------------------------------|---------------|-------|-----------|---------|
    | yes                            | any           | any   | any       | stalled |
    | no                             | yes           | any   | any       | charge  |
    | no                             | no            | no    | any       | charge  |
    | no                             | no            | yes   | yes       | charge  |
    | no                             | no            | yes   | no        | replay  |
    """
    kind: FaultKind = "crash" if facts.cause == "excess" else facts.cause
    if not facts.was_ready:
        kind = "start"
    is_excused = facts.has_stalled and facts.cause == "timeout"
    is_certain = facts.always_charge or not facts.was_ready or facts.is_only_game
    rulings: list[Ruling] = [
        "stalled"
        if is_excused and replays < MAX_STALL_REPLAYS
        else "charge"
        if is_certain
        else "replay"
        for replays in facts.stall_replays
    ]
    return Verdict(kind, rulings, kind == "start" and not is_excused)
