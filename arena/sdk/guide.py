"""The `Guide` class, which supplies a search with knowledge about a game."""

import random
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from engine import State

POINT_VALUE = 0.005
"""Value of a lead of one point, if first place is worth 1 more than last place."""


class Guide:
    """Knowledge of a game that improves a search. The base class knows only the rules.

    A value is a number between 0 and 1. Methods that return values return one value per side.
    """

    hidden_hands: ClassVar[bool] = True
    """Whether the priors depend on hidden information, such as the acting player's hand.

    If False, all priors must use the same scale, because each node of the search tree stores the
    priors of its actions."""
    exploration: ClassVar[float] = 0.6
    """Exploration constant of the search. Higher values favor actions with few visits."""
    first_visit_discount: ClassVar[float] = 0.05
    """Amount subtracted from the estimated value of an action that was never visited."""
    min_width: ClassVar[int] = 12
    """Number of actions with the highest priors that a new node of the search tree considers."""
    widening: ClassVar[float] = 2.0
    """Number of actions added to a node of the search tree per square root of the node's visits."""
    max_worlds: ClassVar[int] = 256
    """Maximum number of worlds that a search draws."""
    min_prior: ClassVar[float] = 0.02
    """Minimum prior of an action in a race, as a fraction of the highest prior."""
    prior_value: ClassVar[float] = 0.0
    """Bonus per unit of log prior that an action receives in a race."""

    def priors(self, state: State, legal: Sequence[str]) -> Sequence[float]:
        """Return a non-negative prior for each action in `legal`, for the player to act.

        The priors may depend only on what the player can see, and need not sum to 1. The list
        `legal` may contain only some of the legal actions.
        """
        return [1.0] * len(legal)

    def play(self, state: State, legal: Sequence[str], rng: random.Random) -> str:
        """Choose an action from `legal` for the player to act in a simulated game."""
        return legal[int(rng.random() * len(legal))]

    def estimate(self, state: State, steps: int) -> Sequence[float] | None:
        """Return estimated values for an unfinished game, or None to continue the simulation.

        Args:
            steps: Number of actions played since the simulation left the search tree.
        """
        return None

    def result(self, state: State) -> Sequence[float]:
        """Return the values of a finished game."""
        return placement_values(state)

    def cost(self, state: State) -> int:
        """Return how many games of the budget a game simulated from `state` counts as in a race."""
        return 1

    def prior_worlds(self, state: State) -> float:
        """Return the weight of an action's prior in a race, expressed as a number of worlds."""
        return 1.0

    def observe(self, state: State, events: Sequence[Any]) -> None:
        """Learn from the events since the player's last decision, given as JSON objects."""

    def prepare(self, check: Callable[[], None]) -> None:
        """Prepare data for a race. Call `check` regularly: it raises an error when time is up.

        If time runs out, `prepare` is called again before the next race.
        """

    def draw(self, state: State, seat: int, rng: random.Random) -> State:
        """Return a random world that is consistent with everything `seat` has seen."""
        return state.determinize(seat, rng)

    def likelihood(self, world: State) -> float:
        """Return the relative likelihood of the opponents' past actions in the given world."""
        return 1.0


def placement_values(state: State) -> list[float]:
    """Return the value of a finished game for each side, based on its place and lead in points.

    The last place has the value 0 and the first place the value 1. Wins that count twice have a
    higher value.
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
