"""Worker processes of this machine: they get batches and give back records as they come."""

import contextlib
import os
import selectors
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from types import TracebackType
from typing import Self

import msgspec

from arena.errors import ArenaError
from arena.worker import Batch, Done, Failed, Played

READ_BYTES = 64 * 1024
LEAVE_GRACE_S = 5.0
"""What a worker gets to end its bots and leave."""


Report = Played | Done | Failed
_decoder: msgspec.json.Decoder[Report] = msgspec.json.Decoder(Report)


class _Worker:
    """One worker process."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "arena.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for us, who tell the workers
        )
        self.partial = b""
        self.busy = False

    def give(self, batch: Batch) -> None:
        assert self.process.stdin
        data = memoryview(msgspec.json.encode(batch) + b"\n")
        while data:  # an idle worker reads until the line is whole
            data = data[self.process.stdin.write(data) :]
        self.busy = True

    def read(self) -> list[Report]:
        """Return what the worker has told by now.

        Raises:
            ArenaError: the worker has ended.
        """
        assert self.process.stdout
        data = os.read(self.process.stdout.fileno(), READ_BYTES)
        if not data:
            raise ArenaError(f"a worker process ended by itself (exit code {self.process.wait()})")
        *lines, self.partial = (self.partial + data).split(b"\n")
        return [_decoder.decode(line) for line in lines]


class Workers:
    """A number of workers. Use it as a context: at its end they and all bots are gone."""

    def __init__(self, number: int) -> None:
        self._number = number
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
            if worker.process.stdin:
                worker.process.stdin.close()  # the worker sees the end of its orders
        for worker in self._workers:
            try:
                worker.process.wait(LEAVE_GRACE_S)
            except subprocess.TimeoutExpired:
                worker.process.kill()
                worker.process.wait()
            if worker.process.stdout:
                worker.process.stdout.close()

    def play(self, batches: Iterable[Batch]) -> Iterator[list[Played]]:
        """Yield the games of the batches as they are over, in any order, all that there are."""
        waiting = iter(batches)
        with contextlib.closing(selectors.DefaultSelector()) as selector:
            for batch in islice(waiting, self._number):
                worker = _Worker()
                self._workers.append(worker)
                assert worker.process.stdout
                selector.register(worker.process.stdout, selectors.EVENT_READ, worker)
                worker.give(batch)
            while any(worker.busy for worker in self._workers):
                played: list[Played] = []
                for key, _ in selector.select():
                    worker = key.data
                    for message in worker.read():
                        if isinstance(message, Played):
                            played.append(message)
                            continue
                        if isinstance(message, Failed):
                            raise ArenaError(message.text)
                        worker.busy = False
                        for batch in islice(waiting, 1):
                            worker.give(batch)
                if played:
                    yield played
