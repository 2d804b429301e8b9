"""The main process's connection to a Dask cluster, until the run ends or the scheduler is lost."""

import asyncio
import contextlib
import logging
import secrets
import tempfile
import threading
from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator
from concurrent.futures import CancelledError, wait
from concurrent.futures import Future as Coming
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, NamedTuple

import dask
from distributed import Client, KilledWorker, LocalCluster, as_completed
from distributed.gc import disable_gc_diagnosis

from arena.base.contracts import Batch, ExecutorSettings
from arena.base.errors import ArenaError
from arena.base.protocol import Limits
from arena.base.record import Entrant
from arena.extras.dask.packed_bot import pack_bot
from arena.extras.dask.worker_plugins import (
    EndPlugin,
    Member,
    PlayedBatch,
    RunPlugin,
    begin,
    leave,
    play,
    receive,
)
from arena.process.host import usable

CONNECT_S = 30.0
"""Timeout of one attempt to reach the scheduler."""
FETCH_S = 30.0
"""Timeout for fetching the result of a finished batch."""
GONE = "the Dask scheduler is gone"
RETRIES = 2
"""How often Dask retries a batch that a worker failed to play."""
LOCALHOST = "127.0.0.1"
QUIET = {
    "distributed.admin.large-graph-warning-threshold": "1 GiB",
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.profile.enabled": False,
}
"""Dask settings. With its default monitoring, an idle worker uses 3% of a core and the scheduler
4%."""


class SubmittedBatch(NamedTuple):
    batch: Batch
    workers: frozenset[str]
    """Addresses of the workers that Dask may choose from."""
    coming: Coming[PlayedBatch | str | Exception | None]
    """The result of `play` or the exception that it raised; None if the scheduler is lost."""


class Connection:
    """A client of a Dask scheduler and its knowledge of the workers."""

    def __init__(self, scheduler: str, settings: ExecutorSettings) -> None:
        """Connect to the `scheduler` for a new run.

        Raises:
            OSError: there is no scheduler at this address.
            ValueError: the address is invalid.
        """
        self._settings = settings
        self._name = f"arena-{secrets.token_hex(8)}"
        self._client = Client(scheduler, timeout=CONNECT_S, set_as_default=False)
        self._run: RunPlugin | None = None
        """The run as sent to workers; None until the first batch is known."""
        self._bots: dict[str, tuple[Entrant, Limits]] = {}
        self._addresses: set[str] = set()
        self._questions: dict[str, tuple[Entrant | None, Coming[object]]] = {}
        """Workers being prepared, by address: the bot that was sent, and the pending answer."""
        self._news = threading.Event()
        self.members: dict[str, Member] = {}
        self.tasks: list[SubmittedBatch] = []

    @property
    def dashboard(self) -> str:
        """URL of the cluster's dashboard; empty if it has none because bokeh is missing."""
        return str(self._client.dashboard_link) if find_spec("bokeh") else ""

    @property
    def slots(self) -> int:
        """Number of batches that all eligible workers can play at once."""
        return sum([member.slots for member in self.members.values() if not member.obstacle])

    def all_slots(self) -> int:
        """Return the current number of threads of all workers."""
        return sum(self._client.nthreads().values())

    def look(self) -> list[Member]:
        """Update the list of workers. Return the lost ones.

        Raises:
            ConnectionError: the scheduler is lost, not just too busy to answer.
        """
        if self._client.status == "running":
            with contextlib.suppress(OSError, TimeoutError):
                self._addresses = {*self._client.nthreads()}
                gone = (self.members.keys() | self._questions.keys()) - self._addresses
                return [found for address in sorted(gone) if (found := self._forget(address))]
        if self._client.status != "running":
            raise ConnectionError(GONE)
        return []

    def expect(self, batch: Batch, variants: Iterable[str]) -> None:
        """Register the bots of a batch, which will be sent to all workers.

        Workers must have the rules of `variants`, those of the run. If empty, use the batch's
        own variants.
        """
        if not self._run:
            variants = (*(variants or {game.variant for game in batch.games}),)
            self._run = RunPlugin(self._name, self._settings, batch.sandbox, variants)
        for entrant in batch.entrants:
            self._bots.setdefault(entrant.fingerprint, (entrant, batch.limits))

    def prepare(self) -> None:
        """Make each worker begin the run, then send it its missing bots one at a time."""
        for address in self._addresses - self._questions.keys() if self._run else ():
            member = self.members.get(address)
            if not member:
                self._questions[address] = None, self._start(self._begin(address))
            elif not member.obstacle:
                lacking = [bot for found, bot in self._bots.items() if found not in member.bots]
                for bot, limits in lacking[:1]:
                    call = self._call(address, receive, self._name, pack_bot(bot, limits))
                    self._questions[address] = bot, self._start(call)

    async def _begin(self, address: str) -> object:
        await self._client.register_plugin(EndPlugin(self._name, self._client.id))
        return await self._call(address, begin, self._run)

    async def _call(self, address: str, function: Callable[..., object], *words: object) -> object:
        results = await self._client.run(function, *words, workers=[address], asynchronous=True)
        return results[address]

    def _start(self, call: Coroutine[Any, Any, Any]) -> Coming[Any]:
        coming = asyncio.run_coroutine_threadsafe(call, self._client.loop.asyncio_loop)
        coming.add_done_callback(lambda _: self._news.set())
        return coming

    def wait(self, wait_s: float) -> None:
        """Wait up to `wait_s` for a worker's answer or the end of a batch."""
        self._news.wait(wait_s)
        self._news.clear()

    def obstacles(self) -> Iterator[str]:
        """Process workers' answers. Yield a sentence for each worker that cannot play all games."""
        for address, (bot, answer) in [*self._questions.items()]:
            if not answer.done():
                continue
            del self._questions[address]
            try:
                result = answer.result()
            except (OSError, LookupError, CancelledError):  # it was restarted, or is gone
                self._forget(address)
                continue
            except Exception as error:  # of any kind, such as a worker without the arena
                result = f"{type(error).__name__}: {error}"
            if bot:
                obstacle = self.members[address].bots[bot.fingerprint] = str(result)
            else:
                found = result if isinstance(result, Member) else Member(address, 0, str(result))
                self.members[address], obstacle = found, found.obstacle
            if obstacle:
                games = f"games with {bot.name}" if bot else "games"
                yield f"Dask worker {self.members[address].name} gets no {games}: {obstacle}"

    def _forget(self, address: str) -> Member | None:
        """Forget a worker. It begins the run again if it is still there at the next look."""
        self._addresses.discard(address)
        if question := self._questions.pop(address, None):
            question[1].cancel()
        return self.members.pop(address, None)

    def submit(self, batch: Batch) -> bool:
        """Submit a batch to the workers that can play it. Return False if there are none."""
        able = [address for address, member in self.members.items() if member.can_play(batch)]
        if able:
            coming = self._start(self._result(batch, able))
            self.tasks.append(SubmittedBatch(batch, frozenset(able), coming))
        return bool(able)

    async def _result(
        self, batch: Batch, able: Collection[str]
    ) -> PlayedBatch | str | Exception | None:
        """Return the result or exception of `play` on a worker; None if the scheduler is lost.

        Dask's future must stay in its event loop's thread: if the main thread deleted one, it
        would lose a Ctrl-C that arrives in that moment.
        """
        if self._client.status != "running":
            return None
        future = self._client.submit(
            play, self._name, batch, workers=able, pure=False, retries=RETRIES
        )
        async for _ in as_completed([future], loop=self._client.loop):
            pass
        if future.status == "error":
            try:
                await self._client.gather([future], asynchronous=True)
            except Exception as error:
                return error
        async with asyncio.timeout(FETCH_S):
            # To raise would log a lost worker as an error.
            results = await self._client.gather([future], errors="skip", asynchronous=True)
        return results[0] if results else None

    def ended(self) -> Iterator[tuple[Batch, PlayedBatch | None]]:
        """Yield each ended batch once, with its games.

        None instead of games means that it has to be played again, because its worker was
        restarted or does not deliver the result.

        Raises:
            ArenaError: one of them cannot be played.
            ConnectionError: the scheduler is lost.
        """
        for task in [*self.tasks]:
            if task.coming.done():
                result = _result_of(task)
                self.tasks.remove(task)
                if isinstance(result, str):
                    self._forget(result)
                yield task.batch, None if isinstance(result, str) else result

    def take_back(self) -> Iterator[Batch]:
        """Cancel and yield submitted batches whose workers are all gone."""
        for task in [*self.tasks]:
            if self.members.keys().isdisjoint(task.workers) and not task.coming.done():
                task.coming.cancel()
                self.tasks.remove(task)
                yield task.batch

    def leave(self) -> dict[str, dict[str, str]]:
        """End the run on all workers. Return the bots' last log lines, by worker name."""
        calls = {
            member.name: self._start(self._call(address, leave, self._name))
            for address, member in self.members.items()
        }
        done, _ = wait(calls.values(), CONNECT_S)
        return {
            name: call.result()
            for name, call in calls.items()
            if call in done and not call.exception()
        }

    def close(self) -> None:
        """Leave the cluster. `EndPlugin` removes what is left of the run."""
        for _, answer in self._questions.values():
            answer.cancel()
        # Dask raises RuntimeError if the client is just connecting to a scheduler that was lost.
        with contextlib.suppress(OSError, TimeoutError, RuntimeError):
            self._client.close(timeout=CONNECT_S)


def _result_of(task: SubmittedBatch) -> PlayedBatch | str:
    """Return the result of `play` for an ended task; empty if it does not arrive.

    Raise as `Connection.ended` does.
    """
    try:
        result = task.coming.result()
    except TimeoutError:
        return ""
    except (OSError, CancelledError):
        result = None
    if result is None:
        raise ConnectionError(GONE)
    if not isinstance(result, Exception):
        return result
    if isinstance(result, ArenaError):
        raise result
    games, bots = len(task.batch.games), ", ".join(bot.name for bot in task.batch.entrants)
    if isinstance(result, KilledWorker):
        raise ArenaError(
            f"{result.allowed_failures + 1} Dask workers in a row were lost with the same games, "
            f"with {bots}: look into the logs of the workers"
        )
    raise ArenaError(
        f"a Dask worker could not play {games} games with {bots}: {type(result).__name__}: {result}"
    )


@contextmanager
def local_cluster(slots: int | None) -> Iterator[str]:
    """Run a cluster in this process, and yield its scheduler's address.

    Its threads only pass messages, since games are played in separate processes. Garbage
    collection diagnosis is disabled: Python ignores exceptions in the collector's callbacks,
    including Ctrl-C.
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
