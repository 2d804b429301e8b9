"""A bot for any game that chooses its actions by simulating random games."""

import math
import time
from collections.abc import Sequence
from typing import Any, ClassVar

from arena.bot import Bot, Start, run
from bots.any_game.options import with_options
from engine import Outcome, State, Variant, get_variant

DEFAULT_ITERATIONS = 200
MAX_CLOCK_SHARE = 0.7
POINT_VALUE = 0.005


class Average:
    def __init__(self) -> None:
        self._count = 0
        self._sum = 0.0

    def add(self, value: float) -> None:
        self._count += 1
        self._sum += value

    @property
    def mean(self) -> float:
        return self._sum / self._count if self._count else -math.inf


class MonteCarloBot(Bot):
    """Simulates games for all legal actions, and repeatedly drops the worse half of them."""

    name = "monte-carlo"
    detail = "none"
    worlds = True
    iterations: ClassVar[int] = DEFAULT_ITERATIONS
    milliseconds: ClassVar[int | None] = None

    variant: Variant
    side: int

    def start(self, table: Start) -> None:
        self.variant = get_variant(table.variant)
        own = [table.seat in seats for seats in self.variant.sides]
        self.side = own.index(True)

    def act(self, view: Any, legal: list[str]) -> str:
        if len(legal) == 1:
            return legal[0]
        results = {action: Average() for action in legal}
        remaining = list(legal)
        halvings = (len(legal) - 1).bit_length()
        stop = time.process_time() + self._time_limit_s()
        while len(remaining) > 1:
            worlds = max(1, self.iterations // (halvings * len(remaining)))
            for _ in range(worlds):
                world = self.world.determinize(self.table.seat, self.rng)
                for action in remaining:
                    results[action].add(self._play_out(world.clone(), action))
                    if time.process_time() > stop:
                        return max(remaining, key=lambda action: results[action].mean)
            remaining.sort(key=lambda action: results[action].mean, reverse=True)
            del remaining[(len(remaining) + 1) // 2 :]
        return remaining[0]

    def _time_limit_s(self) -> float:
        limit_ms = MAX_CLOCK_SHARE * self.clock_ms
        if self.milliseconds is not None:
            limit_ms = min(limit_ms, self.milliseconds)
        return limit_ms / 1000

    def _play_out(self, state: State, action: str) -> float:
        state.apply(action)
        state.play_out(self.rng)
        return self._evaluate(state.outcome())

    def _evaluate(self, outcome: Outcome) -> float:
        """Return the bot's rank on a scale from 0 (last) to 1 (first), plus a bonus for leading in
        points.
        """
        seats = [side[0] for side in self.variant.sides]
        own = seats.pop(self.side)
        rank, points = outcome.ranks[own], outcome.points[own]
        place = lead = 0.0
        for seat in seats:
            place += (outcome.ranks[seat] > rank) - (outcome.ranks[seat] < rank)
            lead += points - outcome.points[seat]
        return 0.5 + (outcome.win_weight * place / 2 + POINT_VALUE * lead) / len(seats)


def from_command_line(arguments: Sequence[str] | None = None) -> type[MonteCarloBot]:
    return with_options(MonteCarloBot, "A bot that searches in any game.", arguments)


if __name__ == "__main__":
    run(from_command_line())
