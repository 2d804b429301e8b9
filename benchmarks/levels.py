"""The levels of each game in one table: `champion`, `expert`, and the quick bots of the ladder.

    python -m benchmarks.ladder --levels [--game GAME] [--level BOT] [--boards 24] [--write]

A step from one level to the next is measured on boards whose sides the two bots share, as the
ladder is. Steps of quick bots are played until they are certain, with the intervals of the ladder.
Those of a bot that searches have a fixed number of boards and 95 % intervals. It simulates a fixed
number of games for a decision, so the same seed gives the same shares on every machine. The time of
a move is that of the processor.
"""

import time
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from arena.bot import Bot
from arena.match.in_process import class_of
from arena.rating.intervals import CONFIDENCE
from benchmarks.champion import usual_iterations
from benchmarks.ladder import LADDERS, Measured, Step, compare, variants_of
from engine import Variant, get_variant

SEARCHING = {"champion": 1, "expert": 20}
"""The bots that search, strongest first, and which part of the time of `champion` each has."""
HEADS = ("variant", "level", "ms a move", "against", "placed before it", "boards", "is")


class Level(NamedTuple):
    """How well a bot plays against the one below it, and how long a move takes."""

    measured: Measured
    move_ms: float

    def row(self) -> tuple[str, ...]:
        """Return a row of the table."""
        measured = self.measured
        better = "better" if measured.is_certain else "weaker"
        verdict = f"certainly {better}" if measured.is_over else "open"
        share = f"{measured.share.mean:.1%} ± {100 * measured.half_width:.1f}"
        time_ms = f"{float(f'{self.move_ms:.2g}'):g}"
        step = measured.step
        cells = (f"`{step.variant}`", f"`{step.better}`", time_ms, f"`{step.worse}`")
        return *cells, share, str(measured.boards), verdict


def steps(game: str) -> list[Step]:
    """Return the steps of a game from the top, in each variant."""
    names = [*SEARCHING, *reversed(LADDERS[game])]
    return [Step(variant, *pair) for variant in variants_of(game) for pair in pairwise(names)]


def measure(step: Step, boards: int, seed: int) -> Level:
    """Play the boards of a step: `boards`, or those of the ladder for a quick bot."""
    variant = get_variant(step.variant)
    better, worse = timed(class_at(step.better, variant)), class_at(step.worse, variant)
    if step.better in SEARCHING:
        measured = compare(step, (better, worse), seed, (boards,), CONFIDENCE)
    else:
        measured = compare(step, (better, worse), seed)
    return Level(measured, 1000 * better.seconds / max(1, better.moves))


def with_others(
    game: str, rows: Iterable[tuple[str, ...]], before: Iterable[tuple[str, ...]]
) -> list[tuple[str, ...]]:
    """Return the rows, and those of a table from before that are of other steps, in order."""
    every = {(row[0], row[1]): row for row in [*before, *rows]}
    order = [(f"`{step.variant}`", f"`{step.better}`") for step in steps(game)]
    return [every[cells] for cells in order if cells in every]


def class_at(name: str, variant: Variant) -> type[Bot]:
    """Return the class of a bot; one that searches simulates a fixed number of games."""
    bot_class = class_of(name)
    if name not in SEARCHING:
        return bot_class
    games = usual_iterations(variant) // SEARCHING[name]
    return type(bot_class.__name__, (bot_class,), {"iterations": max(1, games)})


class TimedBot(Bot):
    """Measures the processor time of the decisions of all bots of its class."""

    moves: ClassVar[int] = 0
    seconds: ClassVar[float] = 0.0

    def act(self, view: Any, legal: list[str]) -> str:
        """Return the action, and note how long it took if there was a choice."""
        began = time.process_time()
        action = super().act(view, legal)
        if len(legal) > 1:
            counted = type(self)
            counted.seconds += time.process_time() - began
            counted.moves += 1
        return action


def timed(bot_class: type[Bot]) -> type[TimedBot]:
    """Return a class that plays as `bot_class` and measures its time."""
    return type(bot_class.__name__, (TimedBot, bot_class), {"moves": 0, "seconds": 0.0})
