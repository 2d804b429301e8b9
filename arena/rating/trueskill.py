"""TrueSkill ratings from board results.

A bot does not change during a run, so `tau` is 0. The draw probability is estimated for each
variant, since variants differ in how often boards are tied.
"""

import contextlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, chain, pairwise

import msgspec
from trueskill import Rating, TrueSkill

from arena.rating import factor_graph
from arena.rating.board_result import BoardResult, complete_results
from arena.rating.factor_graph import Numbers
from arena.rating.result_log import ResultLog
from arena.record import AnyResult
from engine import Variant

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
RATING_SIGMAS = 3
"""A bot's rating is mu less this number of sigmas."""
INTERVAL_SIGMAS = 1.96
"""Half width, in sigmas, of the 95 % interval of a mu."""


class RatingSnapshot(msgspec.Struct, frozen=True):
    """The overall ratings after a part of a run."""

    games: int
    """Counted games so far."""
    ratings: dict[str, tuple[float, float]]
    """mu and sigma by entrant."""


def draw_probability(results: Iterable[BoardResult]) -> float:
    """Estimate the probability that two sides with neighbouring places on a board are tied.

    One tie and one difference are added, because TrueSkill needs a number between 0 and 1.
    """
    return _share_of_ties(Counter(chain.from_iterable(map(_ties, results))))


def _share_of_ties(ties: Mapping[bool, int]) -> float:
    return (1 + ties[True]) / (2 + ties[True] + ties[False])


def _ties(result: BoardResult) -> list[bool]:
    """Return for each two neighbouring places whether they are tied."""
    return [one == other for one, other in pairwise(sorted(result.ranks))]


def environments(results: Iterable[BoardResult]) -> dict[str, TrueSkill]:
    """Return the TrueSkill environment of each variant in `results`."""
    ties: dict[str, Counter[bool]] = defaultdict(Counter)
    for result in results:
        ties[result.variant].update(_ties(result))
    return {
        variant: TrueSkill(MU, SIGMA, BETA, tau=0.0, draw_probability=_share_of_ties(own))
        for variant, own in ties.items()
    }


def initial_ratings(entrants: Iterable[str]) -> dict[str, Rating]:
    """Return the ratings of `entrants` before their first board."""
    return {name: Rating(MU, SIGMA) for name in entrants}


def update(ratings: dict[str, Rating], result: BoardResult, environment: TrueSkill) -> None:
    """Update `ratings` in place with the result of a board."""
    # When ratings are very far apart, floats cannot represent the update.
    with contextlib.suppress(FloatingPointError):
        ratings.update(_rated(result, environment, ratings))


def _rated(
    result: BoardResult, environment: TrueSkill, ratings: Mapping[str, Rating]
) -> dict[str, Rating]:
    """Return the ratings after a board, independent of the order of tied sides.

    TrueSkill compares each side with the next one only, so the update of tied sides depends on
    their order. Each tied side therefore takes each place of its tie equally often, and the mean
    is returned.
    """
    ties = _tied_sides(result, ratings)
    is_tied = [place < len(tie) for tie in ties for place, _ in enumerate(tie, 1)][:-1]
    rotations = math.lcm(*map(len, ties)) if len(result.sides) > 2 else 1
    found: dict[str, list[Numbers]] = {name: [] for tie in ties for side in tie for name in side}
    for shift in range(rotations):
        sides = [side for tie in ties for side in _turned(tie, shift)]
        before = [[ratings[name] for name in side] for side in sides]
        rated = factor_graph.rate(before, is_tied, environment)
        for side, after in zip(sides, rated, strict=True):
            for name, numbers in zip(side, after, strict=True):
                found[name].append(numbers)
    return {name: _mean(own) for name, own in found.items()}


def _turned(tie: list[tuple[str, ...]], shift: int) -> list[tuple[str, ...]]:
    first = shift % len(tie)
    return tie[first:] + tie[:first] if first else tie


def _tied_sides(result: BoardResult, ratings: Mapping[str, Rating]) -> list[list[tuple[str, ...]]]:
    """Return the sides of a board by rank, best first; tied sides are sorted by strength."""
    by_rank: dict[int, list[tuple[str, ...]]] = {rank: [] for rank in sorted(result.ranks)}
    for side, own in zip(result.sides, result.ranks, strict=True):
        by_rank[own].append(side)
    if len(by_rank) == len(result.sides):
        return list(by_rank.values())

    def strength(side: tuple[str, ...]) -> list[tuple[float, float, str]]:
        return sorted([(ratings[name].mu, ratings[name].sigma, name) for name in side])

    return [sorted(sides, key=strength) for sides in by_rank.values()]


def _mean(numbers: Sequence[Numbers]) -> Rating:
    if len(numbers) == 1:  # the same number as below, since the root of a square is exact
        return Rating(*numbers[0])
    return Rating(
        math.fsum([mu for mu, _ in numbers]) / len(numbers),
        math.sqrt(math.fsum([sigma * sigma for _, sigma in numbers]) / len(numbers)),
    )


def conservative(rating: Rating) -> float:
    """Return mu - 3 sigma, by which the leaderboard is sorted."""
    return float(rating.mu - RATING_SIGMAS * rating.sigma)


def rating_history(
    records: Iterable[AnyResult],
    variants: Mapping[str, Variant],
    entrants: Iterable[str],
    steps: int,
) -> list[RatingSnapshot]:
    """Return the overall ratings over the course of a run, in about `steps` steps.

    The first snapshot is before the first game; the last has the ratings of the leaderboard.
    """
    results = ResultLog(complete_results(records, variants))
    games = accumulate(variants[result.variant].seats for result in results)
    by_variant = environments(results)
    ratings = initial_ratings(entrants)
    step = max(1, math.ceil(len(results) / steps))
    snapshots = [_snapshot(0, ratings)]
    for number, (result, played) in enumerate(zip(results, games, strict=True), 1):
        update(ratings, result, by_variant[result.variant])
        if number % step == 0 or number == len(results):
            snapshots.append(_snapshot(played, ratings))
    return snapshots


def _snapshot(games: int, ratings: Mapping[str, Rating]) -> RatingSnapshot:
    return RatingSnapshot(games, {name: (one.mu, one.sigma) for name, one in ratings.items()})
