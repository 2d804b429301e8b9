"""Check a bot under the same conditions as in a run.

The bot plays each variant in a new process against random opponents. A fault fails exactly one
check: a late answer fails the time check, excessive memory fails the memory check, a fault
during concurrent games fails the concurrency check, and any other fault fails the check of its
variant.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Literal, NamedTuple

import msgspec

from arena.base.contracts import SandboxSettings
from arena.base.protocol import Fault, Limits, Ready, printable, raw
from arena.base.record import Entrant, Game, GameRecord, as_game, new_game
from arena.check.fault_file import FaultFile
from arena.check.session import LEAVE_GRACE_S, Session, SessionPlan, fault_in, run_session, stay_in
from arena.match.bot_log import OnLog
from arena.match.referee import start_game
from arena.match.seats import Reply, Script, lacks_worlds
from arena.match.settings import MatchSettings
from arena.process.bot_process import BYE_GRACE_S
from engine import Variant, get_variant, variants
from engine.errors import guess
from engine.plugins import all_variants

STARTS = "starts"
READY = "says ready"
PLAYS = "plays {}"
IN_TIME = "answers in time"
MEMORY = "stays within its limits"
COMPANY = "several games at once"
SAME = "same seed, same game"
LEAVES = "ends when told to"

TABLES, IN_COMPANY = 4, 6
"""Number of concurrent games and total number of games in the concurrency check."""
MAX_FAILURES = 3
"""Number of consecutive failed variants after which the remaining variants are skipped."""

MAX_GAMES_NAMED, MAX_NAME_LETTERS = 40, 40
"""Maximum number of games to list, and maximum length of each game's name."""

Outcome = Literal["passed", "failed", "remark", "not run"]
"""The result of a check. A `remark` is only a hint, and `not run` means the check was skipped."""


class Checked(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str
    outcome: Outcome
    text: str
    variant: str = ""
    failure: FaultFile | None = None
    """The fault that caused the check to fail, with everything needed to reproduce it."""


class CheckSettings(NamedTuple):
    limits: Limits
    sandbox: SandboxSettings
    """A sandbox that was successfully tested by `arena.check.sandbox_probe`."""
    games: int = 1
    seed: int = 0
    """Seed for the deals, the random opponents and the bot's random generator."""
    leave_s: float = LEAVE_GRACE_S
    """Maximum time for the bot to exit after `bye`, in seconds."""
    run_leave_s: float = BYE_GRACE_S
    """Time in seconds after which a run would kill the bot."""
    on_log: OnLog | None = None


def check_bot(
    entrant: Entrant, variant_ids: Sequence[str], settings: CheckSettings
) -> Iterator[Checked]:
    """Check a bot, and yield each result as soon as it is available.

    The bot can play in a run if no check fails. Games that the bot doesn't support are skipped.

    Raises:
        EngineError: a variant is unknown.
        SandboxError: the sandbox doesn't work, which is not the bot's fault.
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
        self._whole: dict[str, Session] = {}  # by variant, those without a fault
        self._late: FaultFile | None = None
        self._excess: FaultFile | None = None
        self._stays: FaultFile | None = None

    def checks(self, chosen: Sequence[Variant]) -> Iterator[Checked]:
        session = self._run_session([])
        yield from self._start(session)
        ready = session.ready
        if isinstance(ready, Fault):
            playable = []
        else:
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
            yield self._same()
        else:
            for name in (
                *[PLAYS.format(variant.id) for variant in chosen],
                IN_TIME,
                MEMORY,
                COMPANY,
                SAME,
            ):
                yield Checked(name, "not run", "it sits at no table yet")
        yield self._leaves()

    # -- playing ------------------------------------------------------------------------------

    def _run_session(self, games: Sequence[Game], tables: int = 1) -> Session:
        opponents = {
            name: _by_chance(f"{self._settings.seed} {name}")
            for game in games
            for name in game.entrants
            if name != self._entrant.name
        }
        settings = MatchSettings(self._limits, self._settings.sandbox, tables, always_charge=True)
        grace_s = 0.0 if self._stays else self._settings.leave_s
        on_log = self._settings.on_log
        plan = SessionPlan(self._entrant, games, settings, opponents, grace_s, on_log=on_log)
        session = run_session(plan)
        self._sessions.append(session)
        self._stays = self._stays or stay_in(session)
        return session

    def _game(self, variant: Variant, number: int, seat: int) -> Game:
        key = f"{variant.id} {number}"
        names = [f"{key} seat {other}" for other in range(variant.seats)]
        names[seat] = self._entrant.name
        dice = random.Random(f"{self._settings.seed} {key}")
        return new_game(key, variant, (number, seat), raw(variant.deal(dice)), names, dice)

    # -- the checks ---------------------------------------------------------------------------

    def _start(self, session: Session) -> Iterator[Checked]:
        command = f"`{' '.join(self._entrant.command)}` of {Path(self._entrant.origin).name}"
        fault = fault_in(session)
        if fault is None:
            yield Checked(STARTS, "passed", command)
            return
        cause = session.charge.cause if session.charge else "start"
        if cause in ("crash", "excess", "start"):
            text = f"{fault.fault.text}; started as {command}"
            yield Checked(STARTS, "failed", text, failure=fault)
            yield Checked(READY, "not run", "it has not started")
        else:
            yield Checked(STARTS, "passed", command)
            yield Checked(READY, "failed", fault.fault.text, failure=fault)

    def _ready(
        self,
        session: Session,
        ready: Ready,
        chosen: Sequence[Variant],
        playable: Sequence[Variant],
    ) -> Checked:
        plays = f"plays only {_named(ready.games)}" if ready.games else "plays all games"
        shown, known = (
            [variant.game for variant in found.values()] for found in (variants(), all_variants())
        )
        text = ""
        if unknown := [game for game in ready.games if game not in known]:
            nearest = guess(unknown[0], dict.fromkeys(known))
            text = f"unknown games {_named(unknown)}{nearest} known are {_named(shown)}"
        if ready.worlds and not text and (no := [v.id for v in chosen if not v.has_worlds]):
            text = str(lacks_worlds("it", no))
        if not playable:
            asked_for = _named([variant.game for variant in chosen])
            text = text or f"{plays}, but the check is for {asked_for}"
            return Checked(READY, "failed", text)
        if text:
            return Checked(READY, "remark", text)
        return Checked(
            READY,
            "passed",
            f"after {_ms(session.start_s)} of {self._limits.start_ms} allowed; {plays}, with "
            f"{'no' if ready.detail == 'none' else ready.detail} views",
        )

    def _plays(self, playable: Sequence[Variant]) -> Iterator[Checked]:
        failures = 0
        for place, variant in enumerate(playable):
            name = PLAYS.format(variant.id)
            if failures == MAX_FAILURES:
                yield Checked(name, "not run", f"skipped after faults in {failures} variants")
                continue
            games = [
                self._game(variant, number + 1, (place + number) % variant.seats)
                for number in range(self._settings.games)
            ]
            session = self._run_session(games)
            fault = fault_in(session)
            failures = failures + 1 if fault else 0
            if fault is None:
                self._whole[variant.id] = session
                many = "a whole game" if len(games) == 1 else f"{len(games)} whole games"
                text = f"{many}, {len(session.answers_s)} answers"
                yield Checked(name, "passed", text, variant.id)
            elif fault.fault.kind == "timeout":
                self._late = self._late or fault
                yield Checked(name, "not run", f"stopped: too slow {_place(fault)}")
            elif session.charge and session.charge.cause == "excess":
                self._excess = self._excess or fault
                yield Checked(name, "not run", f"stopped: over a limit {_place(fault)}")
            else:
                yield Checked(name, "failed", f"{fault.fault.text}, {_place(fault)}", failure=fault)

    def _in_time(self) -> Checked:
        if self._late:
            return Checked(IN_TIME, "failed", self._late.fault.text, failure=self._late)
        times = [spent_s for session in self._sessions for spent_s in session.answers_s]
        if not times:
            return Checked(IN_TIME, "not run", "the bot has not answered any request")
        limits = self._limits
        bank = f", {limits.bank_ms} in a game" if limits.bank_ms else ""
        text = (
            f"median {_ms(median(times))}, worst {_ms(max(times))} of {len(times)} answers; "
            f"{limits.move_ms} ms of processor time are allowed{bank}"
        )
        if max(times) * 1000 > limits.move_ms / 2:
            return Checked(IN_TIME, "remark", f"{text}; this may be too slow on a slower machine")
        return Checked(IN_TIME, "passed", text)

    def _memory(self) -> Checked:
        if self._excess:
            return Checked(MEMORY, "failed", self._excess.fault.text, failure=self._excess)
        seen = [session.memory_kib for session in self._sessions if session.memory_kib]
        if not seen:
            return Checked(MEMORY, "not run", "this system does not measure memory")
        allowed = self._settings.sandbox.bounds.memory_mib
        text = f"at most {max(seen) / 1024:.0f} MiB of memory; {allowed} are allowed"
        if max(seen) > allowed * 1024:
            return Checked(MEMORY, "remark", f"{text}; a run may end it")
        return Checked(MEMORY, "passed", text)

    def _company(self) -> Checked:
        whole = [get_variant(variant_id) for variant_id in self._whole]
        if not whole:
            return Checked(COMPANY, "not run", "the bot has not finished a single game")
        games = [
            self._game(variant, self._settings.games + number + 1, number % variant.seats)
            for number, variant in enumerate(islice(cycle(whole), IN_COMPANY))
        ]
        session = self._run_session(games, TABLES)
        if fault := fault_in(session):
            text = f"with {TABLES} games at once: {fault.fault.text}, {_place(fault)}"
            return Checked(COMPANY, "failed", text, failure=fault)
        return Checked(COMPANY, "passed", f"{len(games)} games, {TABLES} at a time")

    def _same(self) -> Checked:
        """Check that the bot plays the same way if a game is repeated with the same seeds."""
        first = {get_variant(variant_id).game: variant_id for variant_id in reversed(self._whole)}
        if not first:
            return Checked(SAME, "not run", "the bot has not finished a single game")
        records = [
            record for variant_id in first.values() for record, _ in self._whole[variant_id].played
        ]
        for variant in first.values():
            before = [record for record, _ in self._whole[variant].played]
            again = self._run_session([as_game(record) for record in before])
            if isinstance(again.ready, Fault):
                text = f"the bot did not start a second time: {again.ready.text}"
                return Checked(SAME, "failed", text, failure=fault_in(again))
            now = [record for record, _ in again.played]
            for former, other in zip(before, now, strict=True):
                if difference := first_difference(former, other):
                    return Checked(
                        SAME,
                        "remark",
                        f"the bot plays differently: {former.title}, {difference}; to make games "
                        "repeatable, use only random numbers from `seed`",
                    )
        many = "a game" if len(records) == 1 else f"{len(records)} games"
        return Checked(SAME, "passed", f"{many} repeated, all moves are the same")

    def _leaves(self) -> Checked:
        if self._stays:
            return Checked(LEAVES, "failed", self._stays.fault.text, failure=self._stays)
        left = [session.leave_s for session in self._sessions if not session.charge]
        if not left:
            return Checked(LEAVES, "not run", "the bot did not start")
        slowest = max(left)
        text = f"within {_ms(slowest)} after `bye`"
        in_run_s = self._settings.run_leave_s
        if slowest > in_run_s:
            text += f"; a run kills it after {in_run_s * 1000:.0f} ms, which is not a fault"
            return Checked(LEAVES, "remark", text)
        return Checked(LEAVES, "passed", text)


def first_difference(before: GameRecord, now: GameRecord) -> str | None:
    """Describe the first difference between two records of the same game, or return None."""
    state = start_game(before.variant, before.deal)
    for move, (old, new) in enumerate(zip(before.actions, now.actions, strict=False)):
        was, is_now = (
            _said(record, move, action) for record, action in ((before, old), (now, new))
        )
        if was != is_now:
            seat = state.seat_to_act
            assert seat is not None
            return f"move {move + 1}, seat {seat} ({before.entrants[seat]}): {was}, now {is_now}"
        state.apply(old)
    return None


def _said(record: GameRecord, move: int, action: str) -> str:
    kinds = [fault.kind for fault in record.faults if fault.action == move]
    return f"a fault ({kinds[0]}) and {action!r} by the stand-in" if kinds else repr(action)


def _by_chance(dice: str) -> Script:
    return Script(lambda asked: Reply(random.Random(f"{dice} {asked.turn}").choice(asked.legal)))


def _named(games: Sequence[str]) -> str:
    names = list(dict.fromkeys([game[:MAX_NAME_LETTERS] for game in games]))
    more = [f"{len(names) - MAX_GAMES_NAMED} more"] if len(names) > MAX_GAMES_NAMED else []
    return ", ".join([*names[:MAX_GAMES_NAMED], *more])


def _place(file: FaultFile) -> str:
    return f"at move {file.fault.action + 1}" if file.games else "before its first move"


def _ms(seconds: float) -> str:
    ms = seconds * 1000
    return f"{ms:.1f} ms" if ms < 10 else f"{ms:.0f} ms"
