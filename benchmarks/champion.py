"""Strength of `champion` at a fixed number of simulated games, against the best quick bots.

    python -m benchmarks.champion --variant bribery/2 --iterations 300 --boards 16

plays boards whose sides the two bots share, as `ladder.py` does, and prints how often `champion` is
placed before the other bot, with the 95 % interval, and the processor time of its decisions. With
several numbers of iterations there is a line for each. With `--rival 30` the other bot is
`champion` with 30 simulated games, which shows what more time gains. The bots play without a clock,
so the same numbers give the same shares on every machine; only the time differs.
"""

import argparse
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from statistics import fmean
from typing import Any, ClassVar, NamedTuple

from arena.bench.head_to_head import play_board, share_ahead
from arena.bot import Bot
from arena.match.in_process import class_of
from arena.rating.intervals import Estimate
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
    boards: int
    share: Estimate
    decision_ms: float

    @property
    def verdict(self) -> str:
        """Whether all of the interval is above or below one half."""
        low, high = self.share.interval(CONFIDENCE)
        return "better" if low > 0.5 else "weaker" if high < 0.5 else "open"

    def row(self) -> tuple[str, ...]:
        """Return a row of the table."""
        low, high = self.share.interval(CONFIDENCE)
        share = f"{100 * self.share.mean:.1f}% ± {50 * (high - low):.1f}"
        variant, against, iterations = self.line
        cells = (f"`{variant}`", f"`{against}`", str(iterations), f"{self.decision_ms:.0f} ms")
        return *cells, share, str(self.boards), self.verdict


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


def measure(line: Line, boards: int, seed: int, rival: int | None = None) -> Measured:
    """Play the boards of a line, or those of `champion` with `rival` simulated games."""
    times_s: list[float] = []
    settings = {"iterations": line.iterations, "times_s": times_s}
    champion = type("TimedChampion", (TimedChampion,), settings)
    variant = get_variant(line.variant)
    if rival:
        other: type[Bot] = type("Rival", (ChampionBot,), {"iterations": rival})
    else:
        other = class_of(line.against)
    scores = [play_board(variant, champion, other, number, seed) for number in range(boards)]
    return Measured(line, boards, share_ahead(scores), 1000 * fmean(times_s))


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
    parser.add_argument("--seed", type=int, default=0, help="fixes all deals and dice")
    parser.add_argument("--workers", type=int, default=2, help="number of processes that play")
    options = parser.parse_args()
    if options.boards < 2:
        parser.error(f"an interval needs at least 2 boards, got {options.boards}")
    measured = partial(measure, boards=options.boards, seed=options.seed, rival=options.rival)
    against = f"champion {options.rival}" if options.rival else options.against
    rows = []
    with ProcessPoolExecutor(options.workers) as pool:
        for one in pool.map(measured, lines(options.variant, against, options.iterations)):
            print(" ".join(one.row()), flush=True)
            rows.append(one.row())
    heads = ("variant", "against", "iterations", "a decision", "placed before it", "boards")
    print(table((*heads, "`champion` is"), rows))


if __name__ == "__main__":
    main()
