"""The connection to a Dask scheduler: tasks for chosen workers, and their ends."""

import asyncio
import contextlib
import logging
import queue
import tempfile
import time
from collections.abc import Callable
from urllib.request import ProxyHandler, build_opener

import dask
from distributed import Client, Future, LocalCluster
from distributed.gc import disable_gc_diagnosis

from arena.base.errors import ArenaError
from arena.extras.dask.messages import CONNECT_S, ConnectionLost, TaskEnd
from arena.process.host import usable

FETCH_S = 30.0
"""The time for results to come from their workers. They never do from a worker that is lost."""
MAX_OUTAGE_S = 300.0
"""The time for which a lost scheduler is waited for."""
LOCALHOST = "127.0.0.1"
QUIET = {
    "distributed.admin.large-graph-warning-threshold": "1 GiB",
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.profile.enabled": False,
}
"""Settings of Dask. By default, it looks at itself so often that an idle worker takes 3 % of a
core, and the scheduler 4 %."""


_WITHOUT_PROXY = build_opener(ProxyHandler({}))


class Connection:
    """A client of a Dask scheduler, or of a cluster of its own on this machine."""

    def __init__(
        self,
        scheduler: str | None,
        workers: int | None,
        fetch_s: float = FETCH_S,
    ) -> None:
        """Connect to the `scheduler`, or start a cluster here with `workers` slots.

        Results are waited for at most `fetch_s` seconds.

        Raises:
            OSError: there is no scheduler at this address.
            ValueError: it is not an address.
        """
        self._fetch_s = fetch_s
        self._futures: dict[int, Future] = {}
        self._ended: queue.Queue[tuple[int, Future]] = queue.Queue()
        self._number = 0
        self._slots: dict[str, int] = {}
        self._cluster: LocalCluster | None = None
        self._at_end = contextlib.ExitStack()
        self._at_end.enter_context(dask.config.set(QUIET))
        if scheduler is None:
            # Dask leaves locks in its folder.
            folder = self._at_end.enter_context(tempfile.TemporaryDirectory(prefix="arena-dask-"))
            self._at_end.enter_context(dask.config.set({"temporary-directory": folder}))
            self._cluster = _local_cluster(workers or len(usable()))
            scheduler = self._cluster.scheduler_address
        self._scheduler = scheduler
        try:
            self._client = self._connect()
        except (OSError, ValueError):
            self.close()
            raise

    @property
    def dashboard(self) -> str:
        """The address of the cluster's dashboard; empty if it has none, as without bokeh."""
        try:
            link = str(self._client.dashboard_link)
            with _WITHOUT_PROXY.open(link, timeout=CONNECT_S) as page:
                return "" if b"needs bokeh" in page.read() else link
        except (OSError, ValueError, KeyError):
            return ""

    def close(self) -> None:
        """Leave the cluster, and end it if it is our own."""
        if hasattr(self, "_client"):
            for future in self._futures.values():
                future.cancel()
            self._futures.clear()
            self._client.close(timeout=CONNECT_S)
        if self._cluster:
            self._cluster.close(timeout=CONNECT_S)
        self._at_end.close()

    def slots(self) -> dict[str, int]:
        """Return by address the number of task slots of each worker, as far as it is known.

        Raises:
            ConnectionLost: the scheduler is gone, not only too busy to answer.
        """
        if self._client.status == "running":
            with contextlib.suppress(OSError, TimeoutError):
                self._slots = dict(self._client.nthreads())
        if self._client.status != "running":
            raise ConnectionLost
        return self._slots

    def reconnect(self) -> None:
        """Wait until the scheduler is there again.

        Raises:
            ArenaError: it was not there for `MAX_OUTAGE_S`.
        """
        self._futures.clear()
        self._slots.clear()
        with contextlib.suppress(OSError, TimeoutError):
            self._client.close(timeout=1)
        deadline = time.monotonic() + MAX_OUTAGE_S
        while True:
            try:
                self._client = self._connect()
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise ArenaError(
                        f"the Dask scheduler {self._scheduler} was not there for "
                        f"{MAX_OUTAGE_S:.0f} s"
                    ) from None
                time.sleep(1)

    def submit(self, function: Callable[[bytes], bytes], data: bytes, address: str) -> int:
        """Have the worker with this address call a function, and return the number of the task."""
        self._number = number = self._number + 1
        future = self._client.submit(function, data, workers=[address], pure=False)
        self._futures[number] = future
        future.add_done_callback(lambda done: self._ended.put((number, done)))
        return number

    def cancel(self, number: int) -> None:
        """Give up a task. Its end is not reported."""
        if future := self._futures.pop(number, None):
            future.cancel()

    def ends(self, wait_s: float) -> list[TaskEnd]:
        """Return the tasks that have ended, after a wait of at most `wait_s` for the first."""
        found: dict[int, Future] = {}
        with contextlib.suppress(queue.Empty):
            number, future = self._ended.get(timeout=wait_s)
            found[number] = future
            while True:
                number, future = self._ended.get_nowait()
                found[number] = future
        known = {number: task for number, task in found.items() if number in self._futures}
        good = {number: task for number, task in known.items() if task.status == "finished"}
        results = self._fetch(good) if good else {}
        for number in known:
            del self._futures[number]
        return [
            TaskEnd(number, results.get(number), _error(task)) for number, task in known.items()
        ]

    def _fetch(self, futures: dict[int, Future]) -> dict[int, bytes | None]:
        """Return the results of tasks that have ended; None if a worker was lost before that."""
        # For one that is lost with its worker, Dask would wait for another worker at that address.
        coming = asyncio.run_coroutine_threadsafe(
            self._client.gather(futures, errors="skip", asynchronous=True),
            self._client.loop.asyncio_loop,
        )
        try:
            return dict(coming.result(self._fetch_s))
        except Exception:  # of any kind: the scheduler or a worker was lost
            return {}
        finally:
            coming.cancel()

    def tell(self, function: Callable[[str], bytes], text: str) -> dict[str, bytes]:
        """Have all workers call a function at once, whatever they are doing.

        Return by address what those that can be reached answer.
        """
        try:
            return dict(self._client.run(function, text, on_error="ignore"))
        except (OSError, TimeoutError):
            return {}

    def _connect(self) -> Client:
        return Client(self._scheduler, timeout=CONNECT_S, set_as_default=False)


def _local_cluster(slots: int) -> LocalCluster:
    """Start a cluster in this process.

    Its threads only pass messages, since games are played in processes of their own. Its diagnosis
    of garbage is off: Python ignores an exception in a callback of the collector, even Ctrl-C.
    """
    cluster = LocalCluster(
        n_workers=1,
        threads_per_worker=slots,
        processes=False,
        dashboard_address=f"{LOCALHOST}:0",
        worker_dashboard_address=None,
        memory_limit=0,
        silence_logs=logging.ERROR,  # its warnings at the end of a run are no news
    )
    disable_gc_diagnosis(force=True)  # type: ignore[no-untyped-call]
    return cluster


def _error(future: Future) -> str:
    """Return why a task has failed. Empty if its worker or the scheduler was lost."""
    if future.status != "error":
        return ""
    error = future.exception()
    return f"{type(error).__name__}: {error}"
