"""The leaderboard: TrueSkill over boards, counts over games, and how certain these are.

Ratings are computed from the records, in schedule order, and are never stored as the truth. The
unit is the complete board: its games share one deal, so together they are one result. The sides
of a board are ordered by their placement scores, summed over the rotations (the last side of a
game scores 0, the next 1, and so on; shared ranks share the mean), then by their points, and are
else tied. A bot does not change while a run lasts, so `tau` is 0.

A game that counts as several wins by its own rules (`win_weight`) counts as so many games, both in
the placement scores of its board and in the win share.

How sure the means over games are is told by `arena.rating.intervals`, with boards as the unit.
"""

import contextlib
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby, pairwise

import msgspec
import trueskill

from arena.rating.intervals import Estimate, Sample, Sat, combine, share_interval
from arena.record import GameRecord
from engine import Variant

OVERALL = "overall"
MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
RANK_SIGMAS = 1.96
"""Bots whose mu +- so many sigma overlap (95%, if they were alone) are not told apart by rank."""


class Row(msgspec.Struct, frozen=True):
    """An entrant's line in a table of the leaderboard."""

    rank: int
    """From 1, by rating; equal ratings share a rank."""
    best_rank: int
    worst_rank: int
    """The ranks among which it may be: those of all from whom it can't be told apart."""
    bot: str
    mu: float
    sigma: float
    rating: float
    """mu - 3 sigma: almost certainly the bot is at least that good."""
    games: int
    points_per_game: float
    points_low: float | None
    points_high: float | None
    """Bounds of its 95% interval; None after too few boards."""
    win_share: float
    """The share of its games that its side won; a shared win counts in parts."""
    wins_low: float | None
    wins_high: float | None
    """Bounds of its 95% interval; None after too few boards."""
    faults: int
    """Games in which the bot itself had a fault."""
    withdrawn: bool = False
    """Whether it had so many that it was withdrawn from the run."""


class Leaderboard(msgspec.Struct, frozen=True):
    """The tables of a run: over all variants, and by variant."""

    overall: tuple[Row, ...]
    variants: dict[str, tuple[Row, ...]]
    games: int
    """Counted games, those of complete boards."""
    games_left_out: int
    """Played games of boards that are not complete yet."""
    duplicate_gain: dict[str, float | None] = {}
    """By variant: how many games on deals of their own a game on a board is worth."""


class Pair(msgspec.Struct, frozen=True):
    """How an entrant did against another on the boards where they were opponents."""

    bot: str
    opponent: str
    boards: int
    ahead: float
    """The share of these on which it was ranked before the other; a tie counts half."""


class Standing(msgspec.Struct, frozen=True):
    """The overall ratings after a part of a run."""

    games: int
    """Counted games so far."""
    ratings: dict[str, tuple[float, float]]
    """mu and sigma by entrant."""


class BoardResult(msgspec.Struct, frozen=True):
    """What a complete board says: its sides, best first, and which of them are tied."""

    variant: str
    sides: tuple[tuple[str, ...], ...]
    """The entrants of each side, in the order of the board's places."""
    ranks: tuple[int, ...]
    """By side, from 1; tied sides share a rank."""


class _Count:
    """An entrant's plain counts in one table."""

    def __init__(self) -> None:
        self.games = 0
        self.points = 0
        self.wins = 0.0
        self.chances = 0  # games, those with a win weight counted so many times
        self.faults = 0
        self.withdrawn = False


def placement_scores(ranks: Sequence[int], sides: Sequence[Sequence[int]]) -> list[float]:
    """Return the placement score of each side in a game with these ranks by seat.

    The last side scores 0, the next 1, and so on; sides that share a rank share the mean.
    """
    of_side = [ranks[side[0]] for side in sides]
    return [
        sum([other > rank for other in of_side]) + (of_side.count(rank) - 1) / 2 for rank in of_side
    ]


def rate_board(records: Sequence[GameRecord], variant: Variant) -> BoardResult:
    """Return the result of a complete board, given its records, one a rotation."""
    n = variant.seats
    first = min(records, key=lambda record: record.rotation)
    totals = [(0.0, 0)] * len(variant.sides)
    for record in records:
        sides = [[(place + record.rotation) % n for place in side] for side in variant.sides]
        scores = placement_scores(record.ranks, sides)
        for number, side in enumerate(sides):
            score, points = totals[number]
            totals[number] = (
                score + record.win_weight * scores[number],
                points + record.points[side[0]],
            )
    places = [first.entrants[(place + first.rotation) % n] for place in range(n)]
    return BoardResult(
        variant=variant.id,
        sides=tuple([tuple([places[place] for place in side]) for side in variant.sides]),
        ranks=tuple([1 + sum([other > total for other in totals]) for total in totals]),
    )


def draw_probability(results: Iterable[BoardResult]) -> float:
    """Estimate how likely two sides of neighbouring places on a board are tied.

    One tie and one difference are counted on top: TrueSkill needs a number between 0 and 1.
    """
    pairs, ties = 2, 1
    for result in results:
        ranks = sorted(result.ranks)
        pairs += len(ranks) - 1
        ties += sum([one == other for one, other in pairwise(ranks)])
    return ties / pairs


def leaderboard(
    records: Iterable[GameRecord],
    variants: Mapping[str, Variant],
    entrants: Sequence[str],
    challengers: Collection[str] = (),
) -> Leaderboard:
    """Return the leaderboard of records that come in schedule order, board by board.

    `challengers` are those entrants whom the schedule seats apart from the others.
    """
    counts: dict[str, dict[str, _Count]] = {
        table: defaultdict(_Count) for table in (OVERALL, *variants)
    }
    results: list[BoardResult] = []
    sittings: dict[str, list[_Sitting]] = {variant_id: [] for variant_id in variants}
    games = left_out = 0
    for variant, board in _boards(records, variants):
        if len(board) < variant.seats:
            left_out += len(board)
            continue
        games += len(board)
        result = rate_board(board, variant)
        results.append(result)
        sittings[variant.id] += _sittings(board, result, variant)
        for record in board:
            _count_game(record, variant, counts[OVERALL], counts[variant.id])
    samples = {
        variant_id: Sample([sat for sat, _, _ in sitting], challengers)
        for variant_id, sitting in sittings.items()
    }
    means = {
        variant_id: _Means(samples[variant_id], sittings[variant_id], counts[variant_id])
        for variant_id in variants
    }
    return Leaderboard(
        overall=_table(results, results, counts[OVERALL], entrants, list(means.values())),
        variants={
            variant_id: _table(
                [one for one in results if one.variant == variant_id],
                results,
                counts[variant_id],
                [name for name in entrants if name in counts[variant_id]],
                [means[variant_id]],
            )
            for variant_id in variants
        },
        games=games,
        games_left_out=left_out,
        duplicate_gain={
            variant_id: sample.duplicate_gain() for variant_id, sample in samples.items()
        },
    )


def pairs(records: Iterable[GameRecord], variants: Mapping[str, Variant]) -> list[Pair]:
    """Return how each entrant did against each other, by name; only those who were opponents."""
    met: dict[tuple[str, str], int] = defaultdict(int)
    ahead: dict[tuple[str, str], float] = defaultdict(float)
    for variant, board in _boards(records, variants):
        if len(board) < variant.seats:
            continue
        result = rate_board(board, variant)
        sides = list(zip(result.sides, result.ranks, strict=True))
        for side, rank in sides:
            for other, other_rank in sides:
                for pair in [(a, b) for a in side for b in other if side is not other]:
                    met[pair] += 1
                    ahead[pair] += 1.0 if rank < other_rank else 0.5 if rank == other_rank else 0.0
    return [Pair(*pair, met[pair], ahead[pair] / met[pair]) for pair in sorted(met)]


def course(
    records: Iterable[GameRecord],
    variants: Mapping[str, Variant],
    entrants: Iterable[str],
    steps: int,
) -> list[Standing]:
    """Return how the overall ratings of a leaderboard came about, in about so many steps.

    The first is before the first game, the last what the leaderboard of these records says.
    """
    results = [
        rate_board(board, variant)
        for variant, board in _boards(records, variants)
        if len(board) == variant.seats
    ]
    games = [0, *accumulate([variants[result.variant].seats for result in results])]
    environments = _environments(results)
    ratings = {name: trueskill.Rating(MU, SIGMA) for name in entrants}
    every = max(1, math.ceil(len(results) / steps))
    standings = [_standing(0, ratings)]
    for number, result in enumerate(results, 1):
        _learn(ratings, result, environments)
        if number % every == 0 or number == len(results):
            standings.append(_standing(games[number], ratings))
    return standings


def _standing(games: int, ratings: Mapping[str, trueskill.Rating]) -> Standing:
    return Standing(games, {name: (one.mu, one.sigma) for name, one in ratings.items()})


def _boards(
    records: Iterable[GameRecord], variants: Mapping[str, Variant]
) -> Iterator[tuple[Variant, list[GameRecord]]]:
    """Yield the boards of these variants, also those that are not complete."""
    for (variant_id, _), group in groupby(records, key=lambda one: (one.variant, one.board)):
        if variant_id in variants:
            yield variants[variant_id], list(group)


_Sitting = tuple[Sat, float, float]
"""What an entrant made of a board; its wins there; and of how many chances."""


def _sittings(
    records: Sequence[GameRecord], result: BoardResult, variant: Variant
) -> Iterator[_Sitting]:
    """Yield what each entrant made of a board."""
    points: dict[str, list[int]] = defaultdict(lambda: [0] * variant.seats)
    wins: dict[str, float] = defaultdict(float)
    for record in records:
        won = shares_in_win(record, variant)
        for seat, name in enumerate(record.entrants):
            points[name][seat] = record.points[seat]
            wins[name] += record.win_weight * won.get(seat, 0.0)
    chances = sum([record.win_weight for record in records])
    for side in result.sides:
        others = [name for other in result.sides if other is not side for name in other]
        for name in side:
            partners = tuple([one for one in side if one != name])
            yield Sat(name, tuple(others), partners, tuple(points[name])), wins[name], chances


class _Means:
    """The means over the games of a variant, by entrant, and how sure they are."""

    def __init__(
        self, sample: Sample, sittings: Sequence[_Sitting], counts: Mapping[str, _Count]
    ) -> None:
        self.boards = sample.boards
        self.counts = counts
        self.points: dict[str, Estimate | None] = {}
        self.wins: dict[str, Estimate | None] = {}
        if sittings:
            points = [math.fsum(sat.points) / len(sat.points) for sat, _, _ in sittings]
            self.points = sample.estimates(points)
            wins = []
            for sat, won, chances in sittings:  # a ratio, as near its mean as it is straight
                count = counts[sat.name]
                share = count.wins / count.chances
                mean_chances = count.chances / self.boards[sat.name]
                wins.append(share + (won - share * chances) / mean_chances)
            self.wins = sample.estimates(wins)


def shares_in_win(record: GameRecord, variant: Variant) -> dict[int, float]:
    """Return the share in the win of each seat that has one."""
    kinds = {fault.seat: fault.kind for fault in record.faults}
    winners = [
        side
        for side in variant.sides
        if record.ranks[side[0]] == 1 and not any(seat in kinds for seat in side)
    ]
    return {seat: 1 / len(winners) for side in winners for seat in side}


def _count_game(record: GameRecord, variant: Variant, *tables: Mapping[str, _Count]) -> None:
    kinds = {fault.seat: fault.kind for fault in record.faults}
    won = shares_in_win(record, variant)
    for table in tables:
        for seat, name in enumerate(record.entrants):
            count = table[name]
            count.games += 1
            count.points += record.points[seat]
            count.wins += record.win_weight * won.get(seat, 0.0)
            count.chances += record.win_weight
            is_withdrawn = kinds.get(seat) == "withdrawn"
            count.withdrawn |= is_withdrawn
            count.faults += seat in kinds and not is_withdrawn


def _table(
    results: Sequence[BoardResult],
    all_results: Sequence[BoardResult],
    counts: Mapping[str, _Count],
    entrants: Sequence[str],
    means: Sequence[_Means],
) -> tuple[Row, ...]:
    ratings = _ratings(results, _environments(all_results), entrants)
    rated = [(ratings[name].mu - 3 * ratings[name].sigma, name) for name in entrants]
    rated.sort(key=lambda one: (-one[0], one[1]))
    rows = []
    for rating, name in rated:
        rank = 1 + sum([other > rating for other, _ in rated])
        best, worst = _rank_range(ratings, name)
        points_low, points_high = _points_interval(name, means)
        wins_low, wins_high = _wins_interval(name, means)
        count = counts[name]
        rows.append(
            Row(
                rank=rank,
                best_rank=min(best, rank),
                worst_rank=max(worst, rank),
                bot=name,
                mu=ratings[name].mu,
                sigma=ratings[name].sigma,
                rating=rating,
                games=count.games,
                points_per_game=count.points / max(1, count.games),
                points_low=points_low,
                points_high=points_high,
                win_share=count.wins / max(1, count.chances),
                wins_low=wins_low,
                wins_high=wins_high,
                faults=count.faults,
                withdrawn=count.withdrawn,
            )
        )
    return tuple(rows)


def _rank_range(ratings: Mapping[str, trueskill.Rating], name: str) -> tuple[int, int]:
    """Return one more than the number of those who are surely better, and of those who are not
    surely worse."""
    low, high = _mu_interval(ratings[name])
    others = [_mu_interval(rating) for other, rating in ratings.items() if other != name]
    better = sum([other_low > high for other_low, _ in others])
    worse = sum([other_high < low for _, other_high in others])
    return 1 + better, 1 + len(others) - worse


def _mu_interval(rating: trueskill.Rating) -> tuple[float, float]:
    half = RANK_SIGMAS * rating.sigma
    return rating.mu - half, rating.mu + half


def _points_interval(name: str, means: Sequence[_Means]) -> tuple[float, float] | tuple[None, None]:
    parts = [one for one in means if name in one.boards]
    whole = combine([(one.counts[name].games, one.points[name]) for one in parts])
    return whole.interval() if whole else (None, None)


def _wins_interval(name: str, means: Sequence[_Means]) -> tuple[float, float] | tuple[None, None]:
    parts = [one for one in means if name in one.boards]
    whole = combine([(one.counts[name].chances, one.wins[name]) for one in parts])
    boards = sum([one.boards[name] for one in parts])
    return share_interval(whole, boards) or (None, None)


def _environments(results: Sequence[BoardResult]) -> dict[str, trueskill.TrueSkill]:
    """Return TrueSkill by variant, which differ in how often boards are tied."""
    by_variant: dict[str, list[BoardResult]] = defaultdict(list)
    for result in results:
        by_variant[result.variant].append(result)
    return {
        variant: trueskill.TrueSkill(
            MU, SIGMA, BETA, tau=0.0, draw_probability=draw_probability(own)
        )
        for variant, own in by_variant.items()
    }


def _ratings(
    results: Iterable[BoardResult],
    environments: Mapping[str, trueskill.TrueSkill],
    entrants: Iterable[str],
) -> dict[str, trueskill.Rating]:
    ratings = {name: trueskill.Rating(MU, SIGMA) for name in entrants}
    for result in results:
        _learn(ratings, result, environments)
    return ratings


def _learn(
    ratings: dict[str, trueskill.Rating],
    result: BoardResult,
    environments: Mapping[str, trueskill.TrueSkill],
) -> None:
    """Change the ratings by what a board teaches."""
    # Ratings can be so far apart that floats can't tell what it teaches.
    with contextlib.suppress(FloatingPointError):
        ratings.update(_rated(result, environments[result.variant], ratings))


def _rated(
    result: BoardResult,
    environment: trueskill.TrueSkill,
    ratings: Mapping[str, trueskill.Rating],
) -> dict[str, trueskill.Rating]:
    """Return the ratings after a board, whatever the places at which its sides sat.

    TrueSkill holds each side against the next one only, so what tied sides learn depends on their
    order. Hence each is equally often at each place of its tie, and the mean is taken.
    """

    def strength(side: tuple[str, ...]) -> list[tuple[float, float, str]]:
        return sorted([(ratings[name].mu, ratings[name].sigma, name) for name in side])

    ties = [
        sorted(
            [side for side, own in zip(result.sides, result.ranks, strict=True) if own == rank],
            key=strength,
        )
        for rank in sorted(set(result.ranks))
    ]
    turns = math.lcm(*map(len, ties)) if len(result.sides) > 2 else 1
    found: dict[str, list[trueskill.Rating]] = defaultdict(list)
    for shift in range(turns):
        turned = [tie[shift % len(tie) :] + tie[: shift % len(tie)] for tie in ties]
        groups = [{name: ratings[name] for name in side} for tie in turned for side in tie]
        ranks = [rank for rank, tie in enumerate(ties) for _ in tie]
        for side in environment.rate(groups, ranks=ranks):
            for name, rating in side.items():
                found[name].append(rating)
    return {
        name: trueskill.Rating(
            math.fsum([one.mu for one in own]) / len(own),
            math.sqrt(math.fsum([one.sigma * one.sigma for one in own]) / len(own)),
        )
        for name, own in found.items()
    }
