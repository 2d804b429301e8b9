"""Let a bot play several games against scripted opponents, restarting the bot process if it
fails.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from arena import __version__
from arena.base.errors import ProtocolError
from arena.base.protocol import Fault, Ready, SeatFault, read_from_referee
from arena.base.record import Entrant, Evidence, Game, GameRecord, Observations
from arena.check.fault_file import FORMAT, FaultFile, game_until_fault
from arena.match.bot_log import OnLog
from arena.match.driver import Driver, local_processes
from arena.match.match_state import Charge, MatchHooks
from arena.match.seats import Player, Script
from arena.match.settings import MatchSettings


class Session(NamedTuple):
    entrant: Entrant
    settings: MatchSettings
    ready: Ready | Fault
    """The `ready` message of the first bot process, or a fault if the bot process failed to start.
    """
    start_s: float
    """The time in seconds until the first bot process was ready or failed to start."""
    played: Sequence[tuple[Game, GameRecord, Observations]]
    answers_s: Sequence[float]
    memory_kib: int | None
    """The peak memory usage of the last bot process in KiB, or None if it can't be measured."""
    charge: Charge | None
    """The fault of the last bot process that failed."""


def run_session(
    entrant: Entrant,
    games: Sequence[Game],
    opponents: Mapping[str, Script],
    settings: MatchSettings,
    on_log: OnLog | None = None,
) -> Session:
    transport = local_processes(settings)
    players: dict[str, Player] = {**opponents, entrant.name: entrant}
    answers_s: list[float] = []
    hooks = MatchHooks(on_answer=answers_s.append, on_log=on_log)
    with Driver(players, settings, transport, hooks) as driver:
        began = transport.now()
        ready = driver.introduce()[entrant.name]
        start_s = transport.now() - began
        ended = driver.play_all(games) if isinstance(ready, Ready) else []
        played = {record.key: (record, seen) for record, seen in ended}
        memory_kib = driver.memory_kib_of(entrant.name)
    charge = driver.charges.get(entrant.name)
    if not memory_kib and charge:
        memory_kib = charge.evidence.memory_kib
    in_order = [(game, *played[game.key]) for game in games if game.key in played]
    return Session(entrant, settings, ready, start_s, in_order, answers_s, memory_kib, charge)


def fault_in(session: Session) -> FaultFile | None:
    """Return the bot's first fault, or None if there was no fault."""
    # A fault during concurrent games belongs to the game whose request the bot was answering.
    found = list(_faults(session))
    if not found:
        return None
    asked_there = [entry for entry in found if _table_in(entry[1].asked) == entry[2] + 1]
    fault, evidence, number = (asked_there or found)[0]
    game = None
    if session.played:
        planned, record, _ = session.played[number]
        game = game_until_fault(record, fault.seat, planned.worlds)
    limits = session.settings.limits
    return FaultFile(FORMAT, __version__, session.entrant, limits, fault, evidence, game)


def _faults(session: Session) -> Iterator[tuple[SeatFault, Evidence, int]]:
    if isinstance(session.ready, Fault):
        evidence = session.charge.evidence if session.charge else Evidence(0)
        yield SeatFault(0, 0, session.ready.kind, session.ready.text), evidence, 0
    for number, (_, record, seen) in enumerate(session.played):
        seat = record.entrants.index(session.entrant.name)
        for fault in record.faults_of(seat):
            yield fault, seen.evidence_of(seat), number


def _table_in(line: str) -> int | None:
    try:
        return getattr(read_from_referee(line.encode()), "table", None)
    except ProtocolError:
        return None
