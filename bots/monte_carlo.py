"""Searches any game: imagines what is hidden, plays each action out by chance, takes the best.

`python -m bots.monte_carlo --iterations 500` thinks longer; with `--milliseconds` it stops at
the clock if that comes first, and then no longer plays the same game in the same way each time.
"""

import argparse
import math
import time
from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from arena.bot import Bot, Start, run
from engine import Outcome, State, Variant, get_variant

ITERATIONS = 200
"""Playouts for a decision, unless the command line says else."""
SAFE_SHARE = 0.7
"""How much of its clock the bot uses at most."""
POINT = 0.005
"""What a point is worth beside the places, the whole way from last to first being worth 1."""


class Tries:
    """How an action did in the worlds in which it was tried."""

    def __init__(self) -> None:
        self._number = 0
        self._sum = 0.0

    def add(self, worth: float) -> None:
        """Note one more."""
        self._number += 1
        self._sum += worth

    @property
    def mean(self) -> float:
        """What it was worth on average; the least of all if it was never tried."""
        return self._sum / self._number if self._number else -math.inf


class MonteCarloBot(Bot):
    """Halves the actions that it considers until one is left, playing out the better ones more.

    In each imagined world every action that is still considered is played out, so that none of
    them is lucky in its worlds.
    """

    name = "monte-carlo"
    iterations: ClassVar[int] = ITERATIONS
    milliseconds: ClassVar[int | None] = None

    variant: Variant
    side: int

    def start(self, table: Start) -> None:
        """Look up the rules and the own side."""
        self.variant = get_variant(table.variant)
        own = [table.seat in seats for seats in self.variant.sides]
        self.side = own.index(True)

    def act(self, view: Any, legal: list[str]) -> str:
        """Return the action with the best playouts; a forced one at once."""
        if len(legal) == 1:
            return legal[0]
        seen = msgspec.convert(view, self.variant.view_type)
        tries = {action: Tries() for action in legal}
        considered = list(legal)
        halvings = (len(legal) - 1).bit_length()
        stop = time.monotonic() + self._seconds()
        while len(considered) > 1:
            worlds = max(1, self.iterations // (halvings * len(considered)))
            for _ in range(worlds):
                world = self.variant.imagine(seen, self.rng)
                for action in considered:
                    tries[action].add(self._play_out(world.clone(), action))
                    if time.monotonic() > stop:
                        return max(considered, key=lambda action: tries[action].mean)
            considered.sort(key=lambda action: tries[action].mean, reverse=True)
            del considered[(len(considered) + 1) // 2 :]
        return considered[0]

    def _seconds(self) -> float:
        """Return how long to think at most: well within the clock."""
        limit_ms = SAFE_SHARE * self.clock_ms
        if self.milliseconds is not None:
            limit_ms = min(limit_ms, self.milliseconds)
        return limit_ms / 1000

    def _play_out(self, state: State, action: str) -> float:
        """Play an action and then by chance to the end; return what that is worth to our side."""
        state.apply(action)
        chance = self.rng.random
        while state.seat_to_act is not None:
            legal = state.legal_actions()
            state.apply(legal[int(chance() * len(legal))])
        return self._worth(state.outcome())

    def _worth(self, outcome: Outcome) -> float:
        """Return our place among the sides, from 0 to 1, and a little for the points."""
        seats = [side[0] for side in self.variant.sides]
        own = seats.pop(self.side)
        rank, points = outcome.ranks[own], outcome.points[own]
        place = lead = 0.0
        for seat in seats:
            place += (outcome.ranks[seat] > rank) - (outcome.ranks[seat] < rank)
            lead += points - outcome.points[seat]
        return 0.5 + (outcome.win_weight * place / 2 + POINT * lead) / len(seats)


def from_command_line(arguments: Sequence[str] | None = None) -> type[MonteCarloBot]:
    """Return the bot that the command line asks for."""
    parser = argparse.ArgumentParser(prog="bots.monte_carlo", description="a searching bot")
    parser.add_argument(
        "--iterations", type=_positive, default=ITERATIONS, help="playouts for a decision"
    )
    parser.add_argument("--milliseconds", type=_positive, help="the longest time for a decision")
    options = parser.parse_args(arguments)
    return type(
        "MonteCarloBot",
        (MonteCarloBot,),
        {"iterations": options.iterations, "milliseconds": options.milliseconds},
    )


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1 on, got {number}")
    return number


if __name__ == "__main__":
    run(from_command_line())
