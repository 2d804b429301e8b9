"""The source of actions that follows a record, to ask one seat again what it was asked.

Whatever the seat answers, the recorded action is taken. So a bot reaches the same moment even if it
plays differently now.
"""

from collections.abc import Generator, Sequence
from typing import NamedTuple

from arena.match.decision import Answer, Ask
from arena.match.referee import Ending, referee
from arena.protocol import Fault
from engine import State


class Detour(NamedTuple):
    """A decision in which the bot's answer differs from the record."""

    move: int
    """Numbered from 0."""
    then: str
    now: str


class Retrace:
    """Takes the recorded actions of a game, and asks one seat once more where they end."""

    def __init__(self, seat: int, actions: Sequence[str]) -> None:
        """Make a source for `seat` and the recorded `actions` of all seats."""
        self._seat = seat
        self._actions = actions
        self.detours: list[Detour] = []
        """The answers on the way that differ from the record."""
        self.asked = 0
        """The number of decisions asked on the way."""
        self.answer: str | None = None
        """The legal action that was answered where the recorded actions end."""

    def referee(self, state: State) -> Generator[Ask, Answer, Ending]:
        """Return a referee that follows the record.

        After the recorded actions, and after a fault, no seat is asked any more: the first legal
        actions bring the game to its end.

        Raises:
            IllegalAction: the actions are not those of a game from this state.
        """
        # A game begins again where the host has stalled.
        self.detours, self.asked, self.answer = [], 0, None
        return referee(state, self)

    def asks(self, seat: int, move: int) -> bool:
        """Return whether `seat` is the one to ask, and the record has not ended before."""
        return seat == self._seat and move <= len(self._actions)

    def action(self, move: int, answer: Answer | None, legal: Sequence[str]) -> str:
        """Return the recorded action, or the first legal one where the record has ended."""
        then = self._actions[move] if move < len(self._actions) else None
        self.asked += answer is not None and then is not None
        if answer is not None and not isinstance(answer, Fault):
            if then is None:
                self.answer = answer.action
            elif answer.action != then:
                self.detours.append(Detour(move, then, answer.action))
        return legal[0] if then is None else then
