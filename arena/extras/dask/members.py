"""The workers of a cluster as the main process knows them: who may play, and with which bots."""

import secrets
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import msgspec

from arena.base.contracts import Batch, ExecutorSettings
from arena.base.record import Entrant
from arena.extras.dask import tasks
from arena.extras.dask.messages import Arrival, Greeting, SessionHello, TaskEnd, pack, unpack
from arena.extras.dask.packed_bots import pack_bot

if TYPE_CHECKING:
    from arena.extras.dask.connection import Connection


from collections import Counter
from collections.abc import Collection, Iterator

from arena.extras.dask.messages import Versions


def mismatch(here: Versions, there: Versions) -> str:
    """Return a phrase for each version that differs from the main process, or an empty text."""
    found = []
    for what, got, expected in (
        ("messages of version", there.messages, here.messages),
        ("bribe-arena", there.arena, here.arena),
        ("Python", there.python, here.python),
        ("protocol", there.protocol, here.protocol),
    ):
        if got != expected:
            found.append(f"{what} {got}, expected {expected}")
    for variant, rules in here.rules.items():
        own = there.rules.get(variant)
        if own is None:
            found.append(f"no {variant}: install its package")
        elif own != rules:
            found.append(f"version {own} of the rules of {variant}, expected {rules}")
    return "; ".join(found)


class Member:
    """A Dask worker. It has as many slots as it has threads."""

    def __init__(self, address: str, slots: int) -> None:
        self.address = address
        self.slots = slots
        self.name = address
        self.machine = ""
        self.core = 0
        """The place of its first core among those of its machine."""
        self.is_welcome = False
        self.refusal = ""
        """Why it gets no games."""
        self.under_way = 0
        """Its pieces."""
        self.parts: set[int] = set()
        """The parts whose bots it keeps, if it has kept them."""
        self.bots: dict[str, str | None] = {}
        """By fingerprint: why it cannot run the bot, empty if it can, None while that is asked."""

    @property
    def has_room(self) -> bool:
        """Whether a slot is idle."""
        return self.is_welcome and self.under_way < self.slots

    @property
    def has_queue(self) -> bool:
        """Whether a piece may wait there, so that a slot goes on at once."""
        return self.is_welcome and self.under_way < 2 * self.slots

    def bots_for(self, batch: Batch) -> Collection[str]:
        """Return the bots of a batch that run there; none while one of them is on its way."""
        obstacles = {entrant.name: self.bots.get(entrant.fingerprint) for entrant in batch.entrants}
        if None in obstacles.values():
            return ()
        return {name for name, obstacle in obstacles.items() if not obstacle}

    def obstacles(self, batch: Batch) -> list[str]:
        """Return why it cannot run the bots of a batch."""
        return [text for entrant in batch.entrants if (text := self.bots.get(entrant.fingerprint))]

    def forget(self) -> None:
        """Note that it has to be greeted again."""
        self.is_welcome = False
        self.bots.clear()
        self.parts.clear()

    def welcome(self, greeting: Greeting, here: Versions, core: int) -> None:
        """Note the answer to the greeting: whether the worker may play."""
        self.name, self.machine, self.core = greeting.name, greeting.machine, core
        self.refusal = mismatch(here, greeting.versions) or greeting.obstacle
        self.is_welcome = not self.refusal
        for fingerprint in greeting.fingerprints:
            self.bots[fingerprint] = ""


class Members:
    """The workers of a cluster, by address."""

    def __init__(self) -> None:
        self._members: dict[str, Member] = {}

    def __iter__(self) -> Iterator[Member]:
        return iter((*self._members.values(),))

    def get(self, address: str) -> Member | None:
        """Return a worker, or None if it is not there any more."""
        return self._members.get(address)

    def update(self, slots: dict[str, int]) -> list[Member]:
        """Take the addresses that are there now, and return the workers that left."""
        gone = [self._members.pop(address) for address in self._members.keys() - slots.keys()]
        for address in sorted(slots.keys() - self._members.keys()):
            self._members[address] = Member(address, slots[address])
        return gone

    def clear(self) -> None:
        """Forget all workers."""
        self._members.clear()

    def free_core(self, machine: str) -> int:
        """Return the place of the first core of a machine that no worker there has."""
        taken: Counter[int] = Counter()
        for member in self._members.values():
            if member.machine == machine:
                taken.update(range(member.core, member.core + member.slots))
        core = 0
        while taken[core]:
            core += 1
        return core

    def claim(self, member: Member, part: int) -> None:
        """Note that a worker has a part, and take it from a worker that has several parts."""
        for other in self._members.values():
            if other is not member and len(other.parts) > 1:
                other.parts.discard(part)
        member.parts.add(part)

    def parts(self) -> set[int]:
        """Return the parts that workers have."""
        return {part for member in self._members.values() for part in member.parts}


# -- greetings of workers, and the bots that are sent to them ----------------------------------


class _Question(msgspec.Struct, frozen=True):
    """A question to a worker."""

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
