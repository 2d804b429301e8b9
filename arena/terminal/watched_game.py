"""A game that is followed while it is played, to explain what happens in it."""

from collections.abc import Generator, Sequence

from arena.match.decision import Answer, Ask
from arena.match.referee import Ending, referee
from arena.narration.failures import Failures
from arena.protocol import Fault
from engine import State


class WatchedGame:
    """A game under way whose moves are seen as they are made. It takes the actions of all seats."""

    def __init__(self) -> None:
        self._failures: Failures | None = None

    def referee(self, state: State) -> Generator[Ask, Answer, Ending]:
        """Return the usual referee of a game from `state` on, and watch that game from now on."""
        self._failures = Failures(state)
        return referee(state, self)

    def failures(self) -> Sequence[str]:
        """Return why actions failed so far, in the order of the failures."""
        return self._failures.look() if self._failures else ()

    def asks(self, seat: int, move: int) -> bool:  # of `ActionSource`
        """Return whether to ask a seat: each is asked."""
        return True

    def action(self, move: int, answer: Answer | None, legal: Sequence[str]) -> str:
        """Return the action of an answer, or that of a stand-in, after a look at the position."""
        self.failures()
        return legal[0] if answer is None or isinstance(answer, Fault) else answer.action
