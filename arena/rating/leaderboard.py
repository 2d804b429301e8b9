"""The leaderboard of a run's records: one table over all variants, and one for each variant.

Ratings are computed from the records in schedule order and never stored as the truth. Only games
of complete boards count.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec
from trueskill import Rating

from arena.rating.board_result import BoardResult, board_result, group_boards
from arena.rating.board_sample import BoardSample, BoardScore, duplicate_gain
from arena.rating.counts import EntrantCounts, count_game
from arena.rating.trueskill import conservative, environments, rank_range, rate
from arena.rating.variant_means import (
    VariantMeans,
    board_scores,
    points_interval,
    wins_interval,
)
from arena.record import GameRecord
from engine import Variant

OVERALL = "overall"


class Row(msgspec.Struct, frozen=True):
    """The row of an entrant in a table of the leaderboard."""

    rank: int
    """From 1, by rating; equal ratings share a rank."""
    best_rank: int
    worst_rank: int
    """The range of ranks that the intervals of all ratings leave to the bot."""
    bot: str
    mu: float
    sigma: float
    rating: float
    """mu - 3 sigma: the bot is almost certainly at least that good."""
    games: int
    points_per_game: float
    points_low: float | None
    points_high: float | None
    """Bounds of its 95 % interval; None after too few boards."""
    win_share: float
    """The share of its games that its side won; a shared win counts in parts."""
    wins_low: float | None
    wins_high: float | None
    """Bounds of its 95 % interval; None after too few boards."""
    faults: int
    """Games in which the bot itself had a fault."""
    withdrawn: bool = False
    """Whether the bot was withdrawn from the run for its faults."""


class Leaderboard(msgspec.Struct, frozen=True):
    """The tables of a run."""

    overall: tuple[Row, ...]
    variants: dict[str, tuple[Row, ...]]
    games: int
    """Counted games: those of complete boards."""
    games_left_out: int
    """Played games of incomplete boards."""
    duplicate_gain: dict[str, float | None] = {}
    """By variant: the number of games on separate deals that tell as much as one on a board."""


class _Counted:
    """The complete boards of some records, and the counts of their games."""

    def __init__(self, variants: Iterable[str]) -> None:
        self.results: list[BoardResult] = []
        self.scores: dict[str, list[BoardScore]] = {variant_id: [] for variant_id in variants}
        self.overall: dict[str, EntrantCounts] = defaultdict(EntrantCounts)
        self.by_variant: dict[str, dict[str, EntrantCounts]] = {
            variant_id: defaultdict(EntrantCounts) for variant_id in self.scores
        }
        self.games = self.games_left_out = 0

    def add(self, board: Sequence[GameRecord], variant: Variant) -> None:
        """Count the games of a board; those of an incomplete board are left out."""
        if len(board) < variant.seats:
            self.games_left_out += len(board)
            return
        self.games += len(board)
        result = board_result(board, variant)
        self.results.append(result)
        self.scores[variant.id] += board_scores(board, result, variant)
        for record in board:
            count_game(record, variant, self.overall, self.by_variant[variant.id])


def leaderboard(
    records: Iterable[GameRecord],
    variants: Mapping[str, Variant],
    entrants: Sequence[str],
    challengers: Collection[str] = (),
) -> Leaderboard:
    """Return the leaderboard of `records`, which come in schedule order, board by board.

    `challengers` are the entrants that the schedule seats apart from the others.
    """
    counted = _Counted(variants)
    for variant, board in group_boards(records, variants):
        counted.add(board, variant)
    samples = {
        variant_id: BoardSample(scores, challengers)
        for variant_id, scores in counted.scores.items()
    }
    means = {
        variant_id: VariantMeans(sample, counted.by_variant[variant_id])
        for variant_id, sample in samples.items()
    }
    by_variant = environments(counted.results)
    overall = rate(counted.results, by_variant, entrants)
    tables = {}
    for variant_id, counts in counted.by_variant.items():
        own = [result for result in counted.results if result.variant == variant_id]
        playing = [name for name in entrants if name in counts]
        ratings = rate(own, by_variant, playing)
        tables[variant_id] = _table(ratings, counts, [means[variant_id]])
    return Leaderboard(
        overall=_table(overall, counted.overall, list(means.values())),
        variants=tables,
        games=counted.games,
        games_left_out=counted.games_left_out,
        duplicate_gain={variant: duplicate_gain(sample) for variant, sample in samples.items()},
    )


def _table(
    ratings: Mapping[str, Rating],
    counts: Mapping[str, EntrantCounts],
    means: Sequence[VariantMeans],
) -> tuple[Row, ...]:
    """Return the rows of a table, best first; equal ratings are sorted by name."""
    rows = [_row(name, ratings, counts[name], means) for name in ratings]
    return tuple(sorted(rows, key=lambda row: (row.rank, row.bot)))


def _row(
    name: str,
    ratings: Mapping[str, Rating],
    counts: EntrantCounts,
    means: Sequence[VariantMeans],
) -> Row:
    own = ratings[name]
    rank = 1 + sum([conservative(other) > conservative(own) for other in ratings.values()])
    best, worst = rank_range(ratings, name)
    points_low, points_high = points_interval(name, means)
    wins_low, wins_high = wins_interval(name, means)
    return Row(
        rank=rank,
        best_rank=min(best, rank),
        worst_rank=max(worst, rank),
        bot=name,
        mu=own.mu,
        sigma=own.sigma,
        rating=conservative(own),
        games=counts.games,
        points_per_game=counts.points_per_game,
        points_low=points_low,
        points_high=points_high,
        win_share=counts.win_share,
        wins_low=wins_low,
        wins_high=wins_high,
        faults=counts.faults,
        withdrawn=counts.is_withdrawn,
    )
