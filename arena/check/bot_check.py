"""Checks of one bot before a run: it has to do all that a run will ask of it.

Its opponents play random actions in this process, so only the bot is started. Each variant is
played by a new process. A fault fails one check only. A late answer fails the check of time, too
much memory that of memory, and a fault with several games at once that of company. Any other fault
fails the check of the variant that was played.
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
from arena.match.seats import Reply, Script
from arena.match.settings import MatchSettings
from arena.process.bot_process import BYE_GRACE_S
from engine import Variant, get_variant, variants
from engine.errors import guess

STARTS = "starts"
READY = "says ready"
PLAYS = "plays {}"
IN_TIME = "answers in time"
MEMORY = "stays within its limits"
COMPANY = "several games at once"
SAME = "same seed, same game"
LEAVES = "ends when told to"

TABLES, IN_COMPANY = 4, 6
"""Games under way at once in the check of company, and games played in it."""
MAX_FAILURES = 3
"""Variants with a fault in a row, after which no more are played."""

MAX_GAMES_NAMED, MAX_NAME_LETTERS = 40, 40
"""Limits of what is shown of the games that a bot says it plays."""

Outcome = Literal["passed", "failed", "remark", "not run"]
"""A `remark` is worth knowing and no failure; `not run` is what could not be found out."""


class Checked(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a check."""

    name: str
    outcome: Outcome
    text: str
    """A sentence, or a part of one, for the bot's author."""
    variant: str = ""
    """That was played, if the check is about one."""
    failure: FaultFile | None = None
    """Of a check that failed: the fault, and all that brings the bot to it again."""


class CheckSettings(NamedTuple):
    """The settings of a check."""

    limits: Limits
    sandbox: SandboxSettings
    """Tested before: see `arena.check.sandbox_probe`."""
    games: int = 1
    """Of each variant."""
    seed: int = 0
    """Fixes the deals, the play of the opponents, and the bot's own dice."""
    leave_s: float = LEAVE_GRACE_S
    """The time that the bot has to leave."""
    run_leave_s: float = BYE_GRACE_S
    """The time that it would have in a run."""
    on_log: OnLog | None = None
    """Called with each line that the bot writes to stderr."""


def check_bot(
    entrant: Entrant, variant_ids: Sequence[str], settings: CheckSettings
) -> Iterator[Checked]:
    """Yield each check of a bot as it is done; the bot is fit for a run if none has failed.

    Of the variants it plays those of the games that the bot says it plays. The bot need not be
    introduced.

    Raises:
        EngineError: a variant is unknown.
        SandboxError: the sandbox does not work, which is no fault of the bot.
    """
    chosen = [get_variant(variant_id) for variant_id in variant_ids]
    for checked in _BotCheck(entrant, settings).checks(chosen):
        text = printable(" ".join(checked.text.split()))  # parts of it come from the bot
        yield msgspec.structs.replace(checked, text=text)


class _BotCheck:
    """The checks of one bot, and what has been seen of it so far."""

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
        """Yield each check as it is done."""
        session = self._run_session([])
        yield from self._start(session)
        ready = session.ready
        if isinstance(ready, Fault):
            playable = []
        else:
            playable = [
                variant for variant in chosen if not ready.games or variant.game in ready.games
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
        """Have the bot play games by a new process, and remember what was seen."""
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
            text = f"{fault.fault.text}; it was started as {command}"
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
        plays = f"it plays only {_named(ready.games)}" if ready.games else "it plays all games"
        known = [variant.game for variant in variants().values()]
        text = ""
        if unknown := [game for game in ready.games if game not in known]:
            nearest = guess(unknown[0], dict.fromkeys(known))
            text = f"unknown games {_named(unknown)}{nearest} known are {_named(known)}"
        if not playable:
            asked_for = _named([variant.game for variant in chosen])
            text = text or f"{plays}; it was to be checked in {asked_for}"
            return Checked(READY, "failed", text)
        if text:
            return Checked(READY, "remark", text)
        return Checked(
            READY,
            "passed",
            f"after {_ms(session.start_s)}, {self._limits.start_ms:,} are allowed; {plays}, with "
            f"{'no' if ready.detail == 'none' else ready.detail} views",
        )

    def _plays(self, playable: Sequence[Variant]) -> Iterator[Checked]:
        failures = 0
        for place, variant in enumerate(playable):
            name = PLAYS.format(variant.id)
            if failures == MAX_FAILURES:
                yield Checked(name, "not run", f"{failures} variants in a row went wrong")
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
                yield Checked(name, "not run", f"broken off, it was too late {_place(fault)}")
            elif session.charge and session.charge.cause == "excess":
                self._excess = self._excess or fault
                yield Checked(name, "not run", f"broken off, it took too much {_place(fault)}")
            else:
                yield Checked(name, "failed", f"{fault.fault.text}, {_place(fault)}", failure=fault)

    def _in_time(self) -> Checked:
        if self._late:
            return Checked(IN_TIME, "failed", self._late.fault.text, failure=self._late)
        times = [spent_s for session in self._sessions for spent_s in session.answers_s]
        if not times:
            return Checked(IN_TIME, "not run", "it has not answered yet")
        limits = self._limits
        bank = f", {limits.bank_ms:,} in a game" if limits.bank_ms else ""
        text = (
            f"median {_ms(median(times))}, worst {_ms(max(times))} of {len(times)} answers; "
            f"{limits.move_ms:,} ms of processor time are allowed{bank}"
        )
        if max(times) * 1000 > limits.move_ms / 2:
            return Checked(IN_TIME, "remark", f"{text}: on a slower machine that may be too much")
        return Checked(IN_TIME, "passed", text)

    def _memory(self) -> Checked:
        if self._excess:
            return Checked(MEMORY, "failed", self._excess.fault.text, failure=self._excess)
        seen = [session.memory_kib for session in self._sessions if session.memory_kib]
        if not seen:
            return Checked(MEMORY, "not run", "this system does not tell how much it takes")
        allowed = self._settings.sandbox.bounds.memory_mib
        text = f"at most {max(seen) / 1024:,.0f} MiB of memory; {allowed:,} are allowed"
        if max(seen) > allowed * 1024:
            return Checked(MEMORY, "remark", f"{text}; a run may end it")
        return Checked(MEMORY, "passed", text)

    def _company(self) -> Checked:
        whole = [get_variant(variant_id) for variant_id in self._whole]
        if not whole:
            return Checked(COMPANY, "not run", "it does not play one alone yet")
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
        """Play the first variant of each game again; another process has the same seeds."""
        first = {get_variant(variant_id).game: variant_id for variant_id in reversed(self._whole)}
        if not first:
            return Checked(SAME, "not run", "it does not play a whole game yet")
        records = [
            record for variant_id in first.values() for record, _ in self._whole[variant_id].played
        ]
        for variant in first.values():
            before = [record for record, _ in self._whole[variant].played]
            again = self._run_session([as_game(record) for record in before])
            if isinstance(again.ready, Fault):
                text = f"it did not start once more: {again.ready.text}"
                return Checked(SAME, "failed", text, failure=fault_in(again))
            now = [record for record, _ in again.played]
            for former, other in zip(before, now, strict=True):
                if difference := first_difference(former, other):
                    return Checked(
                        SAME,
                        "remark",
                        f"it plays otherwise: {former.title}, {difference}; its games cannot be "
                        "repeated unless it draws from `seed` only",
                    )
        many = "a game" if len(records) == 1 else f"{len(records)} games"
        return Checked(SAME, "passed", f"{many} again, move by move")

    def _leaves(self) -> Checked:
        if self._stays:
            return Checked(LEAVES, "failed", self._stays.fault.text, failure=self._stays)
        left = [session.leave_s for session in self._sessions if not session.charge]
        if not left:
            return Checked(LEAVES, "not run", "it was never there to be told")
        slowest = max(left)
        text = f"{_ms(slowest)} after `bye` at most"
        in_run_s = self._settings.run_leave_s
        if slowest > in_run_s:
            text += f"; in a run it is ended after {in_run_s * 1000:,.0f}, and not charged"
            return Checked(LEAVES, "remark", text)
        return Checked(LEAVES, "passed", text)


def first_difference(before: GameRecord, now: GameRecord) -> str | None:
    """Return the first difference between two records of a game in words, or None."""
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
    """Return a player that takes any legal action, the same when a game is played again."""
    return Script(lambda asked: Reply(random.Random(f"{dice} {asked.turn}").choice(asked.legal)))


def _named(games: Sequence[str]) -> str:
    """Return the names of games, each once; those of a bot may be anything."""
    names = list(dict.fromkeys([game[:MAX_NAME_LETTERS] for game in games]))
    more = [f"{len(names) - MAX_GAMES_NAMED} more"] if len(names) > MAX_GAMES_NAMED else []
    return ", ".join([*names[:MAX_GAMES_NAMED], *more])


def _place(file: FaultFile) -> str:
    return f"at move {file.fault.action + 1}" if file.games else "before its first move"


def _ms(seconds: float) -> str:
    ms = seconds * 1000
    return f"{ms:.1f} ms" if ms < 10 else f"{ms:,.0f} ms"
