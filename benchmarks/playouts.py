"""Speed of random playouts, with its ratio to OpenSpiel's hearts.

With `--before` two trees of the project are compared instead (`pairs.py`). `README.md` explains the
figures.
"""

import argparse
import platform
import random
import sys
import time
from collections.abc import Callable, Sequence
from statistics import fmean, median, quantiles
from typing import Any

from pairs import ROOT, Trees, print_pairs

from arena.extras.bench.engine_workloads import (
    deal_hearts,
    moments,
    open_spiel,
    play_at_random,
    play_hearts_at_random,
    play_out,
)
from engine import State, Variant, variants

Timed = Callable[[random.Random], tuple[int, float]]
"""Plays some games; returns the number of decisions and the seconds of processor time."""


def timed(play: Callable[[random.Random], int]) -> Timed:
    """Return a function that times how `play` plays some games; it returns their decisions."""

    def play_timed(rng: random.Random) -> tuple[int, float]:
        begin = time.process_time()
        decisions = play(rng)
        return decisions, time.process_time() - begin

    return play_timed


class EmptyGame:
    """A game without rules, as a state: what the loop, `rng.choice` and the calls cost.

    No engine in Python can be faster than its ratio to hearts.
    """

    ACTIONS = ("a", "b", "c", "d")
    DECISIONS = 48

    def __init__(self) -> None:
        self.seat_to_act: int | None = 0
        self.left = self.DECISIONS

    def legal_actions(self) -> Sequence[str]:
        """Return the same actions always."""
        return self.ACTIONS

    def apply(self, action: str) -> None:
        """Count a decision."""
        self.left -= 1
        if not self.left:
            self.seat_to_act = None


def time_empty_game(rng: random.Random, games: int) -> float:
    """Return the decisions per second of processor time in playouts of `EmptyGame`."""
    begin = time.process_time()
    for _ in range(games):
        state = EmptyGame()
        while state.seat_to_act is not None:
            state.apply(rng.choice(state.legal_actions()))
    return games * EmptyGame.DECISIONS / (time.process_time() - begin)


def play_hearts_in_cpp(spiel: Any, dealt: Sequence[Any]) -> int:
    """Play hearts by bots and a loop in C++, and return the number of decisions."""
    bots = [spiel.make_uniform_random_bot(seat, seat) for seat in range(4)]
    decisions = 0
    for number, deal in enumerate(dealt):
        state = deal.clone()
        spiel.evaluate_bots(state, bots, number)
        decisions += state.move_number() - deal.move_number()
    return decisions


def time_calls(variant: Variant, rng: random.Random) -> list[float]:
    """Return the mean microseconds of clone, determinize, view and events in one game."""
    calls: list[Callable[[State, int, int], object]] = [
        lambda state, seat, since: state.clone(),
        lambda state, seat, since: state.determinize(seat, rng),
        lambda state, seat, since: state.view(seat),
        lambda state, seat, since: state.events(seat, since),
    ]
    seen = moments(variant, rng)
    costs = []
    for call in calls:
        begin = time.process_time()
        for state, seat, since in seen:
            call(state, seat, since)
        costs.append((time.process_time() - begin) / len(seen) * 1e6)
    return costs


def row(variant: Variant, hearts: Timed | None, rounds: int, games: int, *, best: bool) -> str:
    """Return the line of the table for a variant: medians of the rounds, or the best of them."""
    rng = random.Random(1)
    deals = [variant.deal(rng) for _ in range(games)]
    play = timed(lambda rng: play_at_random(variant, deals, rng))
    out = timed(lambda rng: play_out(variant, deals, rng))
    speeds, out_speeds, their_speeds, lengths, costs = [], [], [], [], []
    for _ in range(rounds):  # in turn, since the speed of a shared machine drifts
        theirs = hearts and hearts(rng)
        decisions, seconds = play(rng)
        speeds.append(decisions / seconds)
        lengths.append(decisions / games)
        decisions, seconds = out(rng)
        out_speeds.append(decisions / seconds)
        if theirs:
            their_speeds.append(theirs[0] / theirs[1])
        costs.append(time_calls(variant, rng))
    speed = max(speeds) if best else median(speeds)
    average = min if best else median
    cells = [
        f"{variant.id:28}",
        f"{speed:11,.0f}",
        f"{speed / fmean(lengths):8,.0f}",
        ratio_of(speeds, their_speeds, best=best),
        ratio_of(out_speeds, their_speeds, best=best),
        *(f"{average(column):11.1f}" for column in zip(*costs, strict=True)),
    ]
    return "  ".join(cells)


def ratio_of(speeds: Sequence[float], theirs: Sequence[float], *, best: bool) -> str:
    """Return the median ratio of the rounds with their middle half, or that of the best rounds."""
    if not theirs:
        return f"{'-':>17}"
    if best:
        return f"{max(speeds) / max(theirs):17.2f}"
    low, middle, high = quantiles(
        [own / other for own, other in zip(speeds, theirs, strict=True)], n=4
    )
    return f"{middle:5.2f} ({low:.2f}-{high:.2f})"


def builds() -> str:
    """Return how each game was built: compiled, or plain Python."""
    how = {}
    for variant in variants().values():
        state = variant.start(variant.deal(random.Random(1)))
        file = sys.modules[type(state).__module__].__file__ or ""
        how[variant.game] = "plain Python" if file.endswith(".py") else "compiled"
    return ", ".join([f"{game} {build}" for game, build in how.items()])


def main() -> None:
    """Print a line for each variant."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("variants", nargs="*", help="variants to measure; default: all")
    parser.add_argument("--rounds", type=int, default=21, help="rounds of each median")
    parser.add_argument("--games", type=int, default=100, help="playouts in a round")
    parser.add_argument(
        "--best",
        action="store_true",
        help="the best round instead of the median, for a machine with much other work",
    )
    parser.add_argument(
        "--before", metavar="TREE", help="the folder or git revision to compare with, in pairs"
    )
    parser.add_argument(
        "--after", metavar="TREE", default=str(ROOT), help="the tree to compare; default: this one"
    )
    parser.add_argument("--compiled", action="store_true", help="compile both trees first")
    options = parser.parse_args()
    if options.rounds < 2:
        parser.error("a spread needs two rounds or more")

    chosen = options.variants or list(variants())
    if options.before:
        trees = Trees(options.before, options.after, compiled=options.compiled)
        fine = print_pairs(trees, chosen, options.rounds, options.games)
        sys.exit(not fine)

    hearts = None
    spiel = open_spiel()
    if spiel is None:
        print("For the ratio to hearts: pip install -r benchmarks/requirements.txt\n")
    else:
        rng = random.Random(1)
        dealt = [deal_hearts(spiel, rng) for _ in range(options.games)]
        hearts = timed(lambda rng: play_hearts_at_random(dealt, rng))
        in_cpp = timed(lambda rng: play_hearts_in_cpp(spiel, dealt))
        speeds, ratios, cpp_ratios = [], [], []
        for _ in range(options.rounds):
            decisions, seconds = hearts(rng)
            speeds.append(decisions / seconds)
            ratios.append(time_empty_game(rng, options.games) / speeds[-1])
            decisions, seconds = in_cpp(rng)
            cpp_ratios.append(decisions / seconds / speeds[-1])
        print(f"OpenSpiel hearts: {median(speeds):,.0f} decisions/s")
        print(f"The same by `evaluate_bots`, ratio to this: {median(cpp_ratios):.2f}")
        print(f"A game without rules, ratio to hearts: {median(ratios):.2f}\n")
    print(f"Python {platform.python_version()}; {builds()}\n")
    ratio = "of the best rounds" if options.best else "median (middle half of the rounds)"
    print(f"ratio: {ratio}; clone to events: microseconds per call\n")
    print(
        f"{'variant':28}  {'decisions/s':>11}  {'games/s':>8}  {'ratio to hearts':>17}"
        f"  {'play_out, ratio':>17}  {'clone':>11}  {'determinize':>11}  {'view':>11}"
        f"  {'events':>11}"
    )
    for variant_id, variant in variants().items():
        if variant_id in chosen:
            print(
                row(variant, hearts, options.rounds, options.games, best=options.best), flush=True
            )


if __name__ == "__main__":
    main()
