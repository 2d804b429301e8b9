"""Check that each bundled bot is better than the one below it on its ladder.

    python -m benchmarks.ladder [--game GAME] [--bot BOT] [--boards 24] [--seed 0] [--workers 2]

Each bot of `bots/ladders.toml` plays the next weaker bot on shared boards. The bot `champion`,
with a fixed number of simulated games per decision, plays the strongest bot of each ladder. Two
quick bots play until it is certain which bot is better, but at most 800 boards. `champion` plays
`--boards` boards. The exit code is 1 if it is not certain that each bot is better than the next
weaker bot. Results are the same on every machine, because bots have no time limits.

Each deal is played once for every even split of the sides between the two bots. If the number of
sides is odd, each bot has the additional side equally often. Both bots therefore get the same
seats and cards, and equal bots win half of their meetings. All seats of a team have the same
bot.
"""

import argparse
import math
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from statistics import stdev
from typing import NamedTuple

import msgspec
from tqdm import tqdm

import bots
from arena.base.errors import BotError
from arena.base.protocol import DEFAULT_LIMITS, raw
from arena.base.record import Game, GameRecord
from arena.bot import Bot
from arena.rating.intervals import CONFIDENCE, Estimate
from arena.tournament.in_process import class_of, play_in_process
from engine import Variant, get_variant, variants

LADDERS = msgspec.toml.decode(
    (Path(bots.__file__).parent / "ladders.toml").read_bytes(), type=dict[str, list[str]]
)
"""Names of the quick bots of each game, weakest first."""
SEARCHING = "champion"
ITERATIONS = {
    "pot-de-vin": 400,
    "bribery": 300,
    "brides-and-bribes": 30,
    "brides-and-bribes/4": 20,
    "brides-and-bribes/5": 12,
}
"""Number of games that `champion` simulates in 100 ms on an idle core, by variant or game."""
DEFAULT_ITERATIONS = 100

BOARDS = (25, 50, 100, 200, 400, 800)
"""Numbers of boards after which two quick bots are compared."""
CERTAINTY = 0.99
"""Probability that the comparison of two quick bots is right."""
STEP_CONFIDENCE = 1 - (1 - CERTAINTY) / len(BOARDS)
"""Confidence level of a single test of two quick bots, so that all tests together have `CERTAINTY`.
"""
HEADS = ("variant", "bot", "against", "placed before it", "boards", "is")


# -- boards ----------------------------------------------------------------------------------------


PATIENT = msgspec.structs.replace(DEFAULT_LIMITS, move_ms=3_600_000)
"""Time limits so long that bots play the same on every machine."""


class Score(NamedTuple):
    """Results of the meetings between the two bots' sides on a board."""

    ahead: float
    """Number of meetings won by the first bot; a shared rank counts as half."""
    meetings: float


def even_splits(sides: int) -> list[tuple[bool, ...]]:
    """Return all even splits as tuples that say for each side whether the first bot plays it."""
    splits = product((True, False), repeat=sides)
    return [split for split in splits if abs(2 * sum(split) - sides) <= 1]


def play_board(
    variant: Variant, first: type[Bot], second: type[Bot], number: int, seed: int = 0
) -> Score:
    """Play a board whose deal depends only on `variant`, `number` and `seed`.

    Raise `BotError` if one of the bots has a fault.
    """
    rng = random.Random(f"head to head {seed} {variant.id} {number}")
    deal = raw(variant.deal(rng))
    seeds = tuple([rng.getrandbits(32) for _ in range(variant.seats)])
    ahead = meetings = 0.0
    for rotation, split in enumerate(even_splits(len(variant.sides))):
        seated = [second] * variant.seats
        for seats, is_first in zip(variant.sides, split, strict=True):
            for seat in seats:
                seated[seat] = first if is_first else second
        names = tuple([bot_class.name for bot_class in seated])
        game = Game("", variant.id, number, rotation, deal, names, seeds)
        record = play_in_process(game, seated, PATIENT)
        score = _score(record, variant, split)
        ahead += score.ahead
        meetings += score.meetings
    return Score(ahead, meetings)


def _score(record: GameRecord, variant: Variant, split: Sequence[bool]) -> Score:
    if record.faults:
        fault = record.faults[0]
        raise BotError(f"{record.entrants[fault.seat]} had a fault in {record.title}: {fault.text}")
    ranks = [record.ranks[seats[0]] for seats in variant.sides]
    own = [rank for rank, is_first in zip(ranks, split, strict=True) if is_first]
    others = [rank for rank, is_first in zip(ranks, split, strict=True) if not is_first]
    won = sum([(one < other) + (one == other) / 2 for one, other in product(own, others)])
    return Score(record.win_weight * won, record.win_weight * len(own) * len(others))


def share_ahead(scores: Sequence[Score]) -> Estimate:
    """Return the share of meetings that the first bot won, from at least two boards.

    The standard error is that of a ratio of two sums over independent boards, linearized at its
    mean.
    """
    number, whole = len(scores), math.fsum([board.meetings for board in scores])
    share = math.fsum([board.ahead for board in scores]) / whole
    spread = stdev([(board.ahead - share * board.meetings) * number / whole for board in scores])
    return Estimate(share, spread / math.sqrt(number), number - 1)


# -- steps -----------------------------------------------------------------------------------------


class Step(NamedTuple):
    """A bot and the next weaker bot, in a variant."""

    variant: str
    better: str
    worse: str


class StepResult(NamedTuple):
    """How often the stronger of two bots finished ahead of the weaker bot."""

    step: Step
    boards: int
    share: Estimate
    confidence: float

    @property
    def half_width(self) -> float:
        low, high = self.share.interval(self.confidence)
        return (high - low) / 2

    @property
    def is_certain(self) -> bool:
        """Whether the stronger bot is certainly better."""
        return self.share.mean - self.half_width > 0.5

    @property
    def is_over(self) -> bool:
        return abs(self.share.mean - 0.5) > self.half_width

    def row(self) -> tuple[str, ...]:
        better = "better" if self.is_certain else "weaker"
        verdict = f"certainly {better}" if self.is_over else "open"
        share = f"{self.share.mean:.1%} ± {100 * self.half_width:.1f}"
        variant, bot, other = [f"`{name}`" for name in self.step]
        return variant, bot, other, share, str(self.boards), verdict


def steps_of(game: str) -> list[Step]:
    """Return each bot of a game with the next weaker bot, in each variant, strongest bots first."""
    names = [SEARCHING, *reversed(LADDERS[game])]
    own = [variant.id for variant in variants().values() if variant.game == game]
    return [Step(variant, *pair) for variant in own for pair in pairwise(names)]


def measure(
    step: Step, seed: int, looks: Sequence[int] = BOARDS, confidence: float = STEP_CONFIDENCE
) -> StepResult:
    """Play until it is certain which bot is better, but at most `looks[-1]` boards."""
    variant = get_variant(step.variant)
    better, worse = class_at(step.better, variant), class_at(step.worse, variant)
    scores: list[Score] = []
    for boards in looks:
        numbers = range(len(scores), boards)
        scores += [play_board(variant, better, worse, number, seed) for number in numbers]
        measured = StepResult(step, boards, share_ahead(scores), confidence)
        if measured.is_over:
            break
    return measured


def measure_step(step: Step, seed: int, boards: int) -> StepResult:
    """Measure a step, with `boards` boards if the stronger bot is `champion`."""
    if step.better == SEARCHING:
        return measure(step, seed, (boards,), CONFIDENCE)
    return measure(step, seed)


def class_at(name: str, variant: Variant) -> type[Bot]:
    """Return a bot's class, in which `champion` simulates a fixed number of games per decision."""
    bot_class = class_of(name)
    if name != SEARCHING:
        return bot_class
    games = ITERATIONS.get(variant.id, ITERATIONS.get(variant.game, DEFAULT_ITERATIONS))
    return type(bot_class.__name__, (bot_class,), {"iterations": games})


def main() -> int:
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
