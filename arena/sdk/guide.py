"""Game-specific heuristics for searches."""

import random
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from engine import State

POINT_VALUE = 0.005  # per point ahead of the average opponent; first place is worth 1


class Guide:
    """Game-specific knowledge that improves a search. The base class knows only the rules.

    Several methods return the value of a game for each side. The value is usually a number
    between 0 (last place) and 1 (first place).
    """

    hidden_hands: ClassVar[bool] = True
    """True if the priors of actions depend on hidden information, such as the current player's
    hand.

    If False, all priors must use the same scale, because each node of the search tree stores the
    priors of its actions."""
    exploration: ClassVar[float] = 0.6
    """Exploration constant of the search. Higher values favor actions with few visits."""
    first_visit_discount: ClassVar[float] = 0.05
    """An unvisited action is assumed to be this much worse than the average visited action."""
    min_width: ClassVar[int] = 12
    """Number of actions that `arena.sdk.race` compares and that a tree search considers when it
    first visits a node. The actions with the highest priors are used."""
    widening: ClassVar[float] = 2.0
    """At a node with n visits, a tree search considers `min_width + widening * sqrt(n)` actions."""
    max_worlds: ClassVar[int] = 256
    """Maximum number of random game states (worlds) that a search uses."""
    min_prior: ClassVar[float] = 0.02
    """`arena.sdk.race` ignores actions whose prior is less than `min_prior` times the highest
    prior."""
    prior_value: ClassVar[float] = 0.0
    """`arena.sdk.race` reduces the value of actions with low priors by `prior_value * log(highest
    prior / prior)`."""

    def priors(self, state: State, legal: Sequence[str]) -> Sequence[float]:
        """Return how likely the current player is to choose each of the given actions.

        Priors are non-negative and need not sum to 1. The prior of an action must not depend on
        information that is hidden from the current player. The given actions may be a subset of
        the legal actions.
        """
        return [1.0] * len(legal)

    def play(self, state: State, legal: Sequence[str], rng: random.Random) -> str:
        """Choose an action for the current player in a simulated game."""
        return legal[int(rng.random() * len(legal))]

    def estimate(self, state: State, steps: int) -> Sequence[float] | None:
        """Estimate the value of an unfinished game for each side. Return None to simulate more
        actions first.

        `steps` is the number of actions since the simulation left the search tree.
        """
        return None

    def result(self, state: State) -> Sequence[float]:
        """Return the values of a finished game."""
        return placement_values(state)

    def cost(self, state: State) -> int:
        """Return the cost of simulating a game, in iterations. Long games can cost more than 1."""
        return 1

    def prior_worlds(self, state: State) -> float:
        """Return the weight of priors in a race. A simulated game has a weight of 1."""
        return 1.0

    def observe(self, state: State, events: Sequence[Any]) -> None:
        """Process the events since the player's last decision. Each event is a JSON object."""

    def prepare(self, check: Callable[[], None]) -> None:
        """Do slow computations before `Race` simulates any games.

        `check` raises `OutOfTimeError` when the time for the decision is used up, so
        implementations must call it regularly. If a computation is interrupted, a later call of
        `prepare` can continue it.
        """

    def draw(self, state: State, seat: int, rng: random.Random) -> State:
        """Return a random game state that is consistent with everything the given seat has seen."""
        return state.determinize(seat, rng)

    def likelihood(self, world: State) -> float:
        """Return how likely the opponents' past actions would be if `world` were the actual game
        state. Only relative values matter.
        """
        return 1.0


def placement_values(state: State) -> list[float]:
    """Return the value of a finished game for each side, based on the side's place and its lead in
    points.

    Normally, winning the game is worth 1 and losing it is worth 0. A win that counts twice is
    worth more.
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
