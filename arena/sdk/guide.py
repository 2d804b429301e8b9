"""Knowledge of a game for a search. This module stays plain Python, so that any bot can inherit."""

import random
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from engine import State

POINT_VALUE = 0.005
"""The value of a point of lead. The difference between the last place and the first is 1."""


class Guide:
    """Knows a game for a search. This one knows the rules only, and plays by chance.

    Values are by side, and should be from 0 to 1.
    """

    hidden_hands: ClassVar[bool] = True
    """Whether priors depend on what only the acting seat sees, as in a game of cards.

    Priors of other seats are then computed in each world. Otherwise a node keeps the prior of each
    action, and `priors` is asked for new ones only, which must be in the unit of those before.
    """
    exploration: ClassVar[float] = 0.6
    """The weight of trying actions that have few visits."""
    first_visit_discount: ClassVar[float] = 0.05
    """The loss of value expected of an action without visits against those with visits."""
    min_width: ClassVar[int] = 12
    """The number of actions that a node considers from the start, the likeliest ones."""
    widening: ClassVar[float] = 2.0
    """A node considers this number of actions more for each square root of its visits."""
    max_worlds: ClassVar[int] = 256
    """The number of worlds that a search draws. Further simulated games choose among them."""
    min_prior: ClassVar[float] = 0.02
    """A race tries actions with this prior at least, as a part of the highest one."""
    prior_value: ClassVar[float] = 0.0
    """The value that a race adds to an action whose prior is higher by a factor of e."""

    def priors(self, state: State, legal: Sequence[str]) -> Sequence[float]:
        """Return how likely the seat to act plays each action of `legal`, in any unit.

        They must depend only on what that seat sees, and none may be negative. `legal` may have a
        part of the legal actions.
        """
        return [1.0] * len(legal)

    def play(self, state: State, legal: Sequence[str], rng: random.Random) -> str:
        """Return the action of `legal` that the seat to act plays in a simulated game."""
        return legal[int(rng.random() * len(legal))]

    def estimate(self, state: State, steps: int) -> Sequence[float] | None:
        """Return the values of an unfinished game, or None to go on with it.

        `steps` is the number of actions that the simulated game has played beyond the tree.
        """
        return None

    def result(self, state: State) -> Sequence[float]:
        """Return the values of a finished game."""
        return placement_values(state)

    def cost(self, state: State) -> int:
        """Return how many games of the budget of a race one from `state` counts as."""
        return 1

    def prior_worlds(self, state: State) -> float:
        """Return how many worlds of a race tell as much of an action as its prior does."""
        return 1.0

    def observe(self, state: State, events: Sequence[Any]) -> None:
        """Learn from what the seat to act was told since its last decision, as JSON objects."""

    def prepare(self, check: Callable[[], None]) -> None:
        """Do what the worlds of a race need; `check` raises when the time is over.

        What is then left is done before the next race.
        """

    def draw(self, state: State, seat: int, rng: random.Random) -> State:
        """Return a world that agrees with what `seat` has seen.

        A race simulates all games before the next call in this world. A search of the tree keeps
        its worlds, and goes back to earlier ones.
        """
        return state.determinize(seat, rng)

    def likelihood(self, world: State) -> float:
        """Return how well a world explains what other seats have done, in any unit."""
        return 1.0


def placement_values(state: State) -> list[float]:
    """Return the place of each side in a finished game, and a little for its lead in points.

    The last place is 0, the first is 1. Wins that count twice are twice as far from the middle.
    """
    outcome = state.outcome()
    seats = [side[0] for side in state.variant.sides]
    total = sum([outcome.points[seat] for seat in seats])
    others = len(seats) - 1
    values = []
    for own in seats:
        rank, points = outcome.ranks[own], outcome.points[own]
        place = sum(
            [(outcome.ranks[other] > rank) - (outcome.ranks[other] < rank) for other in seats]
        )
        lead = points * len(seats) - total
        values.append(0.5 + (outcome.win_weight * place / 2 + POINT_VALUE * lead) / others)
    return values
