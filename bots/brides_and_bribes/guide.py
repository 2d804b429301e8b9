"""What a search knows of Brides & Bribes: seats play as `doge` does, and forecasts end its games.

A simulated game goes on only to the end of the part of the round that it is in: the placement, or
the borough that is being resolved. There the forecast says how good it is for each seat.
"""

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from arena.search import Guide
from bots.brides_and_bribes.forecast import chances
from bots.brides_and_bribes.model import Model
from bots.brides_and_bribes.weights import TUNED
from engine import State, Variant
from engine.brides_and_bribes.state import BridesAndBribesState

TEMPERATURE = 0.5
"""The influence that makes an action likelier by a factor of e."""
MAX_STEPS = 24
"""The longest simulated game beyond the tree, in decisions."""
PAUSES = ("activate", "ship", "upkeep", "buy-back", "build")
"""The windows between two parts of a round, in which a forecast is as good as it can be."""


class BridesGuide(Guide):
    """Values actions as `doge` does, and positions by their forecast."""

    exploration: ClassVar[float] = 0.15

    def __init__(self, variant: Variant) -> None:
        self._model = Model(variant.seats, TUNED)

    def priors(self, state: State, legal: Sequence[str]) -> Sequence[float]:
        """Return how likely a seat plays each action: the better it is, the likelier."""
        values = self._values(state, legal)
        best = max(values)
        return [math.exp((value - best) / TEMPERATURE) for value in values]

    def play(self, state: State, legal: Sequence[str], rng: random.Random) -> str:
        """Return the action with the highest value."""
        values = self._values(state, legal)
        return legal[values.index(max(values))]

    def estimate(self, state: State, steps: int) -> Sequence[float] | None:
        """Return the forecast between two parts of a round, else None."""
        assert isinstance(state, BridesAndBribesState)
        position = state.position
        if position.window in PAUSES or steps >= MAX_STEPS:
            return chances(position)
        return None

    def _values(self, state: State, legal: Sequence[str]) -> Sequence[float]:
        assert isinstance(state, BridesAndBribesState)
        return self._model.values(state, legal)


def make_guide(variant: Variant) -> BridesGuide:
    """Return the guide of a variant."""
    return BridesGuide(variant)


def actions_in(events: Sequence[Mapping[str, Any]]) -> list[str] | None:
    """Return None: most actions are hidden until a borough is resolved."""
    return None
