"""A session of one bot in some games. The other seats have no process.

Where it breaks, a new process goes on with the next game. What is void because the host stalled is
played again.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from arena.check.fault_file import FaultFile, describe_fault
from arena.contracts import SandboxSettings
from arena.errors import ProtocolError
from arena.match.driver import Room
from arena.match.in_progress import Charge, Referee
from arena.match.referee import Ask, Reply
from arena.protocol import Fault, Limits, Ready, SeatFault, read_from_referee
from arena.record import Entrant, Evidence, Game, GameRecord, Seen

LEAVE_S = 5.0
"""A bot has so long to leave. A run gives it less, but charges nobody for it."""

Person = Callable[[Ask], Reply]
"""Answers for a seat at once."""


class Sitting(NamedTuple):
    """What was seen of the bot."""

    ready: Ready | Fault
    """Of its first process."""
    start_s: float
    """Until it was ready, or broke."""
    played: Sequence[tuple[GameRecord, Seen]]
    """In the order of the games."""
    answers_s: Sequence[float]
    """How long it took for each answer, in order."""
    memory_kib: int | None
    """The most that it had in its last process, as far as the system tells."""
    charge: Charge | None
    """Why its last process that broke did so, or that it did not leave."""
    leave_s: float
    """From `bye` until it had gone; meaningless when there is a charge."""


def sit(
    entrant: Entrant,
    games: Sequence[Game],
    limits: Limits,
    sandbox: SandboxSettings | None,
    *,
    tables: int = 1,
    people: Mapping[str, Person] | None = None,
    referees: Mapping[str, Referee] | None = None,
    grace_s: float,
) -> Sitting:
    """Have a bot play games, so many at a time, and then leave within `grace_s` seconds.

    `people` are all others by name, `referees` are by the key of their game, as in
    `arena.match.driver.Room`.
    """
    stalls: Counter[str] = Counter()
    answers_s: list[float] = []
    while True:
        answers_s.clear()
        with Room(
            {entrant.name: entrant},
            limits,
            tables,
            charge=True,
            stalls=stalls,
            people=people,
            sandbox=sandbox,
            referees=referees,
            answered=lambda _, taken_s: answers_s.append(taken_s),
        ) as room:
            began = time.monotonic()
            ready = room.introduce()[entrant.name]
            start_s = time.monotonic() - began
            played = []
            if isinstance(ready, Ready):
                played = list(room.play(games))
            usage = room.usage_of(entrant.name)
            began = time.monotonic()
            charge = room.part_with(entrant.name, grace_s) or room.charge_of(entrant.name)
            leave_s = time.monotonic() - began
        if not room.void:
            break
    order = {game.key: number for number, game in enumerate(games)}
    played.sort(key=lambda one: order[one[0].key])
    memory_kib = usage.memory_kib if usage else charge.evidence.memory_kib if charge else None
    return Sitting(ready, start_s, played, answers_s, memory_kib, charge, leave_s)


def fault_in(
    sitting: Sitting, entrant: Entrant, limits: Limits, sandbox: SandboxSettings, tables: int = 1
) -> FaultFile | None:
    """Return the bot's first fault before it was told to leave, or None.

    Where it broke with several games under way, that is the game in which it was asked.
    """
    found = list(_faults(sitting, entrant.name))
    if not found:
        return None
    asked_there = [one for one in found if _table_in(one[1].asked) == one[2] + 1]
    fault, evidence, faulty = (asked_there or found)[0]
    records = [record for record, _ in sitting.played]
    if tables == 1:
        del records[faulty + 1 :]  # they came later
    return describe_fault(
        entrant, limits, sandbox.bounds, fault, evidence, records, tables=tables, faulty=faulty
    )


def _faults(sitting: Sitting, name: str) -> Iterator[tuple[SeatFault, Evidence, int]]:
    """Yield the bot's faults, each with what was seen of it and the number of its game."""
    if isinstance(sitting.ready, Fault):
        evidence = sitting.charge.evidence if sitting.charge else Evidence(0)
        yield SeatFault(0, 0, sitting.ready.kind, sitting.ready.text), evidence, 0
    for number, (record, seen) in enumerate(sitting.played):
        seat = record.entrants.index(name)
        own = [one for one in seen.evidence if one.seat == seat]
        for fault in record.faults_of(seat):
            yield fault, own[0] if own else Evidence(seat), number


def stay_in(
    sitting: Sitting, entrant: Entrant, limits: Limits, sandbox: SandboxSettings, tables: int = 1
) -> FaultFile | None:
    """Return the fault that the bot did not leave when it was told to, or None."""
    charge = sitting.charge
    if charge is None or charge.cause != "stays":
        return None
    records = [record for record, _ in sitting.played]
    return describe_fault(
        entrant,
        limits,
        sandbox.bounds,
        SeatFault(0, 0, charge.fault.kind, charge.fault.text),
        charge.evidence,
        records,
        tables=tables,
        faulty=max(0, len(records) - 1),
    )


def _table_in(line: str) -> int | None:
    """Return the table of a line of the referee; None when it names none."""
    try:
        return getattr(read_from_referee(line.encode()), "table", None)
    except ProtocolError:
        return None
