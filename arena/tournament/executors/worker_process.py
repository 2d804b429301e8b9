"""Start a local worker process and communicate with it."""

import os
import subprocess
import sys
from collections.abc import Sequence

import msgspec

from arena.base.contracts import Batch, Played
from arena.base.errors import ArenaError
from arena.process import host
from arena.sandbox.process_tree import kill_found, marked
from arena.tournament.executors.worker import BatchFailed, BatchFinished, Heartbeat

PROGRAM = (
    "import gc; gc.disable(); import arena.base.quick_msgspec; "
    "from arena.tournament.executors.worker import main; main()"
)
"""Python code that starts a worker faster than `python -m` would."""
MARK = "ARENA_WORKER"
READ_BYTES = 64 * 1024
EXIT_GRACE_S = 5.0

Report = Played | BatchFinished | BatchFailed | Heartbeat
_decoder: msgspec.json.Decoder[Report] = msgspec.json.Decoder(Report)


class WorkerDied(Exception):
    """A worker process ended unexpectedly."""


class WorkerProcess:
    def __init__(self, place: int, on_core: int | None, arguments: Sequence[str]) -> None:
        self._mark = os.urandom(8).hex()
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", PROGRAM, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # Ctrl-C reaches only this process, which stops the workers
            env=os.environ | {MARK: self._mark},
        )
        assert self.process.stdin
        assert self.process.stdout
        if on_core is not None:
            host.pin(self.process.pid, {on_core})
        self.place = place
        self.orders, self.reports = self.process.stdin, self.process.stdout
        os.set_blocking(self.orders.fileno(), False)  # don't wait for a stopped worker
        self.batch: Batch | None = None
        self.next: Batch | None = None
        self.is_silent = False
        self._unsent = memoryview(b"")  # rest of the batch
        self._partial = b""
        self._reported: set[str] = set()  # keys of the batch's games that are over

    def give(self, batch: Batch) -> None:
        self.batch = batch
        self._reported.clear()
        self._unsent = memoryview(msgspec.json.encode(batch) + b"\n")
        self.send()

    @property
    def is_sending(self) -> bool:
        return bool(self._unsent)

    def send(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self.orders.fileno(), self._unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # the worker has died; `read` will report it
            self._unsent = memoryview(b"")

    def read(self) -> list[Played]:
        """Return the games that have ended. Set `batch` to None when the batch is done."""
        data = os.read(self.reports.fileno(), READ_BYTES)
        if not data:
            raise WorkerDied
        *lines, self._partial = (self._partial + data).split(b"\n")
        played = []
        for report in map(_decoder.decode, lines):
            if isinstance(report, Played):
                self._reported.add(report.key)
                played.append(report)
            elif isinstance(report, BatchFailed):
                raise ArenaError(report.text)
            elif isinstance(report, BatchFinished):
                self.batch = None
        return played

    def unfinished(self) -> Batch | None:
        if not self.batch:
            return None
        games = [game for game in self.batch.games if game.key not in self._reported]
        return msgspec.structs.replace(self.batch, games=tuple(games)) if games else None

    def close(self) -> int:
        self.orders.close()
        try:
            code = self.process.wait(EXIT_GRACE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self.reports.close()
        mark = f"{MARK}={self._mark}".encode()
        kill_found(lambda: marked([mark]))  # unsandboxed bots may outlive the worker
        return code
