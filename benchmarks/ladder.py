"""Strength of the bundled bots: whether each step of their ladders is certain.

    python -m benchmarks.ladder [--game GAME] [--bot BOT] [--boards 24] [--seed 0] [--workers 2]

compares each bot of a ladder (`bots/ladders.toml`) with the one below it, on boards whose sides
they share. Above the ladder stands `champion`, which simulates a fixed number of games for a
decision. Two quick bots play until it is certain which one is better, or 800 boards are
played; a bot that searches plays `--boards` boards. The command prints a table and ends with exit
code 1 when a step is not certain. The bots play in the workers themselves, without a clock, so the
same seed and bots give the same shares on every machine. Only the time of a move differs.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import msgspec
from tqdm import tqdm

import bots
from arena.bot import Bot
from arena.rating.intervals import CONFIDENCE, Estimate
from arena.tournament.in_process import class_of
from benchmarks.head_to_head import Score, play_board, share_ahead
from engine import Variant, get_variant, variants

LADDERS = msgspec.toml.decode(
    (Path(bots.__file__).parent / "ladders.toml").read_bytes(), type=dict[str, list[str]]
)
"""The names of the quick bots of each game, weakest first."""
SEARCHING = "champion"
"""The bot above each ladder."""
ITERATIONS = {
    "pot-de-vin": 400,
    "bribery": 300,
    "brides-and-bribes": 30,
    "brides-and-bribes/4": 20,
    "brides-and-bribes/5": 12,
}
"""By variant, or else by game: the simulated games of `champion` in 100 ms on an idle core."""
DEFAULT_ITERATIONS = 100

BOARDS = (25, 50, 100, 200, 400, 800)
"""Numbers of boards after which a step of quick bots is tested."""
CERTAINTY = 0.99
"""Probability that the verdict on a step of quick bots is right."""
STEP_CONFIDENCE = 1 - (1 - CERTAINTY) / len(BOARDS)
"""Confidence of the interval in each test, so that all tests together have `CERTAINTY`."""
HEADS = ("variant", "bot", "ms a move", "against", "placed before it", "boards", "is")


class Step(NamedTuple):
    """A bot and the one below it, in a variant."""

    variant: str
    better: str
    worse: str


class Measured(NamedTuple):
    """The number of times that the better bot of a step was placed before the worse one."""

    step: Step
    boards: int
    share: Estimate
    confidence: float
    """The confidence of the interval."""
    move_ms: float = 0.0
    """The processor time of a move of the better bot."""

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        low, high = self.share.interval(self.confidence)
        return (high - low) / 2

    @property
    def is_certain(self) -> bool:
        """Whether the better bot is certainly better."""
        return self.share.mean - self.half_width > 0.5

    @property
    def is_over(self) -> bool:
        """Whether it is certain which bot is better."""
        return abs(self.share.mean - 0.5) > self.half_width

    def row(self) -> tuple[str, ...]:
        """Return a row of the table."""
        better = "better" if self.is_certain else "weaker"
        verdict = f"certainly {better}" if self.is_over else "open"
        share = f"{self.share.mean:.1%} ± {100 * self.half_width:.1f}"
        time_ms = f"{float(f'{self.move_ms:.2g}'):g}"
        variant, bot, other = [f"`{name}`" for name in self.step]
        return variant, bot, time_ms, other, share, str(self.boards), verdict


def steps_of(game: str) -> list[Step]:
    """Return the steps of a game from the top, in each variant."""
    names = [SEARCHING, *reversed(LADDERS[game])]
    own = [variant.id for variant in variants().values() if variant.game == game]
    return [Step(variant, *pair) for variant in own for pair in pairwise(names)]


def measure(
    step: Step, seed: int, looks: Sequence[int] = BOARDS, confidence: float = STEP_CONFIDENCE
) -> Measured:
    """Play boards until it is certain which bot is better, or the last of `looks` is reached."""
    variant = get_variant(step.variant)
    better, worse = timed(class_at(step.better, variant)), class_at(step.worse, variant)
    scores: list[Score] = []
    for boards in looks:
        numbers = range(len(scores), boards)
        scores += [play_board(variant, better, worse, number, seed) for number in numbers]
        measured = Measured(step, boards, share_ahead(scores), confidence)
        if measured.is_over:
            break
    return measured._replace(move_ms=1000 * better.seconds / max(1, better.moves))


def measure_step(step: Step, seed: int, boards: int) -> Measured:
    """Measure a step as the command does: a bot that searches plays `boards` boards."""
    if step.better == SEARCHING:
        return measure(step, seed, (boards,), CONFIDENCE)
    return measure(step, seed)


def class_at(name: str, variant: Variant) -> type[Bot]:
    """Return the class of a bot; one that searches simulates a fixed number of games."""
    bot_class = class_of(name)
    if name != SEARCHING:
        return bot_class
    games = ITERATIONS.get(variant.id, ITERATIONS.get(variant.game, DEFAULT_ITERATIONS))
    return type(bot_class.__name__, (bot_class,), {"iterations": games})


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


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", choices=LADDERS, action="append", help="default: all")
    parser.add_argument("--bot", action="append", help="measure the steps of this bot only")
    parser.add_argument("--boards", type=int, default=24, help="boards of a bot that searches")
    parser.add_argument("--seed", type=int, default=0, help="fixes all deals and dice")
    parser.add_argument("--workers", type=int, default=2, help="number of processes that play")
    options = parser.parse_args()
    if options.workers < 1:
        parser.error(f"expected at least one worker, got {options.workers}")
    if options.boards < 2:
        parser.error(f"an interval needs at least 2 boards, got {options.boards}")
    steps = [step for game in options.game or LADDERS for step in steps_of(game)]
    steps = [step for step in steps if step.better in (options.bot or [step.better])]
    measuring = partial(measure_step, seed=options.seed, boards=options.boards)
    certain = True
    for heads in (HEADS, ["---"] * len(HEADS)):
        print(f"| {' | '.join(heads)} |")
    with ProcessPoolExecutor(options.workers) as pool:
        for measured in tqdm(pool.map(measuring, steps), "steps", len(steps)):
            tqdm.write(f"| {' | '.join(measured.row())} |", file=sys.stdout)
            certain &= measured.is_certain
    return 0 if certain else 1


if __name__ == "__main__":
    sys.exit(main())
