"""The leaderboard of a run's records: one table over all variants, and one for each variant.

Scores and ratings are computed from the records and never stored as the truth. Only games of
complete boards count. The score does not depend on the order of boards; the rating does.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from arena.rating.board_model import DECIMALS, BoardModel, fit_boards
from arena.rating.board_sample import BoardSample, duplicate_gain
from arena.rating.board_sums import BoardSums
from arena.rating.certainty import CertaintyCourse
from arena.rating.certificate import Certificate
from arena.rating.columns import LeaderboardRow
from arena.rating.complete_boards import BoardReader, group_boards
from arena.rating.counts import (
    EntrantCounts,
    VariantMeans,
    count_faults,
    count_sample,
    count_wins,
    points_interval,
    wins_interval,
)
from arena.rating.trueskill import (
    Rating,
    ResultLog,
    conservative,
    environments,
    initial_ratings,
    update,
)
from arena.record import AnyResult
from engine import Variant

OVERALL = "overall"


class Leaderboard(msgspec.Struct, frozen=True):
    """The tables of a run."""

    overall: tuple[LeaderboardRow, ...]
    variants: dict[str, tuple[LeaderboardRow, ...]]
    games: int
    """Counted games: those of complete boards."""
    games_left_out: int
    """Played games of incomplete boards."""
    duplicate_gain: dict[str, float | None] = {}
    """By variant: the number of games on separate deals that tell as much as one on a board."""
    interplay: dict[str, float] = {}
    """By table, also `OVERALL`: how far meetings are, typically, from what the scores say."""
    certificate: dict[str, Certificate] | msgspec.UnsetType = msgspec.UNSET
    """By table, what is certain about its order since the last look. Only of runs with a stop rule,
    and `OVERALL` only if there is one variant."""


class TableSettings(NamedTuple):
    """What the tables of a leaderboard are ordered by, and who has a row."""

    by_score: bool = False
    """Whether tables are ordered by the score; otherwise by the rating."""
    courses: Mapping[str, CertaintyCourse] | None = None
    """The course of each variant in a run with a stop rule, before its first board. Its tables are
    in the order of the last look, with the ranks between the lines."""
    players: Mapping[str, Collection[str]] | None = None
    """By variant, all who play it. They have a row in its table, also before their first board.
    Without it, those who have sat on a complete board have one."""


class _Counted:
    """The complete boards of some records, and the counts of their games.

    It does not keep records, so that a leaderboard takes little more memory for more games.
    """

    def __init__(
        self,
        variants: Iterable[str],
        entrants: Sequence[str],
        challengers: Collection[str],
        courses: Mapping[str, CertaintyCourse],
    ) -> None:
        """Begin without boards. See `leaderboard`."""
        self.courses = courses
        self.results = ResultLog()
        self.by_variant: dict[str, dict[str, EntrantCounts]] = {
            variant_id: defaultdict(EntrantCounts) for variant_id in variants
        }
        self.samples = {name: BoardSample((), challengers) for name in self.by_variant}
        self.overall: dict[str, EntrantCounts] = defaultdict(EntrantCounts)
        self.sums_by_variant = {name: BoardSums(entrants) for name in self.by_variant}
        self.sums = BoardSums(entrants)
        """Of all variants, after `end`."""
        if len(self.by_variant) == 1:  # both tables have the same counts and sums
            (self.overall,), (self.sums,) = self.by_variant.values(), self.sums_by_variant.values()
        self._readers: dict[str, BoardReader] = {}
        self._tables = {
            name: [own] if own is self.overall else [self.overall, own]
            for name, own in self.by_variant.items()
        }
        """By variant, the tables whose counts a game of it belongs to."""
        self.games = self.games_left_out = 0

    def add(self, board: Sequence[AnyResult], variant: Variant) -> None:
        """Count the games of a board; those of an incomplete board are left out."""
        if len(board) < variant.seats:
            self.games_left_out += len(board)
            return
        name, games = variant.id, len(board)
        self.games += games
        if name not in self._readers:
            self._readers[name] = BoardReader(variant)
        read = self._readers[name].read(board)
        shares = read.shares
        if self.courses and (course := self.courses.get(name)):
            shares = course.add(shares)
        self.sums_by_variant[name].add(shares)
        for record in board:
            if record.faults:
                count_faults(record, *self._tables[name])
        if not shares.challengers:  # an extra board counts for scores only
            self.results.add(read.result)
            self.samples[name].add(read.scores)
            count_wins(read.scores, *self._tables[name])

    def end(self) -> None:
        """Count what is summed up for all boards together."""
        for name, own in self.sums_by_variant.items():
            count_sample(self.samples[name], *self._tables[name])
            if own is not self.sums:
                self.sums.add_all(own)


def leaderboard(
    records: Iterable[AnyResult],
    variants: Mapping[str, Variant],
    entrants: Sequence[str],
    challengers: Collection[str] = (),
    settings: TableSettings | None = None,
) -> Leaderboard:
    """Return the leaderboard of some records.

    Args:
        records: the records in schedule order, board by board.
        variants: the variants that count, by id.
        entrants: the names of the rows of the overall table.
        challengers: the entrants that the schedule seats apart from the others.
        settings: how the tables are made; those of `TableSettings` if it is None.
    """
    settings = settings or TableSettings()
    counted = _Counted(variants, entrants, challengers, settings.courses or {})
    for variant, board in group_boards(records, variants):
        counted.add(board, variant)
    counted.end()
    means = {
        variant_id: VariantMeans(sample, counted.by_variant[variant_id])
        for variant_id, sample in counted.samples.items()
    }
    bases = _bases(counted, means, entrants, settings.players or {})
    certificates = _certificates(counted.courses)
    value = _score if settings.by_score else _rating
    rows = {id(basis): tuple(_rows(basis)) for basis in bases.values()}  # tables may share one
    tables = {
        name: _certified(rows[id(basis)], certificates[name])
        if name in certificates
        else _ranked(rows[id(basis)], value)
        for name, basis in bases.items()
    }
    return Leaderboard(
        overall=tables.pop(OVERALL),
        variants=tables,
        games=counted.games,
        games_left_out=counted.games_left_out,
        duplicate_gain={name: duplicate_gain(sample) for name, sample in counted.samples.items()},
        interplay={name: basis.model.interplay for name, basis in bases.items()},
        certificate=msgspec.UNSET if settings.courses is None else certificates,
    )


def _certificates(courses: Mapping[str, CertaintyCourse]) -> dict[str, Certificate]:
    """Return by table what is certain about its order."""
    known = {name: course.certificate for name, course in courses.items() if course.certificate}
    if known and len(courses) == 1:
        (known[OVERALL],) = known.values()
    return known


class _Basis(NamedTuple):
    """What the rows of a table are computed from."""

    ratings: Mapping[str, Rating]
    model: BoardModel
    counts: Mapping[str, EntrantCounts]
    means: Sequence[VariantMeans]


def _bases(
    counted: _Counted,
    means: Mapping[str, VariantMeans],
    entrants: Sequence[str],
    players: Mapping[str, Collection[str]],
) -> dict[str, _Basis]:
    """Return what the overall table is computed from, then the table of each variant."""
    playing = {}
    for variant_id, counts in counted.by_variant.items():
        known = {*counts, *players.get(variant_id, ())}
        playing[variant_id] = [name for name in entrants if name in known]
    ratings = _ratings(counted.results, playing, entrants)
    overall = _Basis(
        ratings[OVERALL], fit_boards(counted.sums), counted.overall, list(means.values())
    )
    bases = {OVERALL: overall}
    for variant_id, names in playing.items():
        if ratings[variant_id] is ratings[OVERALL]:
            bases[variant_id] = overall  # without computing the same again, which takes seconds
            continue
        bases[variant_id] = _Basis(
            ratings[variant_id],
            fit_boards(counted.sums_by_variant[variant_id].among(names)),
            counted.by_variant[variant_id],
            [means[variant_id]],
        )
    return bases


def _ratings(
    results: ResultLog, playing: Mapping[str, Sequence[str]], entrants: Sequence[str]
) -> dict[str, dict[str, Rating]]:
    """Return the ratings of each table after `results`. Tables with the same boards share them.

    Args:
        results: the boards in schedule order.
        playing: the entrants of the table of each variant.
        entrants: those of the overall table.
    """
    by_variant = environments(results)
    overall = initial_ratings(entrants)
    ratings = {OVERALL: overall}
    for variant_id, names in playing.items():
        is_whole = results.boards[variant_id] == len(results) and names == list(entrants)
        ratings[variant_id] = overall if is_whole else initial_ratings(names)
    for result in results:
        update(overall, result, by_variant[result.variant])
        if (own := ratings[result.variant]) is not overall:
            update(own, result, by_variant[result.variant])
    return ratings


def _rating(row: LeaderboardRow) -> float:
    """Return the rating; a bot without a board comes last, below all that are rated."""
    return -math.inf if row.score is None else row.rating


def _score(row: LeaderboardRow) -> float:
    return -math.inf if row.score is None else round(row.score, DECIMALS)


def _certified(
    rows: Iterable[LeaderboardRow], certificate: Certificate
) -> tuple[LeaderboardRow, ...]:
    """Return rows in the order of a certificate, with the ranks between its lines."""
    by_name = {row.bot: row for row in rows}
    ranges = certificate.rank_ranges()
    return tuple(
        [
            replace(by_name[name], rank=rank, best_rank=best, worst_rank=worst)
            for rank, (name, (best, worst)) in enumerate(ranges.items(), 1)
            if name in by_name
        ]
    )


def _ranked(
    rows: Iterable[LeaderboardRow], value: Callable[[LeaderboardRow], float]
) -> tuple[LeaderboardRow, ...]:
    """Return rows with their ranks, the largest `value` first; equal ones are sorted by name."""
    best_first = sorted(rows, key=lambda row: (-value(row), row.bot))
    return tuple(
        [
            replace(row, rank=1 + sum([value(other) > value(row) for other in best_first]))
            for row in best_first
        ]
    )


def _rows(basis: _Basis) -> Iterator[LeaderboardRow]:
    """Yield the rows of a table, without their ranks."""
    for score in basis.model.scores:
        name = score.bot
        rating, counts = basis.ratings[name], basis.counts[name]
        points_low, points_high = points_interval(name, basis.means)
        wins_low, wins_high = wins_interval(name, basis.means)
        yield LeaderboardRow(
            rank=0,
            best_rank=score.best_rank,
            worst_rank=score.worst_rank,
            bot=name,
            mu=rating.mu,
            sigma=rating.sigma,
            rating=conservative(rating),
            score=score.score,
            score_low=score.low,
            score_high=score.high,
            games=counts.games,
            points_per_game=counts.points_per_game,
            points_low=points_low,
            points_high=points_high,
            win_share=counts.win_share,
            wins_low=wins_low,
            wins_high=wins_high,
            faults=counts.faults,
            withdrawn=counts.is_withdrawn,
            certainty=basis.model.certainties(name),
        )
