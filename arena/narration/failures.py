"""Why declared actions failed, in words.

The event says only that it failed. The reason follows from what all see, the views before and after
the move, and is told by a game whose actions can fail.
"""

from collections.abc import Sequence
from typing import Any

from arena.narration.telling import telling_of
from engine import State


class Failures:
    """Why actions failed so far, in a game that goes on."""

    def __init__(self, state: State) -> None:
        """Follow the game of `state`, which changes with each move."""
        self._state, self._telling = state, telling_of(state.variant.game)
        self._heard = len(state.events(None))
        self._before: Any = None
        self._reasons: list[str] = []

    def look(self) -> Sequence[str]:
        """Return a reason for each failed action so far, in their order. Call it at each move."""
        if self._telling.can_fail:
            events = self._state.events(None, self._heard)
            self._heard += len(events)
            after: Any = self._state.view(None)
            if self._before is not None:
                self._reasons += self._telling.reasons(self._before, after, events)
            self._before = after
        return self._reasons
