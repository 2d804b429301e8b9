"""Check a bot under the conditions of a run.

The bot plays each variant in a new process against random opponents. Each fault fails only one
check. For example, a bot that answers too slowly when it plays a single game fails only the time
check. A bot that exceeds the time limit only when several games run at once fails only the
concurrency check.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from statistics import median
from typing import Literal, NamedTuple

import msgspec

from arena import __version__
from arena.base.contracts import SandboxSettings
from arena.base.errors import ProtocolError
from arena.base.protocol import (
    Fault,
    Limits,
    Ready,
    SeatFault,
    printable,
    raw,
    read_from_referee,
    shorten,
)
from arena.base.record import Entrant, Evidence, Game, GameRecord, Observations, new_game
from arena.check.fault_file import FORMAT, FaultFile, game_until_fault
from arena.match.bot_log import OnLog
from arena.match.driver import Driver, local_processes
from arena.match.match_state import BotFailure, MatchHooks
from arena.match.seats import Player, Reply, Script, lacks_worlds
from arena.match.settings import MatchSettings
from engine import Variant, get_variant, variants
from engine.plugins import all_variants, unknown_game, variants_of

STARTS = "starts"
READY = "says ready"
PLAYS = "plays {}"
IN_TIME = "answers in time"
MEMORY = "stays within its limits"
COMPANY = "several games at once"

# The concurrency check plays `TABLES` games at a time and `IN_COMPANY` games in total.
TABLES, IN_COMPANY = 4, 6
# After this many failed variants in a row, the remaining variants are skipped.
MAX_FAILURES = 3

Outcome = Literal["passed", "failed", "remark", "not run"]
"""The outcome of a single check. A "remark" is advice for the bot's author, not a failure."""


class CheckResult(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str
    outcome: Outcome
    text: str
    variant: str = ""
    failure: FaultFile | None = None


class Session(NamedTuple):
    """Several games against random opponents. The bot process is restarted if it fails."""

    ready: Ready | Fault
    """The bot's `ready` message, or the fault that kept the bot from starting."""
    start_s: float
    """How many seconds the bot took to start."""
    played: Sequence[tuple[Game, GameRecord, Observations]]
    answers_s: Sequence[float]
    memory_kib: int | None
    """The bot's peak memory usage in KiB, or None if it can't be measured."""
    failure: BotFailure | None


class CheckSettings(NamedTuple):
    limits: Limits
    sandbox: SandboxSettings  # already tested by arena.check.sandbox_probe
    seed: int = 0
    """Seed for the deals, the random opponents, and the bot's own random numbers."""
    on_log: OnLog | None = None


def check_bot(
    entrant: Entrant, variant_ids: Sequence[str], settings: CheckSettings
) -> Iterator[CheckResult]:
    """Check a bot, and yield each result as soon as it is available.

    By default, the bot plays the default variants. A bot that supports no default variant plays
    every variant of the games that it supports.

    Raises:
        EngineError: A variant is unknown.
        SandboxError: The sandbox doesn't work. The bot is not to blame.
    """
    chosen = [get_variant(variant_id) for variant_id in variant_ids]
    for checked in _BotCheck(entrant, settings).checks(chosen):
        text = printable(" ".join(checked.text.split()))  # parts of it come from the bot
        yield msgspec.structs.replace(checked, text=text)


class _BotCheck:
    def __init__(self, entrant: Entrant, settings: CheckSettings) -> None:
        self._entrant = entrant
        self._settings = settings
        self._limits = settings.limits
        self._sessions: list[Session] = []
        self._whole: list[Variant] = []  # those played without a fault
        self._late: FaultFile | None = None
        self._excess: FaultFile | None = None

    def checks(self, chosen: Sequence[Variant]) -> Iterator[CheckResult]:
        session = self._run_session([])
        yield from self._start(session)
        ready = session.ready
        if isinstance(ready, Fault):
            playable = []
            chosen = chosen or list(variants().values())
        else:
            chosen = chosen or _default_variants(ready.games)
            playable = [
                variant
                for variant in chosen
                if (not ready.games or variant.game in ready.games)
                and (variant.has_worlds or not ready.worlds)
            ]
            yield self._ready(session, ready, chosen, playable)
        if playable:
            yield from self._plays(playable)
            yield self._in_time()
            yield self._memory()
            yield self._company()
        else:
            plays = [PLAYS.format(variant.id) for variant in chosen]
            for name in (*plays, IN_TIME, MEMORY, COMPANY):
                yield CheckResult(name, "not run", "the bot has not started a game")

    # -- playing ------------------------------------------------------------------------------

    def _run_session(self, games: Sequence[Game], tables: int = 1) -> Session:
        own = self._entrant
        players: dict[str, Player] = {
            name: _by_chance(f"{self._settings.seed} {name}")
            for game in games
            for name in game.entrants
        }
        players[own.name] = own
        settings = MatchSettings(self._limits, self._settings.sandbox, tables, always_charge=True)
        transport = local_processes(settings)
        answers_s: list[float] = []
        hooks = MatchHooks(on_answer=answers_s.append, on_log=self._settings.on_log)
        with Driver(players, settings, transport, hooks) as driver:
            began = transport.now()
            ready = driver.start_bots()[own.name]
            start_s = transport.now() - began
            ended = driver.play_all(games) if isinstance(ready, Ready) else []
            played = {record.key: (record, seen) for record, seen in ended}
            memory_kib = driver.memory_kib_of(own.name)
        failure = driver.failures.get(own.name)
        if not memory_kib and failure:
            memory_kib = failure.evidence.memory_kib
        in_order = [(game, *played[game.key]) for game in games if game.key in played]
        self._sessions.append(Session(ready, start_s, in_order, answers_s, memory_kib, failure))
        return self._sessions[-1]

    def _fault_in(self, session: Session) -> FaultFile | None:
        # A fault during concurrent games belongs to the game whose request the bot was answering.
        faults = list(_faults(session, self._entrant.name))
        if not faults:
            return None
        requests_there = [entry for entry in faults if _table_in(entry[1].asked) == entry[2] + 1]
        fault, evidence, number = (requests_there or faults)[0]
        game = None
        if session.played:
            planned, record, _ = session.played[number]
            game = game_until_fault(record, fault.seat, planned.worlds)
        return FaultFile(FORMAT, __version__, self._entrant, self._limits, fault, evidence, game)

    def _game(self, variant: Variant, number: int, seat: int) -> Game:
        key = f"{variant.id} {number}"
        names = [f"{key} seat {other}" for other in range(variant.seats)]
        names[seat] = self._entrant.name
        dice = random.Random(f"{self._settings.seed} {key}")
        return new_game(key, variant, (number, seat), raw(variant.deal(dice)), names, dice)

    # -- the checks ---------------------------------------------------------------------------

    def _start(self, session: Session) -> Iterator[CheckResult]:
        command = f"`{' '.join(self._entrant.command)}`"
        fault = self._fault_in(session)
        if fault is None:
            yield CheckResult(STARTS, "passed", command)
            return
        cause = session.failure.cause if session.failure else "start"
        if cause in ("crash", "excess", "start"):
            text = f"{fault.fault.text}; started as {command}"
            yield CheckResult(STARTS, "failed", text, failure=fault)
            yield CheckResult(READY, "not run", "the bot has not started")
        else:
            yield CheckResult(STARTS, "passed", command)
            yield CheckResult(READY, "failed", fault.fault.text, failure=fault)

    def _ready(
        self,
        session: Session,
        ready: Ready,
        chosen: Sequence[Variant],
        playable: Sequence[Variant],
    ) -> CheckResult:
        plays = f"plays only {_named(ready.games)}" if ready.games else "plays all games"
        unknown = next((game for game in ready.games if not variants_of(game)), None)
        text = "" if unknown is None else unknown_game(unknown)
        if ready.worlds and not text and (no := [v.id for v in chosen if not v.has_worlds]):
            text = str(lacks_worlds("it", no))
        if not playable:
            asked_for = _named([variant.game for variant in chosen])
            text = text or f"{plays}, but the check is for {asked_for}"
            return CheckResult(READY, "failed", text)
        if text:
            return CheckResult(READY, "remark", text)
        return CheckResult(
            READY,
            "passed",
            f"after {_ms(session.start_s)} (limit: {self._limits.start_ms} ms); {plays}, with "
            f"{'no' if ready.detail == 'none' else ready.detail} views",
        )

    def _plays(self, playable: Sequence[Variant]) -> Iterator[CheckResult]:
        failures = 0
        for place, variant in enumerate(playable):
            name = PLAYS.format(variant.id)
            if failures == MAX_FAILURES:
                yield CheckResult(name, "not run", f"skipped after faults in {failures} variants")
                continue
            session = self._run_session([self._game(variant, 1, place % variant.seats)])
            fault = self._fault_in(session)
            failures = failures + 1 if fault else 0
            if fault is None:
                self._whole.append(variant)
                text = f"a complete game, {len(session.answers_s)} answers"
                yield CheckResult(name, "passed", text, variant.id)
            elif fault.fault.kind == "timeout":
                self._late = self._late or fault
                yield CheckResult(name, "not run", f"stopped: too slow {_place(fault)}")
            elif session.failure and session.failure.cause == "excess":
                self._excess = self._excess or fault
                yield CheckResult(name, "not run", f"stopped: over a limit {_place(fault)}")
            else:
                yield CheckResult(
                    name, "failed", f"{fault.fault.text}, {_place(fault)}", failure=fault
                )

    def _in_time(self) -> CheckResult:
        if self._late:
            return CheckResult(IN_TIME, "failed", self._late.fault.text, failure=self._late)
        times = [spent_s for session in self._sessions for spent_s in session.answers_s]
        if not times:
            return CheckResult(IN_TIME, "not run", "the bot has not answered any request")
        limits = self._limits
        bank = f", {limits.bank_ms} ms per game" if limits.bank_ms else ""
        text = (
            f"{len(times)} answers: median {_ms(median(times))}, longest {_ms(max(times))} "
            f"(limit: {limits.move_ms} ms of processor time{bank})"
        )
        if max(times) * 1000 > limits.move_ms / 2:
            return CheckResult(
                IN_TIME, "remark", f"{text}; this may be too slow on a slower machine"
            )
        return CheckResult(IN_TIME, "passed", text)

    def _memory(self) -> CheckResult:
        if self._excess:
            return CheckResult(MEMORY, "failed", self._excess.fault.text, failure=self._excess)
        seen = [session.memory_kib for session in self._sessions if session.memory_kib]
        if not seen:
            return CheckResult(MEMORY, "not run", "this system does not measure memory")
        allowed = self._settings.sandbox.bounds.memory_mib
        text = f"used up to {max(seen) / 1024:.0f} MiB of memory (limit: {allowed} MiB)"
        if max(seen) > allowed * 1024:
            return CheckResult(MEMORY, "remark", f"{text}; the bot may be killed in a run")
        return CheckResult(MEMORY, "passed", text)

    def _company(self) -> CheckResult:
        if not self._whole:
            return CheckResult(COMPANY, "not run", "the bot has not finished a single game")
        games = [
            self._game(variant, number + 2, number % variant.seats)
            for number, variant in enumerate(islice(cycle(self._whole), IN_COMPANY))
        ]
        session = self._run_session(games, TABLES)
        if fault := self._fault_in(session):
            text = f"with {TABLES} games at once: {fault.fault.text}, {_place(fault)}"
            return CheckResult(COMPANY, "failed", text, failure=fault)
        return CheckResult(COMPANY, "passed", f"played {len(games)} games, {TABLES} at a time")


def _default_variants(games: Sequence[str]) -> list[Variant]:
    usual = list(variants().values())
    own = [variant for variant in all_variants().values() if variant.game in games]
    return usual if not own or {variant.game for variant in usual}.intersection(games) else own


def _faults(session: Session, name: str) -> Iterator[tuple[SeatFault, Evidence, int]]:
    if isinstance(session.ready, Fault):
        evidence = session.failure.evidence if session.failure else Evidence(0)
        yield SeatFault(0, 0, session.ready.kind, session.ready.text), evidence, 0
    for number, (_, record, seen) in enumerate(session.played):
        seat = record.entrants.index(name)
        for fault in record.faults_of(seat):
            yield fault, seen.evidence_of(seat), number


def _table_in(line: str) -> int | None:
    try:
        return getattr(read_from_referee(line.encode()), "table", None)
    except ProtocolError:
        return None


def _by_chance(dice: str) -> Script:
    return Script(
        lambda decision: Reply(random.Random(f"{dice} {decision.turn}").choice(decision.legal))
    )


def _named(games: Sequence[str]) -> str:
    return shorten(", ".join(dict.fromkeys(games)))


def _place(file: FaultFile) -> str:
    return f"at move {file.fault.action + 1}" if file.game else "before its first move"


def _ms(seconds: float) -> str:
    ms = seconds * 1000
    return f"{ms:.1f} ms" if ms < 10 else f"{ms:.0f} ms"
