"""The workers of a cluster as the main process knows them: who may play, and with which bots."""

from collections import Counter
from collections.abc import Collection, Iterator

from arena.contracts import Batch
from arena.extras.dask.messages import Greeting, Versions


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
        """Note that a worker has a part. One with other parts loses it, to share them evenly."""
        for other in self._members.values():
            if other is not member and len(other.parts) > 1:
                other.parts.discard(part)
        member.parts.add(part)

    def parts(self) -> set[int]:
        """Return the parts that workers have."""
        return {part for member in self._members.values() for part in member.parts}
