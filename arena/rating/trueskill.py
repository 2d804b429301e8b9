"""TrueSkill ratings from board results.

A bot does not change during a run, so `tau` is 0. The draw probability is estimated for each
variant, since variants differ in how often boards are tied. The library `trueskill` is called for
the distribution, the draw margins and the constants; only its messages are sent by `factor_graph`.
"""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import accumulate, chain, islice

import msgspec
from trueskill import TrueSkill

from arena.rating import factor_graph
from arena.rating.complete_boards import BoardResult
from arena.rating.factor_graph import Numbers, Rating
from engine import Variant

# -- results in the order of a run, in little memory -----------------------------------------------


class ResultLog:
    """Board results, to which more can be added. A board of n seats takes 2 + 4 n bytes or less."""

    def __init__(self, results: Iterable[BoardResult] = ()) -> None:
        """Begin with some results."""
        self.boards: Counter[str] = Counter()
        """By variant, the number of results."""
        self.ranks: dict[str, Counter[tuple[int, ...]]] = {}
        """By variant, the number of results with these ranks."""
        self._variants: dict[str, tuple[int, ...]] = {}
        """The sizes of the sides of each variant."""
        self._places: dict[str, int] = {}
        """The place of each variant in `_variants`."""
        self._numbers: dict[str, int] = {}
        """By entrant, from 0, in the order in which they came."""
        self._order = array("H")
        """The variant of each result, as its place in `_variants`."""
        self._data = array("H")
        """The entrants of each result, then the ranks of its sides."""
        for result in results:
            self.add(result)

    def add(self, result: BoardResult) -> None:
        """Add a result."""
        variant, numbers = result.variant, self._numbers
        if variant not in self._variants:
            self._places[variant] = len(self._variants)
            self._variants[variant] = tuple(map(len, result.sides))
            self.ranks[variant] = Counter()
        self.boards[variant] += 1
        self.ranks[variant][result.ranks] += 1
        self._order.append(self._places[variant])
        names = chain.from_iterable(result.sides)
        own = [numbers.setdefault(name, len(numbers)) for name in names]
        self._data.extend([*own, *result.ranks])

    def __len__(self) -> int:
        return len(self._order)

    def __iter__(self) -> Iterator[BoardResult]:
        variants = [(name, sum(sizes), sizes) for name, sizes in self._variants.items()]
        name_of, data, first = list(self._numbers).__getitem__, self._data, 0
        for number in self._order:
            variant, entrants, sizes = variants[number]
            end = first + entrants
            playing = map(name_of, data[first:end])
            if entrants == len(sizes):
                sides: tuple[tuple[str, ...], ...] = tuple(zip(playing, strict=True))
            else:
                sides = tuple([tuple(islice(playing, size)) for size in sizes])
            first = end + len(sizes)
            yield BoardResult(variant, sides, tuple(data[end:first]))


# -- ratings ---------------------------------------------------------------------------------------


MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
RATING_SIGMAS = 3
"""A bot's rating is mu less this number of sigmas."""
INTERVAL_SIGMAS = 1.96
"""Half width, in sigmas, of the 95 % interval of a mu."""


def rating_of(mu: float, sigma: float) -> Rating:
    """Return a rating with the roundings of the library, which keeps `pi` and `tau` instead."""
    pi = sigma**-2
    return Rating(pi * mu / pi, math.sqrt(1 / pi))


class RatingSnapshot(msgspec.Struct, frozen=True):
    """The overall ratings after a part of a run."""

    games: int
    """Counted games so far."""
    ratings: dict[str, tuple[float, float]]
    """mu and sigma by entrant."""


def _share_of_ties(boards: Mapping[tuple[int, ...], int]) -> float:
    """Estimate the probability that two sides with neighbouring places on a board are tied.

    One tie and one difference are added, because TrueSkill needs a number between 0 and 1.
    """
    ties = sum([(len(ranks) - len({*ranks})) * number for ranks, number in boards.items()])
    return (1 + ties) / (2 + sum([(len(ranks) - 1) * number for ranks, number in boards.items()]))


def environments(results: ResultLog) -> dict[str, TrueSkill]:
    """Return the TrueSkill environment of each variant in `results`."""
    return {
        variant: TrueSkill(MU, SIGMA, BETA, tau=0.0, draw_probability=_share_of_ties(own))
        for variant, own in results.ranks.items()
    }


def initial_ratings(entrants: Iterable[str]) -> dict[str, Rating]:
    """Return the ratings of `entrants` before their first board."""
    return dict.fromkeys(entrants, rating_of(MU, SIGMA))


def update(ratings: dict[str, Rating], result: BoardResult, environment: TrueSkill) -> None:
    """Update `ratings` in place with the result of a board."""
    # When ratings are very far apart, floats cannot represent the update.
    with suppress(FloatingPointError):
        ratings.update(_rated(result, environment, ratings))


@lru_cache(maxsize=1 << 12)
def _order_without_ties(ranks: tuple[int, ...]) -> list[int] | None:
    """Return the places of sides with these `ranks`, best first; None if some are tied."""
    if len({*ranks}) < len(ranks):
        return None
    return sorted(range(len(ranks)), key=ranks.__getitem__)


def _rated(
    result: BoardResult, environment: TrueSkill, ratings: Mapping[str, Rating]
) -> dict[str, Rating]:
    """Return the ratings after a board with tied sides, independent of their order.

    TrueSkill compares each side with the next one only, so the update of tied sides depends on
    their order. Each tied side therefore takes each place of its tie equally often, and the mean
    is returned.
    """
    if order := _order_without_ties(result.ranks):
        ties = [[result.sides[place]] for place in order]
    else:
        ties = _tied_sides(result, ratings)
    is_tied, rotations = _rotations(tuple(map(len, ties)))
    found = [
        _in_order(
            [side for tie in ties for side in _turned(tie, shift)], is_tied, environment, ratings
        )
        for shift in range(rotations)
    ]
    if rotations == 1:
        return {name: rating_of(*numbers) for name, numbers in found[0].items()}
    return {name: _mean([ratings[name] for ratings in found]) for name in found[0]}


@lru_cache
def _rotations(ties: Sequence[int]) -> tuple[list[bool], int]:
    """Return for each two neighbouring sides whether they are tied, and the number of rotations.

    `ties` are the numbers of sides that share a rank.
    """
    is_tied = [place < sides for sides in ties for place in range(1, sides + 1)][:-1]
    return is_tied, math.lcm(*ties) if sum(ties) > 2 else 1


def _in_order(
    sides: Sequence[Sequence[str]],
    is_tied: Sequence[bool],
    environment: TrueSkill,
    ratings: Mapping[str, Rating],
) -> dict[str, Numbers]:
    """Return mu and sigma of each entrant after a board whose sides have this order."""
    before = [[ratings[name] for name in side] for side in sides]
    after = factor_graph.rate(before, is_tied, environment)
    return {
        name: numbers
        for side, own in zip(sides, after, strict=True)
        for name, numbers in zip(side, own, strict=True)
    }


def _turned(tie: list[tuple[str, ...]], shift: int) -> list[tuple[str, ...]]:
    first = shift % len(tie)
    return tie[first:] + tie[:first] if first else tie


def _tied_sides(result: BoardResult, ratings: Mapping[str, Rating]) -> list[list[tuple[str, ...]]]:
    """Return the sides of a board by rank, best first; tied sides are sorted by strength."""
    by_rank: dict[int, list[tuple[str, ...]]] = {rank: [] for rank in sorted(result.ranks)}
    for side, own in zip(result.sides, result.ranks, strict=True):
        by_rank[own].append(side)

    def strength(side: tuple[str, ...]) -> list[tuple[float, float, str]]:
        return sorted([(ratings[name].mu, ratings[name].sigma, name) for name in side])

    return [sorted(sides, key=strength) for sides in by_rank.values()]


def _mean(numbers: Sequence[Numbers]) -> Rating:
    return rating_of(
        math.fsum([mu for mu, _ in numbers]) / len(numbers),
        math.sqrt(math.fsum([sigma * sigma for _, sigma in numbers]) / len(numbers)),
    )


def conservative(rating: Rating) -> float:
    """Return mu - 3 sigma, by which the leaderboard is sorted."""
    return rating.mu - RATING_SIGMAS * rating.sigma


def rating_history(
    results: ResultLog, variants: Mapping[str, Variant], entrants: Iterable[str], steps: int
) -> list[RatingSnapshot]:
    """Return the overall ratings over the course of a run, in about `steps` steps.

    The first snapshot is before the first game; the last has the ratings of the leaderboard.
    """
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
    return RatingSnapshot(
        games, {name: (rating.mu, rating.sigma) for name, rating in ratings.items()}
    )
