"""What a search knows of Brides & Bribes: seats play as `doge` does, by the weights of `champion`.

A simulated game goes on to the end of the round. It tells most when that is the end of the game:
then it shows who has won. The forecast of an unfinished game explains little, so actions are tried
only in rounds that may be the last. In the rounds before, the weights choose.
"""

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from arena.search import Guide
from bots.brides_and_bribes.forecast import chances
from bots.brides_and_bribes.model import Model
from bots.brides_and_bribes.tiles import END_INFLUENCE, LAST_ROUND
from bots.brides_and_bribes.weights import TUNED
from engine import State, Variant
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.state import BridesAndBribesState
from engine.brides_and_bribes.tiles import COACHES

TEMPERATURE = 0.5
"""The influence that makes an action likelier by a factor of e."""
MAX_GAIN = 6
"""The influence that a seat hardly gains in a round."""


class BridesGuide(Guide):
    """Values actions as `doge` does, and positions by their result or their forecast."""

    min_prior: ClassVar[float] = 0.01
    prior_value: ClassVar[float] = 0.01

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

    def is_worth_a_race(self, state: State) -> bool:
        """Return whether the game may end in this round."""
        assert isinstance(state, BridesAndBribesState)
        position = state.position
        end = END_INFLUENCE[position.parameters.seats]
        return position.round == LAST_ROUND or max(position.influence) + MAX_GAIN >= end

    def estimate(self, state: State, steps: int) -> Sequence[float] | None:
        """Return the forecast when a round begins, else None."""
        assert isinstance(state, BridesAndBribesState)
        return chances(state.position) if has_just_begun(state.position) else None

    def _values(self, state: State, legal: Sequence[str]) -> Sequence[float]:
        assert isinstance(state, BridesAndBribesState)
        return self._model.values(state, legal)


def has_just_begun(position: Position) -> bool:
    """Return whether the first decision of a round is to be made."""
    untouched = not position.passed and not position.favor_asked
    return untouched and position.window == "place" and min(position.coaches) == COACHES


def make_guide(variant: Variant) -> BridesGuide:
    """Return the guide of a variant."""
    return BridesGuide(variant)


def actions_in(events: Sequence[Mapping[str, Any]]) -> list[str] | None:
    """Return None: most actions are hidden until a borough is resolved."""
    return None
