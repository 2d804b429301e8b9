"""A run on the workers of a Dask cluster: the plugins that Dask sets up on each of them.

Dask sets them up on each worker that comes later, too, before it gets tasks. Each tells the main
process by an event whether it works there; no event is missed, since they have a topic for the run.

    main process                 scheduler             worker
    register RunPlugin     ->    keeps it        ->    setup: versions, sandbox    -> event
    register BotPlugin     ->    keeps it        ->    setup: files, fingerprint   -> event
    submit play(run, batch)      ->                    an idle slot plays it       -> result
    has gone                     EndPlugin       ->    teardown: processes, files

A slot is a `Workers` of one process, the same that plays a run on one machine.
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
from distributed import Scheduler, SchedulerPlugin, Status, Worker, WorkerPlugin, get_worker

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
"""In the folder of a Dask worker, which Dask removes, also after the worker was killed."""

LOOK_S = 0.1
"""The time between two looks at whether a worker has been registered."""


class Report(msgspec.Struct, frozen=True):
    """The event of a plugin: whether it works on a worker."""

    worker: str
    """The address of the worker. Empty if it is not known, since the plugin did not get there."""
    name: str
    """The worker, for people."""
    slots: int
    obstacle: str
    """Why the worker cannot play the run, or the bot. Empty if it can."""
    bot: str = ""
    """The name of the bot, and empty for the run."""
    fingerprint: str = ""


class PlayedBatch(msgspec.Struct, frozen=True):
    """The games of a batch, with what their worker says to the user."""

    played: Sequence[Played]
    worker: str
    notices: Sequence[str] = ()
    logs: dict[str, str] = {}
    """By bot, what was written to stderr since the last batch, as it is stored."""


def versions(variants: Sequence[str]) -> dict[str, str]:
    """Return the versions in this process on which the records of these variants depend."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"  # of random generators and hashes
    found = {"bribe-arena": arena.__version__, "Python": python, "protocol": str(PROTOCOL)}
    for variant in variants:
        with contextlib.suppress(UnknownVariant):
            found[f"rules of {variant}"] = str(get_variant(variant).rules_version)
    return found


def mismatch(here: dict[str, str], there: dict[str, str]) -> str:
    """Return a phrase for each version that the main process has and a worker has not."""
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
    """The folder for what bots write to stderr."""


class RunPlugin(WorkerPlugin):
    """A run on a Dask worker. Tasks call it from several threads."""

    def __init__(
        self,
        name: str,
        settings: ExecutorSettings,
        sandbox: SandboxSettings,
        variants: Sequence[str],
    ) -> None:
        """Describe the run with this `name`, which is unique."""
        self.name = name
        self._settings = settings
        self._sandbox = sandbox
        self._variants = variants
        self._versions = versions(variants)

    async def setup(self, worker: Worker) -> None:
        """Check this machine, and report whether it can play the run."""
        self._worker = worker
        self._label = f"{platform.node()}/{worker.name}"
        self._folder = Path(worker.local_directory, FOLDER, self.name)
        self._bots: dict[str, Entrant] = {}  # by fingerprint, as they are started here
        self._slots: list[_Slot] = []
        self._idle: list[_Slot] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._checked = asyncio.Event()
        self._obstacle = mismatch(self._versions, versions(self._variants))
        is_open = self._sandbox.level == "none" and not self._sandbox.readable
        if not self._obstacle and not is_open:
            self._obstacle = await asyncio.to_thread(obstacle_of, Inspection(self._sandbox))
        while worker.status is Status.init:  # a worker that is just registering sends no events
            await asyncio.sleep(LOOK_S)
        self._report(self._obstacle)
        self._checked.set()

    async def teardown(self, worker: Worker) -> None:
        """End all processes, and remove all files."""
        await asyncio.to_thread(self.close)

    async def receive(self, bot: PackedBot) -> None:
        """Unpack a bot, try it if it needs more than its files, and report whether it starts."""
        await self._checked.wait()
        if not self._obstacle:
            obstacle = await asyncio.to_thread(self._install, bot)
            self._report(obstacle, bot.entrant.name, bot.entrant.fingerprint)

    def _report(self, obstacle: str, bot: str = "", fingerprint: str = "") -> None:
        worker = self._worker
        address, slots = worker.contact_address, worker.state.nthreads
        report = Report(address, self._label, slots, obstacle, bot, fingerprint)
        worker.log_event(self.name, msgspec.to_builtins(report))

    def _install(self, packed: PackedBot) -> str:
        """Unpack a bot, and return why it does not work here. Empty if it does."""
        try:
            found = unpack_bot(packed, self._folder / f"bot-{packed.entrant.fingerprint}")
        except (BotError, OSError) as error:
            return str(error)
        obstacle = ""
        if packed.needs_trial:
            obstacle = obstacle_of(Inspection(self._sandbox, found, packed.limits))
        self._bots[found.fingerprint] = found
        return obstacle

    def play(self, batch: Batch) -> PlayedBatch:
        """Play the games of a batch to their end.

        Raises:
            ArenaError: they cannot be played here.
        """
        own = [
            msgspec.structs.replace(
                self._bots[entrant.fingerprint], name=entrant.name, games=entrant.games
            )
            for entrant in batch.entrants
        ]
        # Boards of other workers have other deals, so a slot keeps one process for all of them.
        lane = batch.lane._replace(worker=0) if batch.lane else None
        batch = msgspec.structs.replace(batch, entrants=tuple(own), lane=lane)
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
        """End all processes, also those that play, and remove all files.

        Return by bot what those that did not play wrote to stderr at their end.
        """
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
        """Return the time. It is asked for at least once a second while games are played."""
        if self._stop.is_set():
            raise RunStopped("the run has ended")
        return time.monotonic()


class BotPlugin(WorkerPlugin):
    """A bot of a run, with its files.

    Dask's `UploadDirectory` has no modes of files and does not say whether a bot starts there.
    """

    def __init__(self, run: str, bot: PackedBot) -> None:
        self.name = f"{run}-{bot.entrant.fingerprint}"
        self._run = run
        self._bot = bot

    async def setup(self, worker: Worker) -> None:
        """Hand the bot to the run, whose plugin may still be on its way to a new worker."""
        while self._run not in worker.plugins and self.name in worker.plugins:
            await asyncio.sleep(LOOK_S)
        if run := worker.plugins.get(self._run):
            await run.receive(self._bot)


class EndPlugin(SchedulerPlugin):
    """Removes the plugins of a run from all workers when its main process ends or is killed."""

    def __init__(self, run: str, client: str) -> None:
        self.name = f"{run}-end"
        self._run = run
        self._client = client

    def remove_client(self, scheduler: Scheduler, client: str) -> None:
        """Remove the plugins if the `client` is the main process."""
        if client == self._client:
            for name in [*scheduler.worker_plugins]:
                if name.startswith(self._run):
                    scheduler.loop.add_callback(scheduler.unregister_worker_plugin, None, name)
            scheduler.remove_plugin(self.name)


# -- the functions that Dask runs --------------------------------------------------------------


def play(run: str, batch: Batch) -> PlayedBatch:
    """Play a batch on this worker."""
    plugin: RunPlugin = get_worker().plugins[run]
    return plugin.play(batch)


def leave(run: str, dask_worker: Worker) -> dict[str, str]:
    """End a run on this worker, and return the last lines of its bots."""
    plugin: RunPlugin | None = dask_worker.plugins.get(run)
    return plugin.close() if plugin else {}


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
