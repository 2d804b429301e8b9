"""Let a bot play several games against scripted opponents, then let it exit.

If the bot process breaks, a new process is started for the next game.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from arena.base.errors import ProtocolError
from arena.base.protocol import Bye, Fault, Ready, SeatFault, read_from_referee, write
from arena.base.record import Entrant, Evidence, Game, GameRecord, Observations
from arena.check.fault_file import FaultFile, FaultSource, describe_fault
from arena.match.bot_log import OnLog
from arena.match.driver import Driver
from arena.match.match_state import Charge, MatchHooks, ProcessFacts
from arena.match.playing import OpenTransport, local_processes
from arena.match.seats import Player, Script
from arena.match.settings import MAX_GAMES, MatchSettings

LEAVE_GRACE_S = 5.0
"""Maximum time for a bot to exit in a check, in seconds. A run waits for a shorter time, but
exceeding it is not a fault."""


class SessionPlan(NamedTuple):
    entrant: Entrant
    games: Sequence[Game]
    settings: MatchSettings
    opponents: Mapping[str, Script]
    grace_s: float = LEAVE_GRACE_S
    on_log: OnLog | None = None

    @property
    def source(self) -> FaultSource:
        limits, sandbox = self.settings.limits, self.settings.sandbox
        tables = self.settings.tables or MAX_GAMES
        worlds = {game.key: game.worlds for game in self.games}
        return FaultSource(self.entrant, limits, sandbox.bounds, tables, worlds)


class Session(NamedTuple):
    plan: SessionPlan
    ready: Ready | Fault
    """The `ready` message of the first process, or a fault if it failed to start."""
    start_s: float
    """Seconds until the first process was ready or failed to start."""
    played: Sequence[tuple[GameRecord, Observations]]
    answers_s: Sequence[float]
    memory_kib: int | None
    """Peak memory usage of the last process in KiB, or None if it can't be measured."""
    charge: Charge | None
    """The fault of the last process that broke or didn't exit."""
    leave_s: float
    """Seconds from `bye` until the process exited. This is valid only if there was no fault."""


def run_session(plan: SessionPlan, open_transport: OpenTransport = local_processes) -> Session:
    transport = open_transport(plan.settings)
    players: dict[str, Player] = {**plan.opponents, plan.entrant.name: plan.entrant}
    answers_s: list[float] = []
    name = plan.entrant.name
    hooks = MatchHooks(on_answer=answers_s.append, on_log=plan.on_log)
    with Driver(players, plan.settings, transport, hooks) as driver:
        began = transport.now()
        ready = driver.introduce()[name]
        start_s = transport.now() - began
        played = list(driver.play_all(plan.games)) if isinstance(ready, Ready) else []
        number = driver.process_of(name)
        memory_kib = driver.memory_kib_of(number) if number else None
        began = transport.now()
        charge = None
        if number and (stays := driver.dismiss(number, plan.grace_s)):
            charge = _stay(stays, plan.grace_s)
        leave_s = transport.now() - began
    order = {game.key: place for place, game in enumerate(plan.games)}
    played.sort(key=lambda entry: order[entry[0].key])
    charge = charge or driver.charges.get(name)
    if not memory_kib and charge:
        memory_kib = charge.evidence.memory_kib
    return Session(plan, ready, start_s, played, answers_s, memory_kib, charge, leave_s)


def _stay(facts: ProcessFacts, grace_s: float) -> Charge:
    evidence = Evidence(
        seat=0,
        asked=write(Bye())[:-1].decode(),
        stderr=facts.stderr,
        wall_ms=int(grace_s * 1000),
        memory_kib=facts.memory_kib,
    )
    return Charge(Fault("stays", f"still ran {grace_s:g} s after `bye`"), evidence, "stays")


def fault_in(session: Session) -> FaultFile | None:
    """Return the bot's first fault before its `bye` message, or None if there was no fault.

    If the process broke during concurrent games, the fault is assigned to the game whose request
    was being answered.
    """
    found = list(_faults(session))
    if not found:
        return None
    asked_there = [entry for entry in found if _table_in(entry[1].asked) == entry[2] + 1]
    fault, evidence, faulty = (asked_there or found)[0]
    records = [record for record, _ in session.played]
    if session.plan.source.tables == 1:
        del records[faulty + 1 :]  # they came later
    return describe_fault(session.plan.source, fault, evidence, records, faulty)


def _faults(session: Session) -> Iterator[tuple[SeatFault, Evidence, int]]:
    if isinstance(session.ready, Fault):
        evidence = session.charge.evidence if session.charge else Evidence(0)
        yield SeatFault(0, 0, session.ready.kind, session.ready.text), evidence, 0
    for number, (record, seen) in enumerate(session.played):
        seat = record.entrants.index(session.plan.entrant.name)
        for fault in record.faults_of(seat):
            yield fault, seen.evidence_of(seat), number


def stay_in(session: Session) -> FaultFile | None:
    """Return the fault of a bot that didn't exit after `bye`, or None if it exited."""
    charge = session.charge
    if charge is None or charge.cause != "stays":
        return None
    records = [record for record, _ in session.played]
    fault = SeatFault(0, 0, charge.fault.kind, charge.fault.text)
    faulty = max(0, len(records) - 1)
    return describe_fault(session.plan.source, fault, charge.evidence, records, faulty)


def _table_in(line: str) -> int | None:
    try:
        return getattr(read_from_referee(line.encode()), "table", None)
    except ProtocolError:
        return None
