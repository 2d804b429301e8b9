"""How good the entrants are: TrueSkill over boards, and plain counts over games.

Ratings are computed from the records, in schedule order, and are never stored as the truth. The
unit is the complete board: its games share one deal, so together they are one result. The sides
of a board are ordered by their placement scores, summed over the rotations (the last side of a
game scores 0, the next 1, and so on; shared ranks share the mean), then by their points, and are
else tied. A bot does not change while a run lasts, so `tau` is 0.

A game that counts as several wins by its own rules (`win_weight`) counts as so many games, both in
the placement scores of its board and in the win share.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise

import msgspec
import trueskill

from arena.record import GameRecord
from engine import Variant

OVERALL = "overall"
MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2


class Row(msgspec.Struct, frozen=True):
    """An entrant's line in a table of the leaderboard."""

    rank: int
    bot: str
    mu: float
    sigma: float
    rating: float
    """mu - 3 sigma: almost certainly the bot is at least that good."""
    games: int
    points_per_game: float
    win_share: float
    """The share of its games that its side won; a shared win counts in parts."""
    faults: int
    """Games in which the bot itself had a fault."""


class Leaderboard(msgspec.Struct, frozen=True):
    """The tables of a run: over all variants, and by variant."""

    overall: tuple[Row, ...]
    variants: dict[str, tuple[Row, ...]]
    games: int
    """Counted games, those of complete boards."""
    games_left_out: int
    """Played games of boards that are not complete yet."""


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
) -> Leaderboard:
    """Return the leaderboard of records that come in schedule order, board by board."""
    counts: dict[str, dict[str, _Count]] = {
        table: defaultdict(_Count) for table in (OVERALL, *variants)
    }
    results: list[BoardResult] = []
    games = left_out = 0
    for (variant_id, _), group in groupby(records, key=lambda one: (one.variant, one.board)):
        board = list(group)
        variant = variants[variant_id]
        if len(board) < variant.seats:
            left_out += len(board)
            continue
        games += len(board)
        results.append(rate_board(board, variant))
        for record in board:
            _count_game(record, variant, counts[OVERALL], counts[variant_id])
    return Leaderboard(
        overall=_table(results, results, counts[OVERALL], entrants),
        variants={
            variant_id: _table(
                [one for one in results if one.variant == variant_id],
                results,
                counts[variant_id],
                [name for name in entrants if name in counts[variant_id]],
            )
            for variant_id in variants
        },
        games=games,
        games_left_out=left_out,
    )


def _count_game(record: GameRecord, variant: Variant, *tables: Mapping[str, _Count]) -> None:
    faulty = {fault.seat for fault in record.faults}
    winners = [
        side
        for side in variant.sides
        if record.ranks[side[0]] == 1 and not faulty.intersection(side)
    ]
    won = {seat: 1 / len(winners) for side in winners for seat in side}
    for table in tables:
        for seat, name in enumerate(record.entrants):
            count = table[name]
            count.games += 1
            count.points += record.points[seat]
            count.wins += record.win_weight * won.get(seat, 0.0)
            count.chances += record.win_weight
            count.faults += seat in faulty


def _table(
    results: Sequence[BoardResult],
    all_results: Sequence[BoardResult],
    counts: Mapping[str, _Count],
    entrants: Sequence[str],
) -> tuple[Row, ...]:
    ratings = _ratings(results, _environments(all_results), entrants)
    rated = [(ratings[name].mu - 3 * ratings[name].sigma, name) for name in entrants]
    rated.sort(key=lambda one: (-one[0], one[1]))
    return tuple(
        [
            Row(
                rank=1 + sum([other > rating for other, _ in rated]),
                bot=name,
                mu=ratings[name].mu,
                sigma=ratings[name].sigma,
                rating=rating,
                games=counts[name].games,
                points_per_game=counts[name].points / max(1, counts[name].games),
                win_share=counts[name].wins / max(1, counts[name].chances),
                faults=counts[name].faults,
            )
            for rating, name in rated
        ]
    )


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
        groups = [{name: ratings[name] for name in side} for side in result.sides]
        try:
            rated = environments[result.variant].rate(groups, ranks=result.ranks)
        except FloatingPointError:  # ratings so far apart that floats can't tell what it teaches
            continue
        for side in rated:
            ratings.update(side)
    return ratings
