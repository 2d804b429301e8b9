"""An executor that plays batches of games on a Dask cluster.

If a worker is lost, Dask plays its batches again on other workers.
"""

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator, Set
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, NamedTuple, Self

import msgspec
from distributed import Client, Future, wait

from arena.base.contracts import Batch, ExecutorSettings, Played
from arena.base.errors import ArenaError, SettingsError
from arena.base.record import read_record
from arena.extras.dask.packed_bot import PackedBot, pack_bot
from arena.extras.dask.worker import PlayedBatch, RunOnWorker, local_workers, play_alone, play_batch
from arena.process.host import usable

CONNECT_S = 10
BEAT_S = 1.0
"""Seconds between checks for new Dask workers."""
IN_FLIGHT = 2  # batches for each thread of a Dask worker
MIN_WIDTH = 16
RETRIES = 2


def _same(bot: PackedBot) -> PackedBot:
    return bot


class _Task(NamedTuple):
    batch: Batch
    refused: str = ""  # address of a Dask worker that could not start a bot


class Cluster:
    """An executor that plays batches of games on a Dask cluster."""

    def __init__(self, settings: ExecutorSettings, notice: Callable[[str], object]) -> None:
        self._settings = settings
        self._notice = notice
        self._depth = 0
        self._client: Any = None
        self._run = ""
        self._variants: tuple[str, ...] = ()
        self._bots: dict[str, Future] = {}  # by fingerprint
        self._tasks: dict[Future, _Task] = {}
        self._threads: dict[str, int] = {}
        self._unfit: dict[str, str] = {}
        self._take: Callable[[], Batch | None] = lambda: None

    def __enter__(self) -> Self:
        self._depth += 1
        if self._depth == 1:
            address = self._settings.scheduler
            threads = self._settings.workers or len(usable())
            here: dict[str, Any] = {"n_workers": threads, "threads_per_worker": 1}
            here |= {"memory_limit": 0, "dashboard_address": ":0"}
            here |= {"silence_logs": logging.CRITICAL}  # after Ctrl-C, its processes log tracebacks
            try:
                self._client = Client(
                    address, timeout=CONNECT_S, set_as_default=False, **({} if address else here)
                )
            except (OSError, ValueError) as error:
                text = f"cannot connect to the Dask scheduler {address}: {error}"
                raise SettingsError(f"{text}; start one with `dask scheduler`") from None
        return self

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if not self._depth:
            with suppress(OSError, TimeoutError):
                self._client.cancel([*self._tasks])
                if self._run:
                    self._client.unregister_worker_plugin(self._run)
                self._client.close()
            self._tasks.clear()
            self._bots.clear()
            self._run = ""

    @property
    def width(self) -> int:
        """Number of batches of games to prepare in advance."""
        # `MIN_WIDTH` leaves spare batches for workers that join later.
        threads = sum(self._client.nthreads().values())
        return self._settings.workers or max(IN_FLIGHT * threads, MIN_WIDTH)

    def wake(self, games: Iterable[str]) -> None:
        """Required by the executor interface. Dask starts its own workers."""

    def expect(self, variants: Iterable[str]) -> None:
        """Set the variants of the run."""
        self._variants = (*variants,)

    @property
    def games_at_once(self) -> int:
        """Number of games that a worker plays at once if bots mostly wait for GPUs or other
        machines.
        """
        return max(1, self._settings.waiting_games)

    def play_batches(self, take: Callable[[], Batch | None]) -> Iterator[list[Played]]:
        """Yield the games of each finished batch. Each game is yielded exactly once.

        Raise `ArenaError` if the connection to the scheduler is lost or no Dask worker can play the
        games.
        """
        self._take = take
        try:
            while True:
                self._threads = self._client.nthreads()
                self.hand_out()
                if not self._tasks:
                    return
                with self._client.as_current(), suppress(TimeoutError):
                    wait([*self._tasks], BEAT_S, "FIRST_COMPLETED")
                for future in [future for future in self._tasks if future.done()]:
                    if played := self._played(future, self._tasks.pop(future)):
                        yield played
        except (CancelledError, OSError):
            text = "lost the connection to the Dask scheduler: resume the run when it is back"
            raise ArenaError(text) from None

    def hand_out(self) -> None:
        room = IN_FLIGHT * max(1, sum(self._threads.values()))
        while len(self._tasks) < room and (batch := self._take()):
            self._submit(_Task(batch))

    def _submit(self, task: _Task) -> None:
        batch = task.batch
        bots = []
        for entrant in batch.entrants:
            code = entrant.fingerprint
            if code not in self._bots:
                # The result of a task instead of scattered data: Dask can restore it.
                self._bots[code] = self._client.submit(_same, pack_bot(entrant), pure=False)
            bots.append(self._bots[code])
        if not self._run:
            self._run = f"bribe-arena-{secrets.token_hex(8)}"
            variants = self._variants or {game.variant for game in batch.games}
            run = RunOnWorker(self._run, variants, batch.sandbox, self._settings)
            self._client.register_plugin(run, self._run)
        able = [*self._able(task)] if self._unfit or task.refused else []
        future = self._client.submit(
            play_batch, self._run, batch, *bots,
            pure=False, retries=RETRIES, workers=able or None, allow_other_workers=bool(able),
        )  # fmt: skip
        self._tasks[future] = task

    def _played(self, future: Future, task: _Task) -> list[Played]:
        """Return the games of a finished task, or an empty list if the task was submitted again."""
        try:
            done: PlayedBatch = future.result()
        except (ArenaError, CancelledError, OSError):
            raise
        except Exception as error:  # of Dask or of any kind, such as a worker without the arena
            bots = ", ".join([entrant.name for entrant in task.batch.entrants])
            text = f"Dask could not play games of {bots}: {type(error).__name__}: {error}"
            raise ArenaError(text) from None
        records = [read_record(bytes(game.record)) for game in done.played]
        is_last = task.refused not in ("", done.address)  # Dask may move it back
        if done.obstacle:
            is_last = False
            if done.address not in self._unfit:
                self._unfit[done.address] = done.obstacle
                self._notice(f"Dask worker {done.worker} gets no games: {done.obstacle}")
            if self._threads.keys() <= self._unfit.keys():
                reasons = "; ".join(dict.fromkeys(self._unfit.values()))
                raise ArenaError(f"no Dask worker can play the run: {reasons}")
        elif any(fault.kind == "start" for record in records for fault in record.faults):
            # the processes kept for a rotation may have played its deals already
            batch = msgspec.structs.replace(task.batch, rotation=None)
            task = _Task(batch, task.refused or done.address)
        else:
            return done.played
        if is_last or (task.refused and not self._able(task)):
            with local_workers(self._settings) as workers:
                return play_alone(task.batch, workers)
        self._submit(task)
        return []

    def _able(self, task: _Task) -> Set[str]:
        return self._threads.keys() - self._unfit.keys() - {task.refused}
