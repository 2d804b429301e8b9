"""A run on a Dask worker: the bots that have come, and a worker process for each task slot.

A slot is a `Workers` of one process, the same that plays a run on one machine. A task takes an idle
slot, if possible the one that has kept bot processes for its part of the portions. The functions at
the end are what Dask runs.
"""

import contextlib
import itertools
import platform
import shutil
import sys
import threading
import time
import urllib.parse
from functools import partial
from pathlib import Path

import msgspec

import arena
from arena.base.contracts import Batch, Played
from arena.base.errors import ArenaError, BotError, GameError, RunStopped
from arena.base.protocol import PROTOCOL
from arena.base.record import Entrant
from arena.extras.dask.inspection import Inspection, obstacle_of
from arena.extras.dask.messages import (
    VERSION,
    Arrival,
    Farewell,
    Greeting,
    PackedBot,
    SessionHello,
    Versions,
    Work,
    WorkResult,
    pack,
    unpack,
)
from arena.extras.dask.packed_bots import needs_trial, unpack_bot
from arena.process.host import usable
from arena.tournament.bot_logs import age_of
from arena.tournament.executors.local import Workers
from engine import UnknownVariant, get_variant

IDLE_S = 300.0
"""The time without games after which the processes and files of a session are removed.

The main process says when it ends, unless it is killed."""
MAX_BOTS_BYTES = 2 << 30
"""The size of the files of all bots of a run on a Dask worker."""


class _Slot:
    """A worker process for one task at a time."""

    def __init__(
        self, number: int, hello: SessionHello, core: int, stop: threading.Event, logs: Path
    ) -> None:
        self.number = number
        self.logs = logs
        """The folder for what bots write to stderr."""
        self.part: int | None = None
        """The part of the portions whose bots it keeps."""
        self.notices: list[str] = []
        self.workers = Workers(
            1,
            self.notices.append,
            tables=hello.tables,
            waiting_games=hello.waiting_games,
            pin=hello.pin,
            first_core=core + number,
            logs=logs if hello.keeps_logs else None,
        )
        self.workers.clock = self._clock
        self._stop = stop

    def _clock(self) -> float:
        """Return the time. It is asked for at least once a second while games are played."""
        if self._stop.is_set():
            raise RunStopped("the run has ended")
        return time.monotonic()

    def close(self) -> None:
        """End the worker process and its bots."""
        self.workers.__exit__(None, None, None)


class WorkerSession:
    """A run on one Dask worker. Tasks call it from several threads."""

    def __init__(
        self, hello: SessionHello, folder: Path, max_bots_bytes: int = MAX_BOTS_BYTES
    ) -> None:
        """Begin without bots and processes. `folder` is for files; it exists."""
        self._hello = hello
        self._folder = folder
        self._left_bytes = max_bots_bytes
        """Room for the files of bots."""
        self._bots: dict[str, Entrant] = {}
        """By fingerprint, as they are started on this machine."""
        self._slots: list[_Slot] = []
        self._idle: list[_Slot] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._numbers = itertools.count()
        self._used_at = time.monotonic()

    @property
    def fingerprints(self) -> tuple[str, ...]:
        """The bots that are here."""
        return (*self._bots,)

    @property
    def is_abandoned(self) -> bool:
        """Whether no game was played for so long that its main process must have been killed."""
        with self._lock:
            is_idle = len(self._idle) == len(self._slots)
            return is_idle and time.monotonic() - self._used_at > IDLE_S

    def receive(self, packed: PackedBot) -> Arrival:
        """Unpack a bot, and try it if it needs more than its files."""
        self._used_at = time.monotonic()
        bot = packed.entrant
        if bot.fingerprint in self._bots:
            return Arrival()
        size = sum([len(file.data) for file in packed.files])
        with self._lock:
            if size > self._left_bytes:
                return Arrival(
                    f"its files have {size} bytes, and the bots of a run may have "
                    f"{self._left_bytes} more on a Dask worker: make them smaller"
                )
            self._left_bytes -= size
            folder = self._folder / f"bot-{next(self._numbers)}-{bot.fingerprint}"
        if obstacle := self._install(packed, folder):
            shutil.rmtree(folder, ignore_errors=True)
            with self._lock:
                self._left_bytes += size
        return Arrival(obstacle)

    def _install(self, packed: PackedBot, folder: Path) -> str:
        """Unpack a bot, and return why it does not work here. Empty if it does."""
        try:
            found = unpack_bot(packed, folder)
        except (BotError, OSError) as error:
            return str(error)
        if needs_trial(packed):
            inspection = Inspection(self._hello.sandbox, found, packed.limits)
            if obstacle := obstacle_of(inspection):
                return obstacle
        self._bots[found.fingerprint] = found
        return ""

    def play(self, work: Work) -> WorkResult:
        """Play games to their end."""
        batch = self._with_own_bots(work.batch)
        if batch is None:
            return WorkResult(is_forgotten=True)
        slot = self._take_slot(batch, work.core)
        began = time.monotonic()
        played: list[Played] = []
        failure = broken = ""
        try:
            for some in slot.workers.play_batches(partial(next, iter([batch]), None)):
                played += some
        except ArenaError as error:
            failure = str(error)
            broken = error.broken.decode() if isinstance(error, GameError) else ""
            slot.close()  # its processes are in the middle of games
            slot.part = None
        notices = (*slot.notices,)
        slot.notices.clear()
        logs = take_logs(slot.logs)
        self._return_slot(slot)
        seconds = time.monotonic() - began
        return WorkResult((*played,), seconds, notices, failure, broken, logs=logs)

    def close(self) -> dict[str, str]:
        """End all processes, also those that play, and remove all files.

        Return by bot what those that did not play wrote to stderr at their end.
        """
        self._stop.set()
        logs: dict[str, str] = {}
        with self._lock:
            for slot in self._idle:
                slot.close()
                for bot, lines in take_logs(slot.logs).items():
                    logs[bot] = logs.get(bot, "") + lines
            self._idle.clear()
        shutil.rmtree(self._folder, ignore_errors=True)
        return logs

    def _with_own_bots(self, batch: Batch) -> Batch | None:
        """Return a batch with the bots of this machine, or None if one is not here."""
        entrants = []
        for entrant in batch.entrants:
            if not (found := self._bots.get(entrant.fingerprint)):
                return None
            entrants.append(msgspec.structs.replace(found, name=entrant.name, games=entrant.games))
        return msgspec.structs.replace(batch, entrants=tuple(entrants))

    def _take_slot(self, batch: Batch, core: int) -> _Slot:
        part = batch.lane.worker if batch.lane else None
        with self._lock:
            for slot in self._idle:
                if slot.part == part:
                    self._idle.remove(slot)
                    return slot
            if free := [slot for slot in self._idle if slot.part is None or part is None]:
                self._idle.remove(free[-1])
                slot = free[-1]
            elif self._idle:
                slot = self._idle.pop()
            else:
                number = len(self._slots)
                logs = self._folder / f"logs-{number}"
                slot = _Slot(number, self._hello, core, self._stop, logs)
                self._slots.append(slot)
        if part is not None:
            slot.part = part
        return slot

    def _return_slot(self, slot: _Slot) -> None:
        with self._lock:
            self._used_at = time.monotonic()
            if self._stop.is_set():
                with contextlib.suppress(OSError):
                    slot.close()
            else:
                self._idle.append(slot)


# -- the functions that Dask runs, which take and return messages as bytes ---------------------


FOLDER = "bribe-arena"
"""In the folder of a Dask worker, which Dask removes, also after the worker was killed."""
LOOK_S = 30.0
"""The time between two looks whether a session is abandoned."""

_sessions: dict[str, WorkerSession] = {}
_lock = threading.Lock()


def versions_here(variants: tuple[str, ...]) -> Versions:
    """Return the versions in this process."""
    rules: dict[str, int | None] = {}
    for variant in variants:
        try:
            rules[variant] = get_variant(variant).rules_version
        except UnknownVariant:
            rules[variant] = None
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Versions(VERSION, arena.__version__, python, PROTOCOL, rules)


def greet(data: bytes) -> bytes:
    """Begin or go on with a session: answer a `SessionHello` with a `Greeting`."""
    from distributed import get_worker  # not above: it takes long, and the main process reads this

    hello = unpack(data, SessionHello)
    worker = get_worker()
    with _lock:
        session = _sessions.get(hello.session)
    is_open = hello.sandbox.level == "none" and not hello.sandbox.readable
    obstacle = "" if session or is_open else obstacle_of(Inspection(hello.sandbox))
    if not session and not obstacle:
        folder = Path(worker.local_directory, FOLDER, hello.session)
        folder.mkdir(parents=True, exist_ok=True)
        session = WorkerSession(hello, folder)
        with _lock:
            _sessions[hello.session] = session
        _watch(hello.session)
    return pack(
        Greeting(
            f"{platform.node()}/{worker.name}",
            f"{platform.node()} {usable()}",
            versions_here(hello.variants),
            obstacle,
            session.fingerprints if session else (),
        )
    )


def receive(data: bytes) -> bytes:
    """Receive a bot: answer a `PackedBot` with an `Arrival`."""
    packed = unpack(data, PackedBot)
    session = _sessions.get(packed.session)
    return pack(session.receive(packed) if session else Arrival(is_forgotten=True))


def play(data: bytes) -> bytes:
    """Play games: answer a `Work` with a `WorkResult`."""
    work = unpack(data, Work)
    session = _sessions.get(work.session)
    return pack(session.play(work) if session else WorkResult(is_forgotten=True))


def leave(name: str) -> bytes:
    """End a session on this worker, with a `Farewell`."""
    with _lock:
        session = _sessions.pop(name, None)
    return pack(Farewell(session.close() if session else {}))


def _watch(name: str) -> None:
    """End a session when it is abandoned. Looks at it at intervals as long as it lasts."""
    session = _sessions.get(name)
    if session and session.is_abandoned:
        leave(name)
    elif session:
        timer = threading.Timer(LOOK_S, _watch, (name,))
        timer.daemon = True
        timer.start()


def take_logs(logs: Path) -> dict[str, str]:
    """Remove logs to which nobody writes, and return them: by bot, whole lines as they are stored.

    What cannot be read is lost.
    """
    taken = {}
    for folder in sorted(logs.glob("*")):
        lines = ""
        for file in sorted(folder.glob("*.jsonl"), key=age_of):
            try:
                whole, _, _ = file.read_text("utf-8", "replace").rpartition("\n")
            except OSError:
                continue
            lines += f"{whole}\n" if whole else ""
        taken[urllib.parse.unquote(folder.name)] = lines
    shutil.rmtree(logs, ignore_errors=True)
    return taken
