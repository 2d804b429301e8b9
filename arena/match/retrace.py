"""A referee that follows the record of a game for one seat, without I/O.

The seat is asked as it was asked then. Whatever it answers, the recorded action is taken, so it
comes to the same moment even if its bot plays otherwise by now.
"""

from collections.abc import Generator, Sequence
from typing import NamedTuple

from arena.match.referee import Ask, Ending, Reply, judged
from arena.protocol import Fault, SeatFault
from engine import State


class Detour(NamedTuple):
    """A decision that the bot takes otherwise than then."""

    move: int
    """Numbered from 0."""
    then: str
    now: str


class Retrace:
    """Brings one seat along the actions of a game, and asks it once more where they end."""

    def __init__(self, seat: int, actions: Sequence[str]) -> None:
        """Make one for a state that is reached by these actions of all seats."""
        self._seat = seat
        self._actions = actions
        self.detours: list[Detour] = []
        """What was answered otherwise on the way."""
        self.asked = 0
        """How often it was asked on the way."""
        self.answer: str | None = None
        """The legal action that was answered where the recorded ones end."""

    def referee(self, state: State) -> Generator[Ask, Reply | Fault, Ending]:
        """Yield what to ask of the seat, be sent what came back.

        After the moment where the recorded actions end, and after a fault, nobody is asked any
        more: the first legal actions bring the game to its end.

        Raises:
            IllegalAction: the actions are not those of a game from this state.
        """
        # The game may be begun again: it was void if the host stalled.
        self.detours, self.asked, self.answer = [], 0, None
        taken: list[str] = []
        told = turn = 0
        fault: SeatFault | None = None
        while state.seat_to_act is not None:
            move, legal = len(taken), state.legal_actions()
            then = self._actions[move] if move < len(self._actions) else None
            if state.seat_to_act == self._seat and fault is None and move <= len(self._actions):
                events = state.events(self._seat, told)
                told += len(events)
                turn += 1
                self.asked += then is not None
                answer = judged((yield Ask(self._seat, turn, state, events, legal)), legal)
                if isinstance(answer, Fault):
                    fault = SeatFault(self._seat, move, answer.kind, answer.text, tuple(legal))
                elif then is None:
                    self.answer = answer.action
                elif answer.action != then:
                    self.detours.append(Detour(move, then, answer.action))
            action = legal[0] if then is None else then
            state.apply(action)
            taken.append(action)
        return Ending(tuple(taken), (fault,) if fault else (), ())
