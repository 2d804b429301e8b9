"""The executor that plays batches on the workers of a Dask cluster.

About twice as many batches are submitted as the workers have slots, so workers that join later
get the next ones. Dask chooses the worker for a batch, and another one if that worker is lost. A
game counts once, when its batch has arrived.
"""

import socket
import struct
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

import msgspec

from arena.base.contracts import Batch, ExecutorSettings, Played
from arena.base.errors import ArenaError, SettingsError
from arena.tournament.bot_logs import LogWriter

if TYPE_CHECKING:
    from arena.extras.dask.connection import Connection

REACH_S = 4.0
"""How long to wait for a scheduler's greeting. A wrong address fails within 5 s."""
GREETING = struct.Struct("<Q")
"""A Dask message begins with its number of frames."""
MAX_FRAMES = 1000
BEAT_S = 1.0
"""Interval between checks for new and lost workers."""
PATIENCE_S = 120.0
"""The run stops after this time without a worker that can play the next games."""
MAX_OUTAGE_S = 300.0
"""How long to wait for a lost scheduler to come back."""
IN_FLIGHT = 2
"""Submitted batches per slot, so that a slot never waits for its next batch."""
MIN_WIDTH = 16
"""Minimum number of batches for which boards are scheduled, since more workers may join."""
MAX_LOG_FILES = 16
"""Maximum number of log files per bot. Each has the latest lines from some of the workers."""


class Cluster:
    """The executor of a Dask cluster. Its context leaves the cluster at the end."""

    def __init__(self, settings: ExecutorSettings, notice: Callable[[str], object]) -> None:
        """Prepare to play on the cluster in `settings`. Entering the context connects to it."""
        self._settings = settings
        self._notice = notice
        self._at_end = ExitStack()
        self._scheduler = ""
        self._connecting: Future[Connection] | None = None
        self._depth = 0
        self._variants: tuple[str, ...] = ()
        self._take: Callable[[], Batch | None] = lambda: None
        self._waiting: list[Batch] = []
        self._log_files: dict[str, int] = {}
        """Number of the bots' log file for each worker, by the worker's name."""
        self._looked_at = self._progress_at = 0.0

    def __enter__(self) -> Self:
        self._depth += 1
        if not self._connecting:
            if scheduler := self._settings.scheduler:
                _reach(scheduler)
            # In a thread, since to import Dask takes as long as to try the bots.
            self._connecting = ThreadPoolExecutor(1).submit(self._connect)
        return self

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._connecting and not self._depth:
            if not self._connecting.exception():
                for worker, logs in self.connection.leave().items():
                    self._keep_logs(worker, logs)
                self.connection.close()
            self._at_end.close()
            self._connecting = None

    def _connect(self) -> "Connection":
        import dask

        from arena.extras.dask.connection import QUIET, Connection, local_cluster

        self._at_end.enter_context(dask.config.set(QUIET))
        self._scheduler = self._settings.scheduler or self._at_end.enter_context(
            local_cluster(self._settings.workers)
        )
        try:
            return Connection(self._scheduler, self._settings)
        except (OSError, ValueError) as error:
            raise _unreachable(self._scheduler, error) from None

    @property
    def connection(self) -> "Connection":
        """The connection to the scheduler. Raise `SettingsError` if there is none."""
        assert self._connecting, "it is entered"
        return self._connecting.result()

    @property
    def width(self) -> int:
        """Number of batches for which boards are scheduled, including some for future workers."""
        slots = self.connection.all_slots()
        return self._settings.workers or max(IN_FLIGHT * slots, MIN_WIDTH)

    def wake(self, games: Iterable[str]) -> None:
        """Do nothing. The cluster's workers are already running."""

    def expect(self, variants: Iterable[str]) -> None:
        """Set the run's variants. Workers must have the same versions of their rules."""
        self._variants = (*variants,)

    @property
    def games_at_once(self) -> int:
        """Number of games that a worker interleaves if bots spend their time waiting."""
        return max(1, self._settings.waiting_games)

    def play_batches(self, take: Callable[[], Batch | None]) -> Iterator[list[Played]]:
        """Yield the games of finished batches, each game exactly once.

        Raises:
            ArenaError: the games cannot be played, or no worker can play them.
        """
        if dashboard := self.connection.dashboard:
            self._notice(f"Dask dashboard: {dashboard}")
        self._take = take
        self._progress_at = time.monotonic()
        while True:
            self.hand_out()
            if not self._waiting and not self.connection.tasks:
                return
            try:
                self._look()
                self.connection.wait(BEAT_S)
                for obstacle in self.connection.obstacles():
                    self._notice(obstacle)
                for batch, ended in self.connection.ended():
                    if not ended:
                        self._waiting.insert(0, batch)
                        continue
                    for text in ended.notices:
                        self._notice(f"{ended.worker}: {text}")
                    self._keep_logs(ended.worker, ended.logs)
                    yield [_with_worker(game, ended.worker) for game in ended.played]
            except ConnectionError:
                self._reconnect()

    def hand_out(self) -> None:
        """Submit waiting batches, then new ones, while there is room."""
        self._waiting = [batch for batch in self._waiting if not self._submit(batch)]
        while self._has_room(1) and (batch := self._take()):
            self.connection.expect(batch, self._variants)
            if not self._submit(batch):
                self._waiting.append(batch)

    def _submit(self, batch: Batch) -> bool:
        return self._has_room(0) and self.connection.submit(batch)

    def _has_room(self, least: int) -> bool:
        """Return whether another batch fits: `IN_FLIGHT` per slot, or `least` if that is more."""
        connection = self.connection
        return len(connection.tasks) < max(least, IN_FLIGHT * connection.slots)

    def _look(self) -> None:
        now = time.monotonic()
        if self.connection.tasks:
            self._progress_at = now
        elif now - self._progress_at > PATIENCE_S:
            raise ArenaError(self._why_nobody_plays())
        if now - self._looked_at >= BEAT_S:
            self._looked_at = now
            for member in self.connection.look():
                if not member.obstacle:
                    self._notice(f"Dask worker {member.name} is gone; others play its games")
            self._waiting[:0] = self.connection.take_back()
        self.connection.prepare()

    def _keep_logs(self, worker: str, logs: Mapping[str, str]) -> None:
        if not logs or not self._settings.logs:
            return
        file = self._log_files.setdefault(worker, len(self._log_files) % MAX_LOG_FILES)
        writer = LogWriter(Path(self._settings.logs), file)
        for bot, stored in logs.items():
            writer.append(bot, stored)

    def _reconnect(self) -> None:
        """Wait for a lost scheduler. All unfinished games are played again.

        Raises:
            ArenaError: it did not come back within `MAX_OUTAGE_S`.
        """
        from arena.extras.dask.connection import Connection

        self._notice("the Dask scheduler is gone; the run waits for it")
        self._waiting[:0] = [task.batch for task in self.connection.tasks]
        self.connection.close()
        deadline = time.monotonic() + MAX_OUTAGE_S
        while True:
            try:
                connection = Connection(self._scheduler, self._settings)
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise ArenaError(
                        f"the Dask scheduler {self._scheduler} was not there for "
                        f"{MAX_OUTAGE_S:.0f} s"
                    ) from None
                time.sleep(BEAT_S)
        for batch in self._waiting:
            connection.expect(batch, self._variants)
        self._connecting = Future()
        self._connecting.set_result(connection)
        self._progress_at = time.monotonic()

    def _why_nobody_plays(self) -> str:
        reasons = [
            f"{member.name}: {obstacle}"
            for member in self.connection.members.values()
            for obstacle in (member.obstacle, *member.bots.values())
            if obstacle
        ]
        told = "; ".join([*dict.fromkeys(reasons)][:5]) or "there is no worker"
        return f"no Dask worker could play the next games for {PATIENCE_S:.0f} s ({told})"


def _with_worker(game: Played, worker: str) -> Played:
    seen = msgspec.structs.replace(game.seen, worker=worker)
    return msgspec.structs.replace(game, seen=seen)


def _reach(scheduler: str) -> None:
    """Wait until a scheduler greets at this address. Raise `SettingsError` if none does."""
    deadline = time.monotonic() + REACH_S
    while True:
        try:
            where = urlsplit(scheduler if "://" in scheduler else f"tcp://{scheduler}")
            if where.hostname is None or where.port is None:
                raise ValueError("it has no port")
            with socket.create_connection((where.hostname, where.port), REACH_S) as connection:
                if where.scheme == "tcp":  # Dask's client waits for ever for one that is mute
                    connection.settimeout(REACH_S)
                    _check_greeting(connection.recv(GREETING.size))
            return
        except (OSError, ValueError) as error:
            if isinstance(error, ValueError | TimeoutError) or time.monotonic() > deadline:
                raise _unreachable(scheduler, error) from None
            time.sleep(BEAT_S / 10)


def _check_greeting(greeting: bytes) -> None:
    if len(greeting) < GREETING.size or GREETING.unpack(greeting)[0] > MAX_FRAMES:
        raise ValueError("what listens there is something else; its dashboard has another port")


def _unreachable(scheduler: str | None, error: OSError | ValueError) -> SettingsError:
    if isinstance(error, OSError):
        return SettingsError(
            f"there is no Dask scheduler at {scheduler} ({error}): start one with `dask "
            "scheduler`, or leave out machine.scheduler"
        )
    return SettingsError(
        f"{scheduler!r} is not the address of a Dask scheduler ({error}): expected for example "
        "tcp://HOST:8786"
    )
