"""Greetings of Dask workers, and the bots that are sent to them."""

import secrets
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import msgspec

from arena.contracts import Batch, ExecutorSettings
from arena.extras.dask import tasks
from arena.extras.dask.members import Member, Members
from arena.extras.dask.messages import Arrival, Greeting, SessionHello, TaskEnd, pack, unpack
from arena.extras.dask.packed_bots import pack_bot
from arena.record import Entrant

if TYPE_CHECKING:
    from arena.extras.dask.connection import Connection


class _Question(msgspec.Struct, frozen=True):
    """What a worker was asked."""

    address: str
    bot: Entrant | None = None
    """The bot that was sent. None stands for a greeting."""


class Reception:
    """Greets workers, and sends each the bots that it lacks."""

    def __init__(
        self, settings: ExecutorSettings, members: Members, notice: Callable[[str], object]
    ) -> None:
        """Begin with no questions. The answers change `members`."""
        self.session = secrets.token_hex(8)
        """The id of this run for workers."""
        self.variants: tuple[str, ...] = ()
        """The variants of the run. Empty stands for those of the first batch."""
        self._settings = settings
        self._members = members
        self._notice = notice
        self._questions: dict[int, _Question] = {}
        self._packed_bots: dict[str, bytes] = {}
        """By fingerprint, the bots as they travel."""

    def greet(self, member: Member, batch: Batch, connection: "Connection") -> None:
        """Greet a worker for a run with this batch, unless it is being asked something."""
        if any(question.address == member.address for question in self._questions.values()):
            return
        settings = self._settings
        self.variants = self.variants or tuple({game.variant for game in batch.games})
        hello = SessionHello(
            self.session,
            self.variants,
            batch.sandbox,
            settings.tables,
            settings.waiting_games,
            settings.pin,
            bool(settings.logs),
        )
        number = connection.submit(tasks.greet, pack(hello), member.address)
        self._questions[number] = _Question(member.address)

    def send_bots(self, member: Member, batches: Iterable[Batch], connection: "Connection") -> None:
        """Send a worker the bots that it lacks for the first batch of which it lacks any."""
        for batch in batches:
            lacking = [
                entrant for entrant in batch.entrants if entrant.fingerprint not in member.bots
            ]
            for bot in lacking:
                member.bots[bot.fingerprint] = None
                data = self._packed(bot, batch)
                number = connection.submit(tasks.receive, data, member.address)
                self._questions[number] = _Question(member.address, bot)
            if lacking:
                return

    def _packed(self, bot: Entrant, batch: Batch) -> bytes:
        if bot.fingerprint not in self._packed_bots:
            self._packed_bots[bot.fingerprint] = pack(pack_bot(self.session, bot, batch.limits))
        return self._packed_bots[bot.fingerprint]

    def drop(self, address: str, connection: "Connection") -> None:
        """Expect no answer of a worker that is gone."""
        for number, question in [*self._questions.items()]:
            if question.address == address:
                del self._questions[number]
                connection.cancel(number)

    def clear(self) -> None:
        """Expect no answers, since the scheduler is gone."""
        self._questions.clear()

    def hear(self, end: TaskEnd) -> None:
        """Note what a worker says to a greeting or to a bot."""
        question = self._questions.pop(end.number)
        member = self._members.get(question.address)
        if not member:
            return
        if end.result is None:
            self._fail(member, question, end.error)
        elif question.bot:
            self._arrive(member, question.bot, unpack(end.result, Arrival))
        else:
            greeting = unpack(end.result, Greeting)
            here = tasks.versions_here(self.variants)
            member.welcome(greeting, here, self._members.free_core(greeting.machine))
            if member.refusal:
                self._notice(f"Dask worker {member.name} gets no games: {member.refusal}")

    def _fail(self, member: Member, question: _Question, error: str) -> None:
        if error:
            member.forget()
            member.refusal = error
            self._notice(f"Dask worker {member.name} gets no games: {error}")
        elif question.bot:
            member.forget()

    def _arrive(self, member: Member, bot: Entrant, arrival: Arrival) -> None:
        if arrival.is_forgotten:
            member.forget()
            return
        member.bots[bot.fingerprint] = arrival.obstacle
        if arrival.obstacle:
            self._notice(
                f"Dask worker {member.name} gets no games with {bot.name}: {arrival.obstacle}"
            )
