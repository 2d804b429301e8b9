"""Strength of `champion` at a fixed number of simulated games, against the best quick bots.

    python -m benchmarks.champion --variant bribery/2 --iterations 300 --boards 16

plays boards whose sides the two bots share, as `ladder.py` does, and prints how often `champion` is
placed before the other bot, with the 95 % interval, and the processor time of its decisions. With
several numbers of iterations there is a line for each. With `--rival 30` the other bot is
`champion` with 30 simulated games, which shows what more time gains. Where boards take long,
`--games 40` plays games of one side of `champion` among sides of the other bot instead. The bots
play without a clock, so the same numbers give the same shares on every machine; only the time
differs.
"""

import argparse
import random
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from statistics import fmean
from typing import Any, ClassVar, NamedTuple

from arena.bot import Bot
from arena.errors import BotError
from arena.extras.bench.head_to_head import PATIENT, Score, play_board, share_ahead
from arena.match.in_process import class_of, play_in_process
from arena.protocol import raw
from arena.rating.board_result import placement_scores
from arena.rating.intervals import Estimate, share_interval
from arena.record import Game
from benchmarks.ladder import LADDERS, table
from bots.champion.champion import ChampionBot
from engine import Variant, get_variant, variants

ITERATIONS = {
    "pot-de-vin": 400,
    "bribery": 300,
    "brides-and-bribes": 30,
    "brides-and-bribes/4": 20,
    "brides-and-bribes/5": 12,
}
"""By variant, or else by game: the simulated games of about 100 ms on an idle core."""
DEFAULT_ITERATIONS = 100
CONFIDENCE = 0.95


def usual_iterations(variant: Variant) -> int:
    """Return the simulated games of about 100 ms on an idle core."""
    return ITERATIONS.get(variant.id, ITERATIONS.get(variant.game, DEFAULT_ITERATIONS))


class Line(NamedTuple):
    """What is measured."""

    variant: str
    against: str
    iterations: int


class Measured(NamedTuple):
    """The share of meetings won by `champion`, and the processor time of its decisions."""

    line: Line
    number: int
    """Of boards, or of games of one side."""
    are_games: bool
    share: Estimate
    decision_ms: float

    def interval(self) -> tuple[float, float]:
        """Return the bounds of the 95 % interval of the share."""
        if self.are_games:
            return share_interval(self.share, self.number) or (0.0, 1.0)
        return self.share.interval(CONFIDENCE)

    @property
    def verdict(self) -> str:
        """Whether all of the interval is above or below one half."""
        low, high = self.interval()
        return "better" if low > 0.5 else "weaker" if high < 0.5 else "open"

    def row(self) -> tuple[str, ...]:
        """Return a row of the table."""
        low, high = self.interval()
        share = f"{100 * self.share.mean:.1f}% ± {50 * (high - low):.1f}"
        if self.are_games:
            share = f"{self.share.mean:.0%} ({low:.0%} to {high:.0%})"
        variant, against, iterations = self.line
        cells = (f"`{variant}`", f"`{against}`", str(iterations), f"{self.decision_ms:.0f} ms")
        number = f"{self.number} games" if self.are_games else str(self.number)
        return *cells, share, number, self.verdict


def play_one_side(
    variant: Variant, one: type[Bot], others: type[Bot], number: int, seed: int = 0
) -> Score:
    """Return the score of one side of `one` among sides of `others`; `number` says which side.

    Raises:
        BotError: one of the bots had a fault.
    """
    rng = random.Random(f"levels {seed} {variant.id} {number}")
    deal = raw(variant.deal(rng))
    seeds = tuple([rng.getrandbits(32) for _ in range(variant.seats)])
    side = number % len(variant.sides)
    own = variant.sides[side]
    seated = [one if seat in own else others for seat in range(variant.seats)]
    names = tuple([bot_class.name for bot_class in seated])
    record = play_in_process(Game("", variant.id, number, 0, deal, names, seeds), seated, PATIENT)
    if record.faults:
        fault = record.faults[0]
        raise BotError(f"{names[fault.seat]} had a fault in {record.title}: {fault.text}")
    ahead = placement_scores(record.ranks, variant.sides)[side]
    others_sides = len(variant.sides) - 1
    return Score(record.win_weight * ahead, record.win_weight * others_sides)


class TimedChampion(ChampionBot):
    """Measures the processor time of decisions."""

    times_s: ClassVar[list[float]] = []

    def act(self, view: Any, legal: list[str]) -> str:
        """Return the action, and note how long it took."""
        began = time.process_time()
        action = super().act(view, legal)
        if len(legal) > 1:
            self.times_s.append(time.process_time() - began)
        return action


class Match(NamedTuple):
    """What the boards or games of a line have in common."""

    line: Line
    rival: int | None
    """Simulated games of `champion` as the other bot; None stands for the bot of the line."""
    are_games: bool
    seed: int

    def play(self, number: int) -> tuple[Score, list[float]]:
        """Play a board or a game; return the score, and the seconds of each decision."""
        times_s: list[float] = []
        settings = {"iterations": self.line.iterations, "times_s": times_s}
        champion = type("TimedChampion", (TimedChampion,), settings)
        other = class_of(self.line.against) if self.rival is None else champion_with(self.rival)
        play = play_one_side if self.are_games else play_board
        return play(get_variant(self.line.variant), champion, other, number, self.seed), times_s

    def measured(self, played: Sequence[tuple[Score, list[float]]]) -> Measured:
        """Return what comes out of all boards or games."""
        share = share_ahead([score for score, _ in played])
        decision_ms = 1000 * fmean(chain.from_iterable([times_s for _, times_s in played]))
        return Measured(self.line, len(played), self.are_games, share, decision_ms)


def champion_with(iterations: int) -> type[Bot]:
    """Return `champion` with a number of simulated games."""
    return type("Rival", (ChampionBot,), {"iterations": iterations})


def lines(asked: Sequence[str], against: str | None, iterations: Sequence[int]) -> Iterable[Line]:
    """Yield what is measured: by default each variant of a game with a guide, at about 100 ms."""
    for variant in variants().values():
        if variant.id in asked or (not asked and variant.game in ITERATIONS):
            ladder = LADDERS.get(variant.game, ["random"])
            for number in iterations or (usual_iterations(variant),):
                yield Line(variant.id, against or ladder[-1], number)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--variant", choices=variants(), action="append", default=[])
    parser.add_argument("--against", help="default: the best bot of the ladder")
    parser.add_argument("--rival", type=int, help="simulated games of champion as the other bot")
    parser.add_argument("--iterations", type=int, action="append", default=[])
    parser.add_argument("--boards", type=int, default=8, help="default: %(default)s")
    parser.add_argument("--games", type=int, help="games of one side, instead of boards")
    parser.add_argument("--seed", type=int, default=0, help="fixes all deals and dice")
    parser.add_argument("--workers", type=int, default=2, help="number of processes that play")
    options = parser.parse_args()
    number = options.boards if options.games is None else options.games
    if number < 2:
        parser.error(f"an interval needs at least 2 boards or games, got {number}")
    against = options.against if options.rival is None else f"champion {options.rival}"
    rows = []
    with ProcessPoolExecutor(options.workers) as pool:
        for line in lines(options.variant, against, options.iterations):
            match = Match(line, options.rival, options.games is not None, options.seed)
            one = match.measured([*pool.map(match.play, range(number))])
            print(" ".join(one.row()), flush=True)
            rows.append(one.row())
    heads = ("variant", "against", "iterations", "a decision", "placed before it", "boards")
    print(table((*heads, "`champion` is"), rows))


if __name__ == "__main__":
    main()
