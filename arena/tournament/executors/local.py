"""Play games in worker processes on this machine."""

import math
import os
import selectors
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from typing import Self

from arena.base.contracts import Batch, Played
from arena.base.errors import ArenaError
from arena.process import host
from arena.tournament.executors.worker import BEAT_S
from arena.tournament.executors.worker_process import WorkerDied, WorkerProcess

GATHER_S = 0.2  # between updates of the run's database with results from the workers
MAX_DEATHS = 5
"""The run fails if this many workers in a row die without finishing a game."""


MAX_SILENCE_S = 60.0
"""A worker is replaced if it sends no heartbeat for this long, in seconds."""


class Heartbeats:
    """Tracks how long each worker is silent. Time while the machine is suspended is ignored."""

    def __init__(self, max_s: float = MAX_SILENCE_S) -> None:
        self._max_s = max_s
        self._waited_s = 0.0
        self._last_at: dict[Hashable, float] = {}

    def waited(self, meant_s: float, lasted_s: float) -> None:
        self._waited_s += max(0.0, min(meant_s, lasted_s))

    def record(self, worker: Hashable) -> None:
        self._last_at[worker] = self._waited_s

    def forget(self, worker: Hashable) -> None:
        self._last_at.pop(worker, None)

    def are_overdue(self, worker: Hashable) -> bool:
        return self._waited_s - self._last_at[worker] > self._max_s


def _no_batch() -> Batch | None:
    return None


class Workers:
    """Plays games in worker processes on this machine. Exiting the context stops all workers and
    their bots.
    """

    def __init__(  # noqa: PLR0913
        self,
        number: int,
        notice: Callable[[str], object],
        *,
        tables: int | None = None,
        waiting_games: int = 0,
        pin: bool = True,
        logs: Path | None = None,
    ) -> None:
        """Prepare the workers without starting them.

        Args:
            number: The number of workers.
            notice: Called with a message when a worker is replaced.
            tables: Concurrent games per worker; None adapts the number to the bots.
            waiting_games: Concurrent games per worker for bots that wait for another machine.
            pin: Whether to pin each worker and its bots to one core.
            logs: The folder for the bots' stderr output, if any.
        """
        self.width = number
        self._notice = notice
        self.heartbeats = Heartbeats()
        self.clock: Callable[[], float] = time.monotonic
        self.games_at_once = max(1, waiting_games)
        self._tables, self._waiting_games = tables or 0, waiting_games
        self._pins = pin
        self._logs = str(logs.absolute()) if logs else ""
        self._first_core = os.getpid()
        self._games: tuple[str, ...] = ()
        self._workers: list[WorkerProcess] = []
        self._selector = selectors.DefaultSelector()
        self._deaths = 0
        self._take = _no_batch
        self._next_report = -math.inf

    def __enter__(self) -> Self:
        return self

    def wake(self, games: Sequence[str]) -> None:
        self._games = (*games,)
        while len(self._workers) < max(1, self.width - 1):
            self._start_worker()

    def expect(self, variants: Sequence[str]) -> None:
        self._games = (*variants,)
        if self._workers and len(self._workers) < self.width:
            self._start_worker()

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.orders.close()  # stop all workers before waiting for the first
        for worker in self._workers:
            worker.close()
        self._workers.clear()
        self._selector.close()
        self._selector = selectors.DefaultSelector()

    def play_batches(self, take: Callable[[], Batch | None]) -> Iterator[list[Played]]:
        """Yield the results of games as they end.

        Raises `ArenaError` if the games can't be played or if several workers die in a row.
        """
        self._deaths, self._take = 0, take
        self.hand_out()
        while any(worker.batch for worker in self._workers):
            played: list[Played] = []
            try:
                self._gather(played)
            except BaseException:  # keep games that have ended
                self._take = _no_batch
                if played:
                    yield played
                raise
            if played:
                yield played
            self.hand_out()

    def _gather(self, played: list[Played]) -> None:
        working = [worker for worker in self._workers if worker.batch]
        wait_s = BEAT_S
        while wait_s > 0:
            for worker in self._listen(wait_s):
                try:
                    played += worker.read()
                except WorkerDied:
                    self._deaths += 1
                    unfinished = self._bury(worker, self._deaths)
                    if batch := unfinished or worker.next:
                        other = self._start_worker(worker.place)
                        other.next = worker.next if unfinished else None
                        self._give(other, batch)
            if not played:
                return
            self._deaths = 0
            if not all(worker.batch for worker in working):
                break
            wait_s = min(BEAT_S, self._next_report - self.clock())
        self._next_report = self.clock() + GATHER_S

    def _listen(self, wait_s: float) -> list[WorkerProcess]:
        began = self.clock()
        ready = self._selector.select(wait_s)
        self.heartbeats.waited(wait_s, self.clock() - began)
        reporting = []
        for key, events in ready:
            worker: WorkerProcess = key.data
            self.heartbeats.record(worker)
            if events & selectors.EVENT_READ:
                reporting.append(worker)
            else:
                worker.send()
                if not worker.is_sending:
                    self._selector.unregister(worker.orders)
        for worker in self._workers:
            if worker.batch and self.heartbeats.are_overdue(worker):
                worker.is_silent = True
                worker.process.kill()  # this ends its reports
                self.heartbeats.record(worker)
        return reporting

    def _give(self, worker: WorkerProcess, batch: Batch) -> None:
        self.heartbeats.record(worker)
        worker.give(batch)
        if worker.is_sending:
            self._selector.register(worker.orders, selectors.EVENT_WRITE, worker)

    def hand_out(self) -> None:
        for worker in self._workers:
            if worker.batch is None and (batch := worker.next):
                worker.next = None
                self._give(worker, batch)
        while True:
            idle = [worker for worker in self._workers if worker.batch is None]
            if not idle and len(self._workers) == self.width:
                return
            batch = self._take()
            if batch is None:  # there is no batch now, or no batch is left
                return
            place = batch.worker % self.width
            there = [worker for worker in self._workers if worker.place == place]
            worker = there[0] if there else self._start_worker(place)
            if worker.batch:  # its games are over, but it is not done with their bots
                worker.next = batch
            else:
                self._give(worker, batch)

    def _start_worker(self, place: int | None = None) -> WorkerProcess:
        if place is None:
            place = min(set(range(self.width)).difference([each.place for each in self._workers]))
        core = None
        if self._pins and (usable := host.usable()):
            core = usable[(self._first_core + place) % len(usable)]
        arguments = (
            *map(str, (self._tables, self._waiting_games, place)),
            self._logs,
            *self._games,
        )
        worker = WorkerProcess(place, core, arguments)
        self._workers.append(worker)
        self._selector.register(worker.reports, selectors.EVENT_READ, worker)
        return worker

    def _bury(self, worker: WorkerProcess, deaths: int) -> Batch | None:
        self._workers.remove(worker)
        self._selector.unregister(worker.reports)
        if worker.is_sending:
            self._selector.unregister(worker.orders)
        self.heartbeats.forget(worker)
        code = worker.close()
        unfinished = worker.unfinished()
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        if worker.is_silent:
            how = "was silent for too long and was killed, since a bot may have stopped it"
        if deaths >= MAX_DEATHS:
            raise ArenaError(f"{deaths} worker processes ended in a row, the last one {how}")
        rest = f"; another one plays its {len(unfinished.games)} games" if unfinished else ""
        self._notice(f"a worker process {how}{rest}")
        return unfinished
