"""Knowledge of a game, used by searches. Any bot class may inherit from `Guide`."""

import random
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from engine import State

POINT_VALUE = 0.005
"""Value of a lead of one point. Last place has the value 0, and first place the value 1."""


class Guide:
    """Guides a search. This base class knows only the rules, and plays at random.

    Values are by side, and should be between 0 and 1.
    """

    hidden_hands: ClassVar[bool] = True
    """Whether priors depend on what only the acting seat sees, as in card games.

    If so, priors of other seats are computed in each world. If not, a node keeps each action's
    prior, and asks `priors` only for new actions. It must then always use the same unit."""
    exploration: ClassVar[float] = 0.6
    """Weight of exploring actions with few visits."""
    first_visit_discount: ClassVar[float] = 0.05
    """How much lower the value of an unvisited action is assumed to be."""
    min_width: ClassVar[int] = 12
    """Number of actions that a node considers at first. The likeliest actions are chosen."""
    widening: ClassVar[float] = 2.0
    """Number of actions added to a node, per square root of its visits."""
    max_worlds: ClassVar[int] = 256
    """Maximum number of worlds that a search draws. After that, worlds are reused."""
    min_prior: ClassVar[float] = 0.02
    """Minimum prior of actions in a race, relative to the highest prior."""
    prior_value: ClassVar[float] = 0.0
    """Bonus of an action in a race whenever its prior grows by a factor of e."""

    def priors(self, state: State, legal: Sequence[str]) -> Sequence[float]:
        """Return how likely the seat to act is to play each action in `legal`, in any unit.

        Priors must not be negative, and must depend only on what that seat sees. `legal` may
        contain only some of the legal actions.
        """
        return [1.0] * len(legal)

    def play(self, state: State, legal: Sequence[str], rng: random.Random) -> str:
        """Return the action in `legal` that the seat to act plays in a simulated game."""
        return legal[int(rng.random() * len(legal))]

    def estimate(self, state: State, steps: int) -> Sequence[float] | None:
        """Return the values of an unfinished game, or None to play on.

        `steps` is the number of actions played beyond the tree.
        """
        return None

    def result(self, state: State) -> Sequence[float]:
        """Return the values of a finished game."""
        return placement_values(state)

    def cost(self, state: State) -> int:
        """Return how many games of a race's budget a game from `state` uses up."""
        return 1

    def prior_worlds(self, state: State) -> float:
        """Return the weight of an action's prior in a race, as a number of worlds."""
        return 1.0

    def observe(self, state: State, events: Sequence[Any]) -> None:
        """Learn from the events since the seat's last decision, given as JSON objects."""

    def prepare(self, check: Callable[[], None]) -> None:
        """Prepare data for the worlds of a race. `check` raises an error when the time is up.

        Work that isn't finished is resumed before the next race.
        """

    def draw(self, state: State, seat: int, rng: random.Random) -> State:
        """Return a world that agrees with everything `seat` has seen.

        A race plays all its games in one world before it draws the next. A tree search keeps its
        worlds and returns to earlier ones.
        """
        return state.determinize(seat, rng)

    def likelihood(self, world: State) -> float:
        """Return how well a world explains the other seats' actions, in any unit."""
        return 1.0


def placement_values(state: State) -> list[float]:
    """Return each side's place in a finished game, adjusted slightly by its lead in points.

    Last place is 0 and first place is 1. Wins that count twice are twice as far from the middle.
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
