"""The seats of a game under way: of a person, a bot whose process broke, a charged bot."""

from collections import deque
from collections.abc import Callable

import msgspec

from arena.match.commands import AskPerson, Command
from arena.match.decision import Ask
from arena.match.in_progress import GameInProgress
from arena.match.seats import Person
from arena.match.verdict import Charge
from arena.protocol import Fault


class PersonSeat(msgspec.Struct, frozen=True):
    """The seat of a person in one game."""

    outbox: deque[Command]
    person: Person
    game: GameInProgress

    def ask(self, asked: Ask) -> None:
        """Write a command that asks the person."""
        self.outbox.append(AskPerson(self.game.table, self.person.answer, asked))


class LostSeat(msgspec.Struct, frozen=True):
    """The seat of a bot whose process broke in the company of other games."""

    replay: Callable[[GameInProgress, Ask], None]
    game: GameInProgress

    def ask(self, asked: Ask) -> None:
        """Have the game replayed to a new process, which is asked then."""
        self.replay(self.game, asked)


class ChargedSeat(msgspec.Struct, frozen=True):
    """The seat of a bot that is charged with its next decision."""

    charge: Charge
    game: GameInProgress

    def ask(self, asked: Ask) -> Fault:
        """Return the fault, and keep its evidence."""
        evidence = msgspec.structs.replace(self.charge.evidence, seat=asked.seat)
        self.game.evidence[asked.seat] = evidence
        return self.charge.fault
