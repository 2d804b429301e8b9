"""Use a policy as an opponent, for example an earlier version of the learner in self-play."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from arena.bot import Start
from arena.match.seats import Decision
from arena.tournament.agents import Seated
from engine import Encoding

Choose = Callable[[NDArray[np.int8], NDArray[np.int8]], int]
"""A function that returns an action number, given an observation vector and an action mask."""


class PolicyAgent:
    """A stateless agent that follows a policy and can play several seats and games at once."""

    def __init__(self, encoding: Encoding, choose: Choose) -> None:
        self._encoding, self._choose = encoding, choose

    def sit(self, table: Start) -> Seated:
        return self

    def close(self) -> None:
        """Do nothing."""

    def act(self, decision: Decision) -> str:
        encoding, seat = self._encoding, decision.seat
        events = decision.state.events(seat) if encoding.history else ()
        vector = np.frombuffer(encoding.encode(decision.state, seat, events), np.int8)
        mask = np.zeros(len(encoding.actions), np.int8)
        mask[encoding.numbers(decision.legal)] = 1
        return encoding.action(self._choose(vector, mask), decision.legal)

    def end(self, points: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        """Do nothing."""
