"""The executor that plays batches on the workers of a Dask cluster.

The main process greets each worker, sends it the bots that it lacks, and gives it pieces of
batches. Dask carries the messages and tells which workers there are. A game counts when its record
has come, once: what a lost worker has not reported is given to another one.
"""

import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import NamedTuple, Self

import msgspec

from arena.contracts import Batch, ExecutorSettings, Played
from arena.errors import ArenaError, GameError
from arena.record import Entrant
from arena.tournament.executors.dask import tasks
from arena.tournament.executors.dask.connection import Connection, ConnectionLost, End
from arena.tournament.executors.dask.luggage import pack_bot
from arena.tournament.executors.dask.members import Member, Members
from arena.tournament.executors.dask.messages import (
    Arrival,
    Greeting,
    Hello,
    Outcome,
    Work,
    pack,
    unpack,
)
from arena.tournament.executors.dask.pieces import Piece, Pieces

BEAT_S = 1.0
"""The time between two looks at which workers there are."""
PATIENCE_S = 120.0
"""The time without a worker that can play the next games, after which the run stops."""


class _Task(NamedTuple):
    """What a worker was asked to do."""

    address: str
    piece: Piece | None = None
    bot: Entrant | None = None
    """The bot that was sent. Neither piece nor bot stands for a greeting."""


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
        """The bytes of works and their outcomes."""
        self._session = secrets.token_hex(8)
        self._variants: tuple[str, ...] = ()
        self._connection: Connection | None = None
        self._depth = 0
        self._members = Members()
        self._pieces = Pieces()
        self._tasks: dict[int, _Task] = {}
        self._luggage: dict[str, bytes] = {}
        """By fingerprint, the bots as they travel."""
        self._looked_at = 0.0
        self._progress_at = 0.0
        """When a game was under way the last time."""

    def __enter__(self) -> Self:
        self._depth += 1
        if not self._connection:
            settings = self._settings
            self._connection = Connection(settings.scheduler, settings.workers, self._notice)
            self._notice(f"Dask dashboard: {self._connection.dashboard}")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._depth -= 1
        if self._connection and not self._depth:
            self._connection.tell(tasks.leave, self._session)
            self._connection.close()
            self._connection = None

    @property
    def connection(self) -> Connection:
        """The connection to the scheduler."""
        assert self._connection, "it is entered"
        return self._connection

    @property
    def width(self) -> int:
        """The number of slots of the cluster, or what the settings say."""
        return self._settings.workers or max(1, sum(self.connection.slots().values()))

    def start(self, variants: Iterable[str], boards: int) -> None:
        """Note the variants, whose rules workers must have in the same version."""
        self._variants = (*variants,)

    def play_batches(self, batches: Iterable[Batch | None]) -> Iterator[list[Played]]:
        """Yield the games of the batches as their pieces end, each game exactly once.

        Raises:
            ArenaError: the games cannot be played, or no worker can play them.
        """
        waiting = iter(batches)
        width = self.width
        self._progress_at = time.monotonic()
        while True:
            while len(self._pieces) < width and (batch := next(waiting, None)):
                self._pieces.add(batch)
            if not self._pieces and not self._playing():
                return
            try:
                self._look()
                self._give()
                played = self._listen()
            except ConnectionLost:
                self._reconnect()
                continue
            if played:
                yield played

    def _playing(self) -> bool:
        return any(task.piece for task in self._tasks.values())

    # -- workers that come and go ----------------------------------------------------------------

    def _look(self) -> None:
        """Look at intervals which workers there are. Raises `ConnectionLost`."""
        now = time.monotonic()
        if self._playing():
            self._progress_at = now
        elif now - self._progress_at > self._patience_s:
            raise ArenaError(self._why_nobody_plays())
        if now - self._looked_at < BEAT_S:
            return
        self._looked_at = now
        _, gone = self._members.update(self.connection.slots())
        for member in gone:
            games = self._take_back(member.address)
            if member.is_welcome:
                self._notice(f"Dask worker {member.name} is gone; others play its {games} games")
        for member in self._members:
            if not member.is_welcome and not member.refusal and not self._is_asked(member):
                self._greet(member)

    def _take_back(self, address: str) -> int:
        """Give the games of a worker to others, and return their number."""
        games = 0
        for number, task in [*self._tasks.items()]:
            if task.address == address:
                del self._tasks[number]
                self.connection.cancel(number)
                if task.piece:
                    games += len(task.piece.batch.games)
                    self._pieces.give_back(task.piece)
        return games

    def _reconnect(self) -> None:
        """Wait for a lost scheduler. All games under way are played again."""
        self._notice("the Dask scheduler is gone; the run waits for it")
        for task in self._tasks.values():
            if task.piece:
                self._pieces.give_back(task.piece, is_lost=False)
        self._tasks.clear()
        self._members.clear()
        self.connection.reconnect()
        self._looked_at = 0.0
        self._progress_at = time.monotonic()

    def _is_asked(self, member: Member) -> bool:
        return any(task.address == member.address for task in self._tasks.values())

    def _greet(self, member: Member) -> None:
        batch = next(iter(self._pieces.batches), None)
        if batch is None:
            return  # what is left is under way elsewhere
        settings = self._settings
        self._variants = self._variants or tuple({game.variant for game in batch.games})
        hello = Hello(
            self._session,
            self._variants,
            batch.sandbox,
            settings.tables,
            settings.waiting_games,
            settings.pin,
        )
        self._submit(tasks.greet, hello, _Task(member.address))

    def _why_nobody_plays(self) -> str:
        reasons = [f"{one.name}: {one.refusal}" for one in self._members if one.refusal]
        for batch in self._pieces.batches:
            for one in self._members:
                reasons += [f"{one.name}: {text}" for text in one.obstacles(batch)]
        told = "; ".join([*dict.fromkeys(reasons)][:5]) or "there is no worker"
        return f"no Dask worker could play the next games for {self._patience_s:.0f} s ({told})"

    # -- games -----------------------------------------------------------------------------------

    def _give(self) -> None:
        """Give pieces to workers with idle slots, and send them the bots that they lack."""
        for member in self._members:
            while member.has_queue:
                others = self._members.parts_of_others(member) if member.has_room else None
                piece = self._pieces.take(member.can_play, member.parts, others)
                if piece is None:
                    break
                if piece.part is not None:
                    member.parts.add(piece.part)
                member.under_way += 1
                work = Work(self._session, piece.batch, member.core)
                self._submit(self._play, work, _Task(member.address, piece))
            if member.has_room:
                self._send_bots(member)

    def _send_bots(self, member: Member) -> None:
        for batch in self._pieces.batches:
            if member.cannot_run(batch):
                continue
            for bot in batch.entrants:
                if member.lacks(bot.fingerprint):
                    member.expect(bot.fingerprint)
                    data = self._packed(bot, batch)
                    number = self.connection.submit(tasks.receive, data, member.address)
                    self._tasks[number] = _Task(member.address, bot=bot)
            return

    def _packed(self, bot: Entrant, batch: Batch) -> bytes:
        if bot.fingerprint not in self._luggage:
            self._luggage[bot.fingerprint] = pack(pack_bot(self._session, bot, batch.limits))
        return self._luggage[bot.fingerprint]

    def _submit(
        self, function: Callable[[bytes], bytes], message: msgspec.Struct, task: _Task
    ) -> None:
        data = pack(message)
        self.traffic.sent += len(data)
        self._tasks[self.connection.submit(function, data, task.address)] = task

    def _listen(self) -> list[Played]:
        """Wait for the ends of tasks for at most `BEAT_S`, and return the games that have ended."""
        played: list[Played] = []
        for end in self.connection.ends(BEAT_S):
            task = self._tasks.pop(end.number)
            member = self._members.get(task.address)
            if task.piece:
                played += self._finish(member, task.piece, end)
            elif member:
                self._answered(member, task, end)
        return played

    def _finish(self, member: Member | None, piece: Piece, end: End) -> Iterable[Played]:
        """Return the games of a piece that has ended, and give what is left to others."""
        if member:
            member.under_way -= 1
        if end.result is None:
            self._pieces.give_back(piece)
            return ()
        self.traffic.received += len(end.result)
        outcome = unpack(end.result, Outcome)
        name = member.name if member else ""
        for text in outcome.notices:
            self._notice(f"{name}: {text}")
        if outcome.broken:
            raise GameError(outcome.failure, outcome.broken.encode())
        if outcome.failure:
            raise ArenaError(f"{name}: {outcome.failure}")
        if outcome.is_forgotten:
            self._pieces.give_back(piece, is_lost=False)
            if member:
                member.forget()
            return ()
        self._pieces.measured(piece, outcome.seconds)
        return [
            msgspec.structs.replace(one, seen=msgspec.structs.replace(one.seen, worker=name))
            for one in outcome.played
        ]

    def _answered(self, member: Member, task: _Task, end: End) -> None:
        """Note what a worker says to a greeting or to a bot."""
        if end.result is None:
            if end.error:
                member.refusal = end.error
                self._notice(f"Dask worker {member.name} gets no games: {end.error}")
            elif task.bot:
                member.forget()
        elif task.bot:
            arrival = unpack(end.result, Arrival)
            if arrival.is_forgotten:
                member.forget()
                return
            member.arrived(task.bot.fingerprint, arrival.obstacle)
            if arrival.obstacle:
                self._notice(
                    f"Dask worker {member.name} gets no games with {task.bot.name}: "
                    f"{arrival.obstacle}"
                )
        else:
            greeting = unpack(end.result, Greeting)
            here = tasks.versions_here(self._variants)
            member.welcome(greeting, here, self._members.free_core(greeting.machine))
            if member.refusal:
                self._notice(f"Dask worker {member.name} gets no games: {member.refusal}")
