"""Worker processes of this machine, which play batches and return records."""

import contextlib
import os
import secrets
import selectors
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Self

import msgspec

from arena.contracts import Batch, Played
from arena.errors import ArenaError
from arena.process import cores
from arena.sandbox import process_tree
from arena.tournament.executors.worker import Done, Failed

READ_BYTES = 64 * 1024
LEAVE_GRACE_S = 5.0
"""What a worker gets to end its bots and leave."""
MOST_DEATHS = 5
"""After so many workers that ended without a game being over, the run gives up."""
MARK = "ARENA_WORKER"
"""The environment variable by which processes are known that a worker has left."""

Report = Played | Done | Failed
_decoder: msgspec.json.Decoder[Report] = msgspec.json.Decoder(Report)


class _Ended(Exception):
    """A worker process has ended by itself."""


class _Worker:
    """One worker process, and what it has to do."""

    def __init__(self, place: int, on_core: int | None, tables: int | None) -> None:
        options = [str(tables)] if tables else []
        self._mark = secrets.token_hex(8)
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "arena.tournament.executors.worker", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for us, who tell the workers
            env=os.environ | {MARK: self._mark},
        )
        assert self.process.stdin
        assert self.process.stdout
        if on_core is not None:
            cores.pin(self.process.pid, {on_core})
        self.place = place
        self.orders, self.reports = self.process.stdin, self.process.stdout
        self.batch: Batch | None = None
        self._partial = b""
        self._reported: set[str] = set()  # keys of the batch's games that are over

    def give(self, batch: Batch) -> None:
        self.batch = batch
        self._reported.clear()
        data = memoryview(msgspec.json.encode(batch) + b"\n")
        with contextlib.suppress(BrokenPipeError):  # it has ended, as `read` will find
            while data:  # an idle worker reads until the line is whole
                data = data[self.orders.write(data) :]

    def read(self) -> list[Played]:
        """Return the games that are over by now; when all are, `batch` is None.

        Raises:
            ArenaError: the worker cannot play them.
            _Ended: it is gone.
        """
        data = os.read(self.reports.fileno(), READ_BYTES)
        if not data:
            raise _Ended
        *lines, self._partial = (self._partial + data).split(b"\n")
        played = []
        for report in map(_decoder.decode, lines):
            if isinstance(report, Played):
                self._reported.add(report.key)
                played.append(report)
            elif isinstance(report, Failed):
                raise ArenaError(report.text)
            else:
                self.batch = None
        return played

    def left(self) -> Batch | None:
        """Return what of its batch has not been reported, if anything."""
        if not self.batch:
            return None
        games = [game for game in self.batch.games if game.key not in self._reported]
        return msgspec.structs.replace(self.batch, games=tuple(games)) if games else None

    def close(self) -> int:
        """Wait until the process has ended, and return its exit code."""
        self.orders.close()
        try:
            code = self.process.wait(LEAVE_GRACE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self.reports.close()
        process_tree.kill_marked(
            MARK, self._mark
        )  # bots that have no walls may outlive their worker
        return code


class Workers:
    """The executor of this machine. Use it as a context: at its end workers and bots are gone."""

    def __init__(
        self,
        number: int,
        notice: Callable[[str], object],
        *,
        tables: int | None = None,
        pin: bool = True,
    ) -> None:
        """Make so many workers when they are needed.

        Args:
            number: how many.
            notice: called with a sentence when one had to be replaced.
            tables: games under way at a time in each; None adapts it to the bots.
            pin: whether each worker and its bots keep to one core.
        """
        self.width = number
        self._notice = notice
        self._tables = tables
        self._pins = pin
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for worker in self._workers:
            worker.orders.close()  # all of them see the end of their orders before we wait for one
        for worker in self._workers:
            worker.close()
        self._workers.clear()

    def _hire(self) -> _Worker:
        place = min(set(range(self.width)).difference(one.place for one in self._workers))
        core = None
        if self._pins and (usable := cores.usable()):
            core = usable[(os.getpid() + place) % len(usable)]  # two runs begin at different cores
        worker = _Worker(place, core, self._tables)
        self._workers.append(worker)
        return worker

    def play(self, batches: Iterable[Batch | None]) -> Iterator[list[Played]]:
        """Yield the games of the batches as they are over, in any order, each exactly once.

        The games of a worker that ends by itself are played by another one.

        Raises:
            ArenaError: the games cannot be played, or workers end again and again.
        """
        waiting = iter(batches)
        idle: list[_Worker] = []
        deaths = 0  # since a game was over
        with contextlib.closing(selectors.DefaultSelector()) as selector:

            def hire(batch: Batch) -> None:
                worker = self._hire()
                selector.register(worker.reports, selectors.EVENT_READ, worker)
                worker.give(batch)

            def give_out() -> None:
                while idle or len(self._workers) < self.width:
                    batch = next(waiting, None)
                    if batch is None:  # none just now, or none at all
                        return
                    if idle:
                        idle.pop().give(batch)
                    else:
                        hire(batch)

            give_out()
            while any(worker.batch for worker in self._workers):
                played: list[Played] = []
                for key, _ in selector.select():
                    worker: _Worker = key.data
                    try:
                        played += worker.read()
                    except _Ended:
                        deaths += 1
                        selector.unregister(worker.reports)
                        if worker in idle:
                            idle.remove(worker)
                        if left := self._bury(worker, deaths):
                            hire(left)
                    else:
                        if worker.batch is None and worker not in idle:
                            idle.append(worker)
                if played:
                    deaths = 0
                    yield played
                give_out()

    def _bury(self, worker: _Worker, deaths: int) -> Batch | None:
        """Do without a worker that has ended, and return what it left to do."""
        self._workers.remove(worker)
        code = worker.close()
        left = worker.left()
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        if deaths >= MOST_DEATHS:
            raise ArenaError(f"{deaths} worker processes ended in a row, the last one {how}")
        games = len(left.games) if left else 0
        self._notice(f"a worker process {how}; another one plays its {games} games")
        return left
