"""A run on a Dask cluster as its main process sees it, until it ends or the scheduler is gone."""

import asyncio
import contextlib
import logging
import queue
import secrets
import tempfile
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from concurrent.futures import Future as Coming
from contextlib import contextmanager
from importlib.util import find_spec
from typing import NamedTuple

import dask
import msgspec
from distributed import (
    Client,
    Future,
    KilledWorker,
    LocalCluster,
    SchedulerPlugin,
    WorkerPlugin,
)
from distributed.gc import disable_gc_diagnosis

from arena.base.contracts import Batch, ExecutorSettings
from arena.base.errors import ArenaError
from arena.extras.dask.packed_bot import pack_bot
from arena.extras.dask.worker_plugins import (
    BotPlugin,
    EndPlugin,
    PlayedBatch,
    Report,
    RunPlugin,
    leave,
    play,
)
from arena.process.host import usable

CONNECT_S = 30.0
"""The time for one attempt to reach the scheduler."""
GONE = "the Dask scheduler is gone"
RETRIES = 2
"""The times that Dask has a batch played again which a worker could not play."""
LOCALHOST = "127.0.0.1"
QUIET = {
    "distributed.admin.large-graph-warning-threshold": "1 GiB",
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.profile.enabled": False,
}
"""Settings of Dask. By default, it looks at itself so often that an idle worker takes 3 % of a
core, and the scheduler 4 %."""


class Task(NamedTuple):
    """A batch under way."""

    batch: Batch
    workers: frozenset[str]
    """The addresses of those of which Dask chooses one, and another one if that is lost."""
    future: Future
    coming: Coming[PlayedBatch | None]
    """The result; None if there is none."""


class Member(msgspec.Struct):
    """A worker of the cluster."""

    name: str
    slots: int
    obstacle: str
    """Why it gets no games. Empty if it may play."""
    bots: dict[str, str] = {}
    """By fingerprint, the bots that it has: why one does not start there, or an empty text."""

    def can_play(self, batch: Batch) -> bool:
        """Return whether all bots of a batch are there and start."""
        return not self.obstacle and all(
            self.bots.get(entrant.fingerprint) == "" for entrant in batch.entrants
        )


class Connection:
    """A client of a Dask scheduler, and what it knows of the workers."""

    def __init__(self, scheduler: str, settings: ExecutorSettings) -> None:
        """Connect to the `scheduler` for a new run.

        Raises:
            OSError: there is no scheduler at this address.
            ValueError: it is not an address.
        """
        self._settings = settings
        self._run = f"arena-{secrets.token_hex(8)}"
        self._client = Client(scheduler, timeout=CONNECT_S, set_as_default=False)
        self._background = ThreadPoolExecutor(1)
        """Registers plugins, which waits until all workers have set them up."""
        self._sent: set[str] = set()
        """The fingerprints of the bots that were registered."""
        self._reports: queue.SimpleQueue[Report] = queue.SimpleQueue()
        self._news = threading.Event()
        self.members: dict[str, Member] = {}
        """By address, the workers that have reported."""
        self.tasks: list[Task] = []
        self._client.subscribe_topic(self._run, self._hear)
        self._register(EndPlugin(self._run, self._client.id))

    @property
    def dashboard(self) -> str:
        """The address of the cluster's dashboard; empty if it has none, as without bokeh."""
        return str(self._client.dashboard_link) if find_spec("bokeh") else ""

    @property
    def slots(self) -> int:
        """The number of batches that the workers that may play can play at the same time."""
        return sum([member.slots for member in self.members.values() if not member.obstacle])

    def all_slots(self) -> int:
        """Return the number of threads of all workers that there are now."""
        return sum(self._client.nthreads().values())

    def gone(self) -> list[Member]:
        """Forget the workers that are gone, and return them.

        Raises:
            ConnectionError: the scheduler is gone, not only too busy to answer.
        """
        if self._client.status == "running":
            with contextlib.suppress(OSError, TimeoutError):
                addresses = self.members.keys() - self._client.nthreads().keys()
                return [self.members.pop(address) for address in sorted(addresses)]
        if self._client.status != "running":
            raise ConnectionError(GONE)
        return []

    def prepare(self, batch: Batch, variants: Iterable[str]) -> None:
        """Have all workers, also those that come later, prepare for the bots of a batch.

        They must have the rules of `variants`, those of the run. None stand for those of the batch.
        """
        if not self._sent:
            variants = (*(variants or {game.variant for game in batch.games}),)
            self._register(RunPlugin(self._run, self._settings, batch.sandbox, variants))
        for entrant in batch.entrants:
            if entrant.fingerprint not in self._sent:
                self._sent.add(entrant.fingerprint)
                self._register(BotPlugin(self._run, pack_bot(entrant, batch.limits)))

    def _register(self, plugin: WorkerPlugin | SchedulerPlugin) -> None:
        def register() -> None:
            try:
                self._client.register_plugin(plugin)
            except (OSError, TimeoutError):
                pass  # a worker or the scheduler was lost
            except Exception as error:  # of any kind, such as a worker without the arena
                if not isinstance(plugin, BotPlugin):  # these fail where that of the run has failed
                    self._add(Report("", "", 0, str(error)))

        self._background.submit(register)

    def _hear(self, event: tuple[float, object]) -> None:
        self._add(msgspec.convert(event[1], Report))

    def _add(self, report: Report) -> None:
        self._reports.put(report)
        self._news.set()

    def listen(self, wait_s: float) -> Iterator[Report]:
        """Wait for reports and results for at most `wait_s`. Note and yield the reports."""
        self._news.wait(wait_s)
        self._news.clear()
        while not self._reports.empty():
            report = self._reports.get()
            if report.worker and not report.fingerprint:
                self.members[report.worker] = Member(report.name, report.slots, report.obstacle)
            elif member := self.members.get(report.worker):
                member.bots[report.fingerprint] = report.obstacle
            yield report

    def submit(self, batch: Batch) -> bool:
        """Have one of the workers that can play a batch do that. Return whether there is one."""
        able = [address for address, member in self.members.items() if member.can_play(batch)]
        if able:
            future = self._client.submit(
                play, self._run, batch, workers=able, pure=False, retries=RETRIES
            )
            coming = asyncio.run_coroutine_threadsafe(
                self._result(future), self._client.loop.asyncio_loop
            )
            coming.add_done_callback(lambda _: self._news.set())
            self.tasks.append(Task(batch, frozenset(able), future, coming))
        return bool(able)

    async def _result(self, future: Future) -> PlayedBatch | None:
        # Not `future.result()`, which logs a lost worker as an error.
        results = await self._client.gather({0: future}, errors="skip", asynchronous=True)
        result: PlayedBatch | None = results[0]
        return result

    def ended(self) -> Iterator[PlayedBatch]:
        """Yield the games of the batches that have ended, each once.

        Raises:
            ArenaError: one of them cannot be played.
            ConnectionError: the scheduler is gone.
        """
        for task in [*self.tasks]:
            if task.coming.done():
                result = _result_of(task)
                self.tasks.remove(task)
                yield result

    def take_back(self) -> Iterator[Batch]:
        """Yield the batches under way of which all workers are gone, and give them up."""
        for task in [*self.tasks]:
            if self.members.keys().isdisjoint(task.workers) and not task.coming.done():
                task.future.cancel()
                self.tasks.remove(task)
                yield task.batch

    def leave(self) -> dict[str, dict[str, str]]:
        """End the run on all workers. Return by name the last lines of the bots of each."""
        try:
            logs = self._client.run(leave, self._run, on_error="ignore")
        except (OSError, TimeoutError):
            return {}
        members = self.members
        return {members[address].name: logs[address] for address in logs.keys() & members.keys()}

    def close(self) -> None:
        """Leave the cluster. `EndPlugin` removes what is left of the run."""
        self._background.shutdown(wait=False, cancel_futures=True)
        with contextlib.suppress(OSError, TimeoutError):
            self._client.close(timeout=CONNECT_S)


def _result_of(task: Task) -> PlayedBatch:
    """Return the result of a task that has ended. Raises as `Connection.ended` does."""
    try:
        result = task.coming.result()
    except (OSError, TimeoutError, CancelledError):
        raise ConnectionError(GONE) from None
    if result:
        return result
    if task.future.status != "error":
        raise ConnectionError(GONE)
    error = task.future.exception()
    if isinstance(error, ArenaError):
        raise error
    games, bots = len(task.batch.games), ", ".join(bot.name for bot in task.batch.entrants)
    if isinstance(error, KilledWorker):
        raise ArenaError(
            f"{error.allowed_failures + 1} Dask workers in a row were lost with the same games, "
            f"with {bots}: look into the logs of the workers"
        )
    raise ArenaError(
        f"a Dask worker could not play {games} games with {bots}: {type(error).__name__}: {error}"
    )


@contextmanager
def local_cluster(slots: int | None) -> Iterator[str]:
    """Run a cluster in this process, and yield the address of its scheduler.

    Its threads only pass messages, since games are played in processes of their own. Its diagnosis
    of garbage is off: Python ignores an exception in a callback of the collector, even Ctrl-C.
    """
    with (
        tempfile.TemporaryDirectory(prefix="arena-dask-") as folder,  # Dask leaves locks there
        dask.config.set({"temporary-directory": folder}),
        LocalCluster(
            n_workers=1,
            threads_per_worker=slots or len(usable()),
            processes=False,
            dashboard_address=f"{LOCALHOST}:0",
            worker_dashboard_address=None,
            memory_limit=0,
            silence_logs=logging.ERROR,  # its warnings at the end of a run are no news
        ) as cluster,
    ):
        disable_gc_diagnosis(force=True)  # type: ignore[no-untyped-call]
        yield cluster.scheduler_address
