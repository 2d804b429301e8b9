"""A run on the workers of a Dask cluster: a worker plugin and the functions that call it.

The main process calls a function on each worker and waits for its return value, so that no
report from a worker is lost.

    main process                    worker
    begin(RunPlugin)          ->    setup: versions, sandbox    -> Member
    receive(run, bot)         ->    files, fingerprint, trial   -> why it does not start
    submit play(run, batch)   ->    an idle slot plays it       -> PlayedBatch
    leave(run)                ->    ends the processes          -> last lines of bots

If the main process disappears, the scheduler's `EndPlugin` removes the plugin from all workers.
A slot is a `Workers` object with one process, the same that plays runs on a single machine.
"""

import asyncio
import contextlib
import platform
import shutil
import sys
import threading
import time
import urllib.parse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
from distributed import Scheduler, SchedulerPlugin, Worker, WorkerPlugin, get_worker

import arena
from arena.base.contracts import Batch, ExecutorSettings, Played, SandboxSettings
from arena.base.errors import ArenaError, BotError, GameError, RunStopped
from arena.base.protocol import PROTOCOL
from arena.base.record import Entrant
from arena.extras.dask.inspection import Inspection, obstacle_of
from arena.extras.dask.packed_bot import PackedBot, unpack_bot
from arena.process.host import usable
from arena.tournament.bot_logs import age_of
from arena.tournament.executors.local import Workers
from engine import UnknownVariant, get_variant

FOLDER = "bribe-arena"
"""Subfolder of a Dask worker's folder, which Dask removes even after the worker was killed."""


class Member(msgspec.Struct):
    name: str
    slots: int
    obstacle: str
    """Why it gets no games; empty if it may play."""
    bots: dict[str, str] = {}
    """Received bots, by fingerprint: why the bot does not start there, or an empty text."""

    def can_play(self, batch: Batch) -> bool:
        """Return whether all bots of a batch are there and start."""
        return not self.obstacle and all(
            self.bots.get(entrant.fingerprint) == "" for entrant in batch.entrants
        )


class PlayedBatch(msgspec.Struct, frozen=True):
    """The games of a batch and the worker's notices to the user."""

    played: Sequence[Played]
    worker: str
    notices: Sequence[str] = ()
    logs: dict[str, str] = {}
    """Bots' stderr since the last batch, by bot, in the format in which it is stored."""


def versions(variants: Sequence[str]) -> dict[str, str]:
    """Return the versions in this process that affect the records of these variants."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"  # of random generators and hashes
    found = {"bribe-arena": arena.__version__, "Python": python, "protocol": str(PROTOCOL)}
    for variant in variants:
        with contextlib.suppress(UnknownVariant):
            found[f"rules of {variant}"] = str(get_variant(variant).rules_version)
    return found


def mismatch(here: dict[str, str], there: dict[str, str]) -> str:
    """Return a phrase about each version that differs between main process and worker."""
    return "; ".join(
        f"{what} {there.get(what, 'missing')}, expected {version}"
        for what, version in here.items()
        if there.get(what) != version
    )


class _Slot(NamedTuple):
    """A worker process for one task at a time."""

    workers: Workers
    notices: list[str]
    logs: Path


class RunPlugin(WorkerPlugin):
    """A run on a Dask worker. Several task threads call it."""

    def __init__(
        self,
        name: str,
        settings: ExecutorSettings,
        sandbox: SandboxSettings,
        variants: Sequence[str],
    ) -> None:
        """Describe a run with a unique `name`."""
        self.name = name
        self._settings = settings
        self._sandbox = sandbox
        self._variants = variants
        self._versions = versions(variants)

    async def setup(self, worker: Worker) -> None:
        """Check whether this machine can play the run."""
        self._worker = worker
        self._label = f"{platform.node()}/{worker.name}"
        self._folder = Path(worker.local_directory, FOLDER, self.name)
        self.bots: dict[str, Entrant] = {}  # by fingerprint, as they are started here
        self._slots: list[_Slot] = []
        self._idle: list[_Slot] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        obstacle = mismatch(self._versions, versions(self._variants))
        is_open = self._sandbox.level == "none" and not self._sandbox.readable
        if not obstacle and not is_open:
            obstacle = await asyncio.to_thread(obstacle_of, Inspection(self._sandbox))
        self.member = Member(self._label, worker.state.nthreads, obstacle)

    async def teardown(self, worker: Worker) -> None:
        await asyncio.to_thread(self.close)

    def receive(self, packed: PackedBot) -> str:
        """Unpack a bot, and test it if necessary. Return why it fails here; empty if it works."""
        folder = self._folder / f"bot-{packed.entrant.fingerprint}"
        shutil.rmtree(folder, ignore_errors=True)  # of a call whose answer was lost
        try:
            bot = unpack_bot(packed, folder)
        except (BotError, OSError) as error:
            return str(error)
        obstacle = ""
        if packed.needs_trial:
            obstacle = obstacle_of(Inspection(self._sandbox, bot, packed.limits))
        self.bots[bot.fingerprint] = bot
        if self._stop.is_set():
            self.close()
        return obstacle

    def play(self, batch: Batch) -> PlayedBatch:
        """Play all games of a batch.

        Raises:
            ArenaError: they cannot be played here.
        """
        own = [
            msgspec.structs.replace(
                self.bots[entrant.fingerprint], name=entrant.name, games=entrant.games
            )
            for entrant in batch.entrants
        ]
        batch = msgspec.structs.replace(batch, entrants=tuple(own))
        slot = self._take_slot()
        played: list[Played] = []
        try:
            for some in slot.workers.play_batches(partial(next, iter([batch]), None)):
                played += some
        except ArenaError as error:
            slot.workers.__exit__(None, None, None)  # its processes are in the middle of games
            if isinstance(error, GameError):
                raise
            raise ArenaError(f"{self._label}: {error}") from None
        finally:
            notices = (*slot.notices,)
            slot.notices.clear()
            logs = take_logs(slot.logs)
            self._return_slot(slot)
        return PlayedBatch(played, self._label, notices, logs)

    def close(self) -> dict[str, str]:
        """End all processes, even those that are playing, and remove all files.

        Return the final stderr of idle bots, by bot."""
        self._stop.set()
        logs: dict[str, str] = {}
        with self._lock:
            for slot in self._idle:
                slot.workers.__exit__(None, None, None)
                for bot, lines in take_logs(slot.logs).items():
                    logs[bot] = logs.get(bot, "") + lines
            self._idle.clear()
        shutil.rmtree(self._folder, ignore_errors=True)
        return logs

    def _take_slot(self) -> _Slot:
        with self._lock:
            if self._idle:
                return self._idle.pop()
            number = len(self._slots)
            notices: list[str] = []
            logs = self._folder / f"logs-{number}"
            has_machine = self._worker.state.nthreads >= len(usable())
            workers = Workers(
                1,
                notices.append,
                tables=self._settings.tables,
                waiting_games=self._settings.waiting_games,
                pin=self._settings.pin and has_machine,
                first_core=number,
                logs=logs if self._settings.logs else None,
            )
            workers.clock = self._clock
            self._slots.append(_Slot(workers, notices, logs))
            return self._slots[-1]

    def _return_slot(self, slot: _Slot) -> None:
        with self._lock:
            if self._stop.is_set():
                with contextlib.suppress(OSError):
                    slot.workers.__exit__(None, None, None)
            else:
                self._idle.append(slot)

    def _clock(self) -> float:
        """Return the time. Raise `RunStopped` after the run. Polled each second during games."""
        if self._stop.is_set():
            raise RunStopped("the run has ended")
        return time.monotonic()


class EndPlugin(SchedulerPlugin):
    """Removes a run from all workers when its main process ends or is killed."""

    idempotent = True  # it is registered with each worker, since the scheduler may be another one

    def __init__(self, run: str, client: str) -> None:
        self.name = f"{run}-end"
        self._run = run
        self._client = client

    def remove_client(self, scheduler: Scheduler, client: str) -> None:
        if client == self._client:
            message = {"op": "plugin-remove", "name": self._run}
            scheduler.loop.add_callback(
                partial(scheduler.broadcast, msg=message, on_error="ignore")
            )
            scheduler.remove_plugin(self.name)


# -- the functions that Dask runs on a worker ---------------------------------------------------


async def begin(run: RunPlugin, dask_worker: Worker) -> Member:
    await dask_worker.plugin_add(run, run.name, catch_errors=False)
    return run.member


async def receive(run: str, bot: PackedBot, dask_worker: Worker) -> str:
    """Receive a bot. Return why it does not start. Raise `KeyError` if there is no such run."""
    return await asyncio.to_thread(dask_worker.plugins[run].receive, bot)


def play(run: str, batch: Batch) -> PlayedBatch | str:
    """Play a batch. If this worker was restarted and lost the run, return its address instead."""
    worker = get_worker()
    plugin: RunPlugin | None = worker.plugins.get(run)
    is_here = plugin and all(bot.fingerprint in plugin.bots for bot in batch.entrants)
    return plugin.play(batch) if plugin and is_here else str(worker.contact_address)


async def leave(run: str, dask_worker: Worker) -> dict[str, str]:
    plugin: RunPlugin | None = dask_worker.plugins.get(run)
    return await asyncio.to_thread(plugin.close) if plugin else {}


def take_logs(logs: Path) -> dict[str, str]:
    """Remove logs that are no longer written to, and return them by bot, in whole stored lines.

    Unreadable content is dropped.
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
