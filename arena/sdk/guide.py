"""Knowledge of a game for searches. This module stays plain Python so that any bot can inherit."""

import random
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from engine import State

POINT_VALUE = 0.005
"""Value of leading by one point, where first and last place differ by 1."""


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
    """How much worse an unvisited action is expected to be than the visited ones."""
    min_width: ClassVar[int] = 12
    """How many actions a node considers from the start, likeliest first."""
    widening: ClassVar[float] = 2.0
    """How many more actions a node considers, per square root of its visits."""
    max_worlds: ClassVar[int] = 256
    """How many worlds a search draws. Further simulated games reuse them."""
    min_prior: ClassVar[float] = 0.02
    """A race only tries actions with at least this prior, relative to the highest one."""
    prior_value: ClassVar[float] = 0.0
    """Value that a race adds to an action for each factor of e in its prior."""

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
        """Return how many games of a race's budget one game from `state` counts as."""
        return 1

    def prior_worlds(self, state: State) -> float:
        """Return how many worlds of a race say as much about an action as its prior does."""
        return 1.0

    def observe(self, state: State, events: Sequence[Any]) -> None:
        """Learn from events since the acting seat's last decision, given as JSON objects."""

    def prepare(self, check: Callable[[], None]) -> None:
        """Prepare what a race's worlds need; `check` raises when the time is up.

        Unfinished work is done before the next race.
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
