"""Games that the schedules `round-robin` and `swiss` need for the same rank correlation.

    python -m benchmarks.swiss [--bots 30 100 300 1000] [--seats 4] [--seeds 5]

Bots of known strength (`benchmarks.simulated`) play pairing after pairing. After each one they are
rated, and Spearman's rank correlation with their strengths is computed. The command prints how
many games a bot has played when the correlation first reaches some values, as a mean over seeds,
and how many 95% intervals of scores contain the true score after `COVERED_PAIRINGS` pairings.
"""

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from statistics import NormalDist, fmean

import numpy as np

from arena.base.contracts import BoardScore, Field
from arena.rating.complete_boards import BoardShares
from arena.rating.scores import fit_boards
from arena.rating.trueskill import rate
from arena.schedule.swiss import swiss
from benchmarks.simulated import SimulatedField, Tournament, true_scores
from engine import get_variant

REACHED = (0.8, 0.9, 0.95, 0.98)
MAX_PAIRINGS = 60
MAX_BALANCED = 300
"""Larger fields are paired at random, because balanced pairings take long to compute."""
COVERED_BOTS, COVERED_PAIRINGS = 30, 20
"""Intervals are computed for fields up to this size, after this many pairings."""


def strengths_of(bots: int) -> tuple[float, ...]:
    """Return normally distributed strengths, as far apart as the dice and luck of a game."""
    return tuple([NormalDist().inv_cdf((place + 0.5) / bots) for place in range(bots)])


def swiss_boards(field: SimulatedField, rng: random.Random) -> Iterator[list[BoardShares]]:
    """Yield the boards of each pairing of a Swiss tournament."""
    tournament = Tournament(field, rng)
    numbers = {name: number for number, name in enumerate(field.names)}
    entrants = Field(get_variant(f"pot-de-vin/{field.seats}"), tuple(sorted(field.names)))
    scores: list[BoardScore] = []
    while True:
        boards = []
        for group in swiss(entrants, rng, scores):
            boards.append(tournament.board(tuple([(numbers[name],) for name in group])))
            shares = [float(boards[-1].share_of(name)) for name in group]
            scores.append(BoardScore(group, tuple(shares)))
        yield boards


def balanced_boards(field: SimulatedField, rng: random.Random) -> Iterator[list[BoardShares]]:
    """Yield the boards of each pairing of a round robin."""
    tournament = Tournament(field, rng)
    order = list(range(field.bots))
    while True:
        if field.bots <= MAX_BALANCED:
            yield list(tournament.boards(field.bots // field.seats))
            continue
        rng.shuffle(order)
        tables = zip(*[iter(order)] * field.seats, strict=False)
        yield [tournament.board(tuple([(bot,) for bot in table])) for table in tables]


SCHEDULES: dict[str, Callable[[SimulatedField, random.Random], Iterator[list[BoardShares]]]] = {
    "round-robin": balanced_boards,
    "swiss": swiss_boards,
}


def correlation(field: SimulatedField, boards: Sequence[BoardShares]) -> float:
    """Return the rank correlation of ratings and strengths."""
    ratings = rate(Counter([board.ranked for board in boards]), field.names).by_bot
    mu = [ratings[name].mu for name in field.names]
    by_rating, by_strength = [np.argsort(np.argsort(one)) for one in (mu, field.strengths)]
    return float(np.corrcoef(by_rating, by_strength)[0, 1])


def intervals(field: SimulatedField, boards: Sequence[BoardShares]) -> list[bool]:
    """Return for each bot whether its interval contains its true score."""
    truth = dict(zip(field.names, true_scores(field), strict=True))
    scores = fit_boards(field.names, boards).scores
    return [
        one.low <= truth[one.bot] <= one.high
        for one in scores
        if one.low is not None and one.high is not None
    ]


def play(bots: int, seats: int, schedule: str, seed: int) -> tuple[dict[float, int], list[bool]]:
    """Return the games of a bot when each correlation was reached, and which intervals held."""
    field = SimulatedField("normal", strengths_of(bots), seats)
    played: list[BoardShares] = []
    reached: dict[float, int] = {}
    held: list[bool] = []
    pairings = SCHEDULES[schedule](field, random.Random(seed))
    for number, boards in enumerate(islice(pairings, MAX_PAIRINGS), 1):
        played += boards
        found = correlation(field, played)
        for least in REACHED:
            if found >= least:
                reached.setdefault(least, number * seats)
        if number == COVERED_PAIRINGS and bots <= COVERED_BOTS:
            held = intervals(field, played)
        if len(reached) == len(REACHED) and (held or bots > COVERED_BOTS):
            break
    return reached, held


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--bots", type=int, nargs="+", default=[30, 100, 300, 1000])
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    print("bots  schedule    " + "".join([f"{least:>8}" for least in REACHED]) + "   intervals")
    for bots in given.bots:
        for schedule in SCHEDULES:
            runs = [play(bots, given.seats, schedule, seed) for seed in range(given.seeds)]
            games = [
                f"{fmean([reached[least] for reached, _ in runs]):8.0f}"
                if all(least in reached for reached, _ in runs)
                else "       -"
                for least in REACHED
            ]
            held = [*chain.from_iterable(held for _, held in runs)]
            covered = f"{fmean(held):10.1%}" if held else ""
            print(f"{bots:>4}  {schedule:<12}" + "".join(games) + covered, flush=True)


if __name__ == "__main__":
    main()
