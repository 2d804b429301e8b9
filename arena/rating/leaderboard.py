"""Compute a run's leaderboard, with an overall table and tables for each game and variant."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from arena.base.contracts import SandboxSettings
from arena.base.record import AnyResult
from arena.rating.certificate import Certificate, Order, Result
from arena.rating.columns import LeaderboardRow
from arena.rating.complete_boards import (
    BoardShares,
    RankedBoard,
    board_shares,
    by_rotation,
    group_boards,
)
from arena.rating.gaps import Gaps
from arena.rating.points import Counts, VariantPoints, count_game, intervals
from arena.rating.scores import BoardModel, fit_boards, mean_over_games
from arena.rating.stop_rule import CertaintyCourse
from arena.rating.trueskill import Ratings, conservative, rate
from engine import Variant

OVERALL = "overall"
Rows = tuple[LeaderboardRow, ...]


class Leaderboard(msgspec.Struct, frozen=True):
    """The tables and other results of a run, as stored in `leaderboard.json`."""

    overall: Rows
    """The table for all games together. Empty if some bots don't play every game."""
    variants: dict[str, Rows]
    games: int
    """Number of games on complete boards."""
    games_left_out: int
    """Number of games on incomplete boards."""
    duplicate_gain: dict[str, float | None] = {}
    """For each variant, the factor by which playing every deal from every seat reduces the
    variance of mean points."""
    interplay: dict[str, float] = {}
    """For each leaderboard table, how far head-to-head results differ from what the scores predict,
    beyond chance (root mean square)."""
    certificate: dict[str, Certificate] | msgspec.UnsetType = msgspec.UNSET
    by_game: dict[str, Rows] = {}
    sandbox: SandboxSettings = msgspec.field(default=SandboxSettings(), name="walls")
    secret_hash: str | None = None
    """SHA-256 of the run's secret, or None if the run uses a seed instead."""
    order: Order | msgspec.UnsetType = msgspec.UNSET
    """Column by which tables are sorted. The default is the rating."""
    final: bool | msgspec.UnsetType = msgspec.UNSET
    result: Result | msgspec.UnsetType = msgspec.UNSET
    """How the sides of a board are ranked. The default is by placement."""
    unsettled: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """Names of leaderboard tables whose ratings haven't converged."""
    no_intervals: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    """Maps a variant without confidence intervals to the reason why there are none."""

    @property
    def orders_by_score(self) -> bool:
        return self.order == "score"

    @property
    def leading(self) -> dict[str, Rows]:
        """The overall table, or one table per game if there is no overall table."""
        return {OVERALL: self.overall} if self.overall or not self.by_game else self.by_game

    @property
    def tables(self) -> dict[str, Rows]:
        """All tables of the leaderboard. The overall table comes first, if there is one."""
        of_game = {game: self.variants_of(game) for game in self.by_game}
        games = {game: rows for game, rows in self.by_game.items() if len(of_game[game]) > 1}
        return {**self.leading, **games, **(self.variants if len(self.variants) > 1 else {})}

    @property
    def first_rows(self) -> Rows:
        by_bot: dict[str, LeaderboardRow] = {}
        for row in chain(*self.leading.values(), *self.by_game.values()):
            by_bot.setdefault(row.bot, row)
        return tuple(by_bot.values())

    def certificate_of(self, table: str) -> Certificate | None:
        own = self.variants_of(table)
        return (self.certificate or {}).get(own[0] if len(own) == 1 else table)

    def variants_of(self, game: str) -> list[str]:
        return [name for name in self.variants if name.partition("/")[0] == game]


ONE_DEAL = "there is only one deal, so boards between deterministic bots are copies"
ADAPTED = "earlier results decided who met whom"


def no_intervals_text(reasons: Mapping[str, str]) -> str:
    whys = sorted(set(reasons.values()))
    parts = [
        (", ".join([variant for variant in reasons if reasons[variant] == why]), why)
        for why in whys
    ]
    return "; ".join([f"no intervals for {names}: {why}" for names, why in parts])


class TableSettings(NamedTuple):
    by_score: bool = False
    courses: Mapping[str, CertaintyCourse] | None = None  # by variant, without boards
    players: Mapping[str, Collection[str]] | None = None
    """Bots to list in each variant's table, including bots that haven't completed a board."""
    guests: Collection[str] = ()
    result: Result = "placement"
    adapts: bool = False
    """Whether earlier results influenced which bots played each other."""


def leaderboard(
    records: Iterable[AnyResult],
    variants: Mapping[str, Variant],
    entrants: Sequence[str],
    settings: TableSettings | None = None,
) -> Leaderboard:
    """Compute the leaderboard from records in schedule order."""
    settings = settings or TableSettings()
    counted = _CountedBoards(variants, settings)
    for variant, board in group_boards(records, variants):
        counted.add(board, variant)
    keys = _keys(counted, entrants, settings)
    courses = counted.courses.items()
    certificates = {name: course.certificate for name, course in courses if course.certificate}
    if certificates and len(courses) == 1:
        (certificates[OVERALL],) = certificates.values()
    models = _models(counted, keys)
    ratings = {
        (own, names): rate(dict(chain(*[counted.ranked[name].items() for name in own])), names)
        for own, names in models
    }
    unordered = {
        key: [*_rows(model, ratings[key], counted, key[0])] for key, model in models.items()
    }
    tables, known = {}, dict[tuple[_Key, bool], Rows]()
    for name, key in keys.items():
        own = key, name in certificates
        if own not in known:
            if name in certificates:
                rows = _certified(unordered[key], certificates[name])
            else:
                rows = _ranked(unordered[key], models[key], by_score=settings.by_score)
            known[own] = tuple(_with_certainties(rows, models[key].gaps))
        tables[name] = known[own]
    return Leaderboard(
        overall=tables.get(OVERALL, ()),
        variants={name: tables[name] for name in variants},
        games=counted.games,
        games_left_out=counted.games_left_out,
        duplicate_gain={
            name: None if name in counted.no_intervals else own.duplicate_gain()
            for name, own in counted.points.items()
        },
        interplay={name: models[key].interplay for name, key in keys.items()},
        certificate=msgspec.UNSET if settings.courses is None else certificates,
        by_game={name: tables[name] for name in counted.by_game},
        result=settings.result if settings.result == "points" else msgspec.UNSET,
        unsettled=tuple([name for name, key in keys.items() if not ratings[key].are_settled])
        or msgspec.UNSET,
        no_intervals=counted.no_intervals or msgspec.UNSET,
    )


class _CountedBoards:
    def __init__(
        self,
        variants: Mapping[str, Variant],
        settings: TableSettings,
    ) -> None:
        self.courses = settings.courses or {}
        self.ranked: dict[str, Counter[RankedBoard]] = {name: Counter() for name in variants}
        self._result = settings.result
        self.points = {name: VariantPoints() for name in variants}
        self._adapts = settings.adapts
        one_deal = {name: ONE_DEAL for name, own in variants.items() if own.has_one_deal}
        self.no_intervals = dict.fromkeys(variants, ADAPTED) if settings.adapts else one_deal
        self.boards: dict[str, list[BoardShares]] = {name: [] for name in variants}
        games: dict[str, tuple[str, ...]] = defaultdict(tuple)
        for name, variant in variants.items():
            games[variant.game] += (name,)
        self.by_game = dict(games) if len(games) > 1 else {}
        self.variants_of = {
            OVERALL: tuple(variants),
            **self.by_game,
            **{name: (name,) for name in variants},
        }
        self.counts: dict[tuple[str, ...], dict[str, Counts]] = {
            own: defaultdict(Counts) for own in self.variants_of.values()
        }
        self._counts_of = {
            name: [counts for own, counts in self.counts.items() if name in own]
            for name in variants
        }
        self.games = self.games_left_out = 0

    def add(self, board: Sequence[AnyResult], variant: Variant) -> None:
        if len(board) < variant.seats:
            self.games_left_out += len(board)
            return
        name = variant.id
        self.games += len(board)
        board = sorted(board, key=by_rotation)
        shares = board_shares(board, variant, self._result)
        if self._adapts:
            shares = shares._replace(is_sample=False)
        if course := self.courses.get(name):
            course.add(shares)
        self.boards[name].append(shares)
        self.ranked[name][shares.ranked] += 1
        self.points[name].add(board, variant)
        for record in board:
            count_game(record, variant, *self._counts_of[name])


_Key = tuple[tuple[str, ...], tuple[str, ...]]


def _keys(
    counted: _CountedBoards, entrants: Sequence[str], settings: TableSettings
) -> dict[str, _Key]:
    fields = {}
    for table, own in counted.variants_of.items():
        known = {*counted.counts[own]}.union(
            *[(settings.players or {}).get(name, ()) for name in own]
        )
        fields[table] = [name for name in entrants if name in known]
    fields[OVERALL] = list(entrants)
    games = [{*fields[game]} for game in counted.by_game]
    if games:
        fields[OVERALL] = [name for name in entrants if all(name in players for players in games)]
        if any(players - {*fields[OVERALL], *settings.guests} for players in games):
            del fields[OVERALL]
    return {table: (counted.variants_of[table], tuple(names)) for table, names in fields.items()}


def _models(counted: _CountedBoards, keys: Mapping[str, _Key]) -> dict[_Key, BoardModel]:
    models: dict[_Key, BoardModel] = {}
    for table, key in keys.items():
        if key not in models and (table != OVERALL or not counted.by_game):
            own, names = key
            models[key] = fit_boards(
                names, [board for name in own for board in counted.boards[name]]
            )
    if counted.by_game and OVERALL in keys:
        games = [models[keys[game]] for game in counted.by_game]
        models[keys[OVERALL]] = mean_over_games(games, keys[OVERALL][1])
    return models


def _rows(
    model: BoardModel,
    ratings: Ratings,
    counted: _CountedBoards,
    variants: tuple[str, ...],
) -> Iterator[LeaderboardRow]:
    parts = [(counted.points[variant], counted.counts[variant,]) for variant in variants]
    has_none = not counted.no_intervals.keys().isdisjoint(variants)
    counts = counted.counts[variants]
    for score in model.scores:
        name = score.bot
        rating, own = ratings.by_bot[name], counts.get(name) or Counts()
        known = intervals(name, () if has_none else parts)
        (points_low, points_high), (wins_low, wins_high) = known
        yield LeaderboardRow(
            rank=0,
            best_rank=score.best_rank,
            worst_rank=score.worst_rank,
            bot=name,
            mu=rating.mu,
            sigma=rating.sigma,
            rating=conservative(rating),
            score=None if score.score is None else min(1.0, max(0.0, score.score)),
            score_low=score.low,
            score_high=score.high,
            games=own.games,
            points_per_game=own.points_per_game,
            points_low=points_low,
            points_high=points_high,
            win_share=own.win_share,
            wins_low=wins_low,
            wins_high=wins_high,
            faults=own.faults,
            withdrawn=own.is_withdrawn,
        )


def _certified(rows: Iterable[LeaderboardRow], certificate: Certificate) -> Rows:
    by_name = {row.bot: row for row in rows}
    ranges = certificate.rank_ranges()
    firsts = sorted({best for best, _ in ranges.values()})
    return tuple(
        [
            replace(
                by_name[name],
                rank=rank,
                best_rank=best,
                worst_rank=worst,
                tier=1 + firsts.index(best),
                open_tier=True,
            )
            for rank, (name, (best, worst)) in enumerate(ranges.items(), 1)
            if name in by_name
        ]
    )


def _ranked(rows: Sequence[LeaderboardRow], model: BoardModel, *, by_score: bool) -> Rows:
    value = {row.bot: row.rating for row in rows}
    if by_score:
        value = {score.bot: score.score or 0.0 for score in model.scores}
    ranked = sorted(rows, key=lambda row: (row.score is None, -value[row.bot], row.bot))
    seated = [row.bot for row in ranked if row.score is not None]
    sure = model.gaps.sure_in(seated)
    tiers = _tiers(sure)
    numbers = np.array(tiers)
    in_own_tier = sure & (numbers[:, None] == numbers)
    settled = {*numbers[in_own_tier.any(axis=1)].tolist()}
    ranked_rows = []
    rank = 1
    for place, (row, tier) in enumerate(zip(ranked, tiers, strict=False)):
        if value[row.bot] != value[ranked[place - 1].bot]:
            rank = 1 + place
        better = 1 + place + np.flatnonzero(sure[1 + place :, place])
        outscored_by = tuple([seated[below] for below in better.tolist()])
        is_open = tier not in settled
        ranked_rows.append(
            replace(row, rank=rank, tier=tier, open_tier=is_open, outscored_by=outscored_by)
        )
    return (*ranked_rows, *[replace(row, rank=1 + len(seated)) for row in ranked[len(seated) :]])


def _tiers(sure: NDArray[np.bool_]) -> list[int]:
    tiers, tier, last = [], 0, -1
    for place, row in enumerate(sure):
        tier += place > last
        tiers.append(tier)
        unsure = place + np.flatnonzero(~row[place:])
        last = max(last, int(unsure[-1]))
    return tiers


def _with_certainties(rows: Rows, gaps: Gaps) -> Iterator[LeaderboardRow]:
    names = [row.bot for row in rows]
    for place, row in enumerate(rows):
        neighbours = names[max(0, place - 1) : place] + names[place + 1 : place + 2]
        others = {*gaps.opponents(row.bot), *neighbours}
        known = [(other, gaps.certainty(row.bot, other)) for other in sorted(others)]
        certainty = {other: value for other, value in known if value is not None}
        yield replace(row, certainty=certainty)
