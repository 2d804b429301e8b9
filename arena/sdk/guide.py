"""Heuristics that improve a search in a particular game."""

import random
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from engine import State

POINT_VALUE = 0.005
"""Value of a one-point lead over the average opponent, where first place is worth 1."""


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
    """Number of actions that a race or a new tree node considers, best priors first."""
    widening: ClassVar[float] = 2.0
    """A tree node with n visits considers `min_width + widening * sqrt(n)` actions."""
    max_worlds: ClassVar[int] = 256
    """Maximum number of random worlds that a search samples."""
    min_prior: ClassVar[float] = 0.02
    """A race skips actions whose prior is less than `min_prior` times the highest prior."""
    prior_value: ClassVar[float] = 0.0
    """A race adds `prior_value * log(prior / highest prior)` to the value of each action."""

    def priors(self, state: State, legal: Sequence[str]) -> Sequence[float]:
        """Return a non-negative prior for each of the given actions of the current player.

        Priors need not sum to 1. They must depend only on information that the current player
        has. The given actions may be a subset of the legal actions.
        """
        return [1.0] * len(legal)

    def play(self, state: State, legal: Sequence[str], rng: random.Random) -> str:
        """Choose an action for the current player in a simulated game."""
        return legal[int(rng.random() * len(legal))]

    def estimate(self, state: State, steps: int) -> Sequence[float] | None:
        """Return the estimated values of an unfinished game, or None to continue the simulation.

        `steps` is the number of actions since the simulation left the search tree.
        """
        return None

    def result(self, state: State) -> Sequence[float]:
        """Return the values of a finished game."""
        return placement_values(state)

    def cost(self, state: State) -> int:
        """Return the cost of simulating a game from `state`, in iterations of a race's budget."""
        return 1

    def prior_worlds(self, state: State) -> float:
        """Return the weight of priors in a race. A simulated game has a weight of 1."""
        return 1.0

    def observe(self, state: State, events: Sequence[Any]) -> None:
        """Update the guide with the events since the player's last decision, as JSON objects."""

    def prepare(self, check: Callable[[], None]) -> None:
        """Prepare data for a race.

        Implementations must call `check` regularly. If it raises `OutOfTimeError`, the
        next call can continue the preparation.
        """

    def draw(self, state: State, seat: int, rng: random.Random) -> State:
        """Return a random world that is consistent with the information of a seat."""
        return state.determinize(seat, rng)

    def likelihood(self, world: State) -> float:
        """Return the relative likelihood of the opponents' past actions in the given world."""
        return 1.0


def placement_values(state: State) -> list[float]:
    """Return the value of a finished game for each side, based on its place and lead in points.

    First place is worth 1 and last place is worth 0. A win that counts twice is worth more.
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
