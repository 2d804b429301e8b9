"""The executor that plays batches on the workers of a Dask cluster.

The main process greets each worker, sends it the bots that it lacks, and gives it pieces of
batches. Dask carries the messages and tells which workers there are. A game counts when its record
has come, once: what a lost worker has not reported is given to another one.
"""

import socket
import struct
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self
from urllib.parse import urlsplit

import msgspec

from arena.base.contracts import Batch, ExecutorSettings, Played
from arena.base.errors import ArenaError, GameError, SettingsError
from arena.extras.dask import tasks
from arena.extras.dask.members import Member, Members, Reception
from arena.extras.dask.messages import (
    ConnectionLost,
    Farewell,
    TaskEnd,
    Work,
    WorkResult,
    pack,
    unpack,
)
from arena.extras.dask.pieces import Piece, Pieces
from arena.tournament.bot_logs import LogWriter

if TYPE_CHECKING:
    from arena.extras.dask.connection import Connection

REACH_S = 4.0
"""The time for a scheduler to greet, so that a wrong address is said within 5 s."""
GREETING = struct.Struct("<Q")
"""The number of frames with which a message of Dask begins."""
MAX_FRAMES = 1000
BEAT_S = 1.0
"""The time between two looks at which workers there are."""
PATIENCE_S = 120.0
"""The time without a worker that can play the next games, after which the run stops."""


MAX_LOG_FILES = 16
"""Log files of a bot, each with the latest lines of some of the workers."""


class _Task(NamedTuple):
    """A piece that a worker was given."""

    address: str
    piece: Piece


class Traffic(msgspec.Struct):
    """Bytes between the main process and the workers, without bots."""

    sent: int = 0
    received: int = 0


class Cluster:
    """The executor of a Dask cluster. As a context manager it leaves the cluster at its end."""

    def __init__(
        self,
        settings: ExecutorSettings,
        notice: Callable[[str], object],
        patience_s: float = PATIENCE_S,
        play: Callable[[bytes], bytes] = tasks.play,
    ) -> None:
        """Prepare to play on the cluster of `settings`, to which its context connects.

        Workers play games with the function `play`.
        """
        self._settings = settings
        self._notice = notice
        self._patience_s = patience_s
        self._play = play
        self.traffic = Traffic()
        """The bytes of works and their results."""
        self._connecting: Future[Connection] | None = None
        self._depth = 0
        self._members = Members()
        self._reception = Reception(settings, self._members, notice)
        self._pieces = Pieces()
        self._take: Callable[[], Batch | None] = lambda: None
        self._most_pieces = 0
        """The most pieces that wait."""
        self._log_files: dict[str, int] = {}
        """By the address of a worker, the log file of a bot that has its lines."""
        self._tasks: dict[int, _Task] = {}
        self._looked_at = 0.0
        self._progress_at = 0.0
        """The last time at which a game was under way."""

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
                answers = self.connection.tell(tasks.leave, self._reception.session)
                for address, data in answers.items():
                    self._keep_logs(address, unpack(data, Farewell).logs)
                self.connection.close()
            self._connecting = None

    def _connect(self) -> "Connection":
        from arena.extras.dask.connection import Connection

        scheduler = self._settings.scheduler
        try:
            return Connection(scheduler, self._settings.workers)
        except (OSError, ValueError) as error:
            raise _unreachable(scheduler, error) from None

    @property
    def connection(self) -> "Connection":
        """The connection to the scheduler. Raises `SettingsError` if there is none."""
        assert self._connecting, "it is entered"
        return self._connecting.result()

    @property
    def width(self) -> int:
        """The number of slots of the cluster, or what the settings say."""
        return self._settings.workers or max(1, sum(self.connection.slots().values()))

    def wake(self, games: Iterable[str]) -> None:
        """Do nothing: the workers of a cluster run already."""

    def expect(self, variants: Iterable[str]) -> None:
        """Note the variants, whose rules workers must have in the same version."""
        self._reception.variants = (*variants,)

    @property
    def games_at_once(self) -> int:
        """The games that a worker plays at the same time, of bots that wait."""
        return max(1, self._settings.waiting_games)

    def play_batches(self, take: Callable[[], Batch | None]) -> Iterator[list[Played]]:
        """Yield the games of the batches as their pieces end, each game exactly once.

        Raises:
            ArenaError: the games cannot be played, or no worker can play them.
        """
        if dashboard := self.connection.dashboard:
            self._notice(f"Dask dashboard: {dashboard}")
        self._take = take
        self._most_pieces = self.width
        self._progress_at = time.monotonic()
        while True:
            try:
                self.hand_out()
                if not self._pieces and not self._tasks:
                    return
                self._look()
                played = self._listen()
            except ConnectionLost:
                self._reconnect()
                continue
            if played:
                yield played

    def hand_out(self) -> None:
        """Take the next batches, and give their pieces to workers with room."""
        while len(self._pieces) < self._most_pieces and (batch := self._take()):
            self._pieces.add(batch)
        self._give()

    def _keep_logs(self, address: str, logs: Mapping[str, str]) -> None:
        """Store by bot what it wrote to stderr on a worker, so that `arena logs` finds it."""
        if not logs or not self._settings.logs:
            return
        file = self._log_files.setdefault(address, len(self._log_files) % MAX_LOG_FILES)
        writer = LogWriter(Path(self._settings.logs), file)
        for bot, stored in logs.items():
            writer.append(bot, stored)

    # -- workers that come and go ----------------------------------------------------------------

    def _look(self) -> None:
        """Look at intervals which workers there are. Raises `ConnectionLost`."""
        now = time.monotonic()
        if self._tasks:
            self._progress_at = now
        elif now - self._progress_at > self._patience_s:
            raise ArenaError(self._why_nobody_plays())
        if now - self._looked_at < BEAT_S:
            return
        self._looked_at = now
        for member in self._members.update(self.connection.slots()):
            games = self._take_back(member.address)
            if member.is_welcome:
                others = f"; others play its {games} games" if games else ""
                self._notice(f"Dask worker {member.name} is gone{others}")
        for batch in self._pieces.batches:
            for member in self._members:
                if not member.is_welcome and not member.refusal:
                    self._reception.greet(member, batch, self.connection)
            return  # all batches of a run have the same sandbox

    def _take_back(self, address: str) -> int:
        """Give the games of a worker to others, and return their number."""
        games = 0
        for number, task in [*self._tasks.items()]:
            if task.address == address:
                del self._tasks[number]
                self.connection.cancel(number)
                games += len(task.piece.batch.games)
                self._pieces.give_back(task.piece)
        self._reception.drop(address, self.connection)
        return games

    def _reconnect(self) -> None:
        """Wait for a lost scheduler. All games under way are played again."""
        self._notice("the Dask scheduler is gone; the run waits for it")
        for task in self._tasks.values():
            self._pieces.give_back(task.piece, is_lost=False)
        self._tasks.clear()
        self._reception.clear()
        self._members.clear()
        self.connection.reconnect()
        self._looked_at = 0.0
        self._progress_at = time.monotonic()

    def _why_nobody_plays(self) -> str:
        reasons = [f"{member.name}: {member.refusal}" for member in self._members if member.refusal]
        for batch in self._pieces.batches:
            for member in self._members:
                reasons += [f"{member.name}: {text}" for text in member.obstacles(batch)]
        told = "; ".join([*dict.fromkeys(reasons)][:5]) or "there is no worker"
        return f"no Dask worker could play the next games for {self._patience_s:.0f} s ({told})"

    # -- games -----------------------------------------------------------------------------------

    def _give(self) -> None:
        """Give pieces to workers with idle slots, then pieces that wait there, and send bots.

        So no piece waits at one worker while another one is idle.
        """
        for member in self._members:
            while member.has_room and self._give_to(member, self._members.parts()):
                pass
        for member in self._members:
            while member.has_queue and not member.has_room and self._give_to(member, None):
                pass
            if member.has_room:
                self._reception.send_bots(member, self._pieces.batches, self.connection)

    def _give_to(self, member: Member, others: Collection[int] | None) -> bool:
        """Give a worker a piece, if there is one for it; see `Pieces.take`."""
        piece = self._pieces.take(member.bots_for, member.parts, others)
        if piece is None:
            return False
        if piece.part is not None:
            self._members.claim(member, piece.part)
        member.under_way += 1
        data = pack(Work(self._reception.session, piece.batch, member.core))
        self.traffic.sent += len(data)
        number = self.connection.submit(self._play, data, member.address)
        self._tasks[number] = _Task(member.address, piece)
        return True

    def _listen(self) -> list[Played]:
        """Wait for the ends of tasks for at most `BEAT_S`, and return the games that have ended."""
        played: list[Played] = []
        for end in self.connection.ends(BEAT_S):
            task = self._tasks.pop(end.number, None)
            if task:
                played += self._finish(task, end)
            else:
                self._reception.hear(end)
        return played

    def _finish(self, task: _Task, end: TaskEnd) -> Iterable[Played]:
        """Return the games of a piece that has ended, and give what is left to others."""
        member, piece = self._members.get(task.address), task.piece
        if member:
            member.under_way -= 1
        if end.result is None:
            if end.error:
                self._notice(
                    f"a Dask worker could not play {len(piece.batch.games)} games: {end.error}"
                )
            self._pieces.give_back(piece)
            return ()
        self.traffic.received += len(end.result)
        result = unpack(end.result, WorkResult)
        self._keep_logs(task.address, result.logs)
        name = member.name if member else ""
        for text in result.notices:
            self._notice(f"{name}: {text}")
        if result.broken:
            raise GameError(result.failure, result.broken.encode())
        if result.failure:
            raise ArenaError(f"{name}: {result.failure}")
        if result.is_forgotten:
            self._pieces.give_back(piece, is_lost=False)
            if member:
                member.forget()
            return ()
        self._pieces.measured(piece, result.seconds)
        return [
            msgspec.structs.replace(game, seen=msgspec.structs.replace(game.seen, worker=name))
            for game in result.played
        ]


def _reach(scheduler: str) -> None:
    """Wait until a scheduler greets at this address. Raises `SettingsError` if none does."""
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
    """Check the first bytes of a scheduler. Raises `ValueError` if they are of something else."""
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
