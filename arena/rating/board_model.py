"""The order-free score: what complete boards say of the strength of their entrants.

The score of a bot is the share of opponents that it is placed before, at a table drawn at random
from the field. The share of a side is explained as one half, plus the strengths of its members,
less the mean strength of the other sides, by least squares over all boards. Sums are exact or come
in the order of the boards' numbers, so the order of games changes no bit. `docs/scores.md` explains
it and has the formulas.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

import msgspec

from arena.rating.board_fit import (
    Counted,
    Errors,
    Strengths,
    count,
    errors,
    fit_strengths,
    interplay,
)
from arena.rating.board_sums import BoardSums
from arena.rating.complete_boards import BoardShares
from arena.rating.estimates import MIN_DEGREES, Estimate, combine, quantile

ALPHA = 0.05
MIN_BOARDS = 0.5
"""Boards that could have gone otherwise: a score is at least as uncertain as they make it."""
DECIMALS = 12
"""Decimals of scores: those that are equal when rounded are sorted by name."""
Gaps = Mapping[tuple[str, str], Estimate]
"""The score of the first bot minus that of the second, by two comparable bots."""


class Score(msgspec.Struct, frozen=True):
    """The score of a bot."""

    bot: str
    boards: int
    compared_with: int
    """The number of other bots with which it is comparable."""
    score: float | None
    """None before its first board."""
    low: float | None
    high: float | None
    """Bounds of its 95 % interval; None after too few boards."""
    best_rank: int
    worst_rank: int
    """The ranges of all bots are right together in 95 % of runs."""


class BoardModel(NamedTuple):
    """The model of the entrants that complete boards give."""

    scores: tuple[Score, ...]
    """Best first; equal scores are sorted by name, and bots without a score come last."""
    estimates: Mapping[str, Estimate | None]
    """By bot its score with its error; None if nothing can be said of the error."""
    gaps: Gaps
    """In both orders."""
    sure: frozenset[tuple[str, str]]
    """Pairs of which the first is better: all of them are right together in 95 % of runs."""
    interplay: float
    """The typical distance of meetings from what the scores say."""
    boards: int

    def certainty(self, bot: str, other: str) -> float | None:
        """Return how certain it is that `bot` is better than `other`, for this pair alone.

        None if they are not comparable, or there are too few boards.
        """
        gap = self.gaps.get((bot, other))
        return 1 - gap.doubt if gap and gap.is_known else None

    def certainties(self, bot: str) -> dict[str, float]:
        """Return `certainty` over each other bot of which it is known, by name."""
        others = sorted([score.bot for score in self.scores])
        known = [(other, self.certainty(bot, other)) for other in others]
        return {other: value for other, value in known if value is not None}


def fit_boards(sums: BoardSums) -> BoardModel:
    """Return what the boards of one game say of all entrants."""
    names, boards = sums.names, sums.boards
    if not boards:
        return _model([(name, 0, 0, None, None) for name in names], {}, 0.0, 0)
    strengths = fit_strengths(sums)
    counted = count(sums, strengths)
    both = errors(sums, strengths, counted)
    scores = [_score(index, strengths, counted) for index in range(len(names))]
    gaps = {
        (names[better], names[other]): gap
        for better, other, gap in _gaps(scores, strengths, counted, both)
    }
    rows = [
        (
            name,
            counted.boards[index],
            len(strengths.alike[index]),
            scores[index],
            _estimate(index, scores, strengths, counted, both),
        )
        for index, name in enumerate(names)
    ]
    return _model(rows, gaps, interplay(sums, strengths.values), boards)


def mean_over_games(models: Sequence[BoardModel], names: Iterable[str]) -> BoardModel:
    """Return what several games say together of `names`, who play all of them.

    A score is the mean of the scores in the games, each of which counts alike. Deals of different
    games are independent, and so are the errors.
    """
    by_game = [{score.bot: score for score in model.scores} for model in models]
    names = sorted(names)
    rows = []
    for name in names:
        own = [scores[name] for scores in by_game]
        values = [score.score for score in own if score.score is not None]
        rows.append(
            (
                name,
                sum([score.boards for score in own]),
                min([score.compared_with for score in own]),
                math.fsum(values) / len(own) if len(values) == len(own) else None,
                combine([(1.0, model.estimates[name]) for model in models]),
            )
        )
    gaps = {}
    for pair in permutations(names, 2):
        found = [model.gaps[pair] for model in models if pair in model.gaps]
        if len(found) == len(models):
            whole = combine([(1.0, gap if gap.is_known else None) for gap in found])
            mean = math.fsum([gap.mean for gap in found]) / len(found)
            gaps[pair] = whole or Estimate(mean, math.inf, 0.0)
    squares = math.fsum([model.interplay**2 for model in models])
    boards = sum([model.boards for model in models])
    return _model(rows, gaps, math.sqrt(squares / len(models)), boards)


class GameSums:
    """Boards of one or several games, to which more can be added."""

    def __init__(self, entrants: Iterable[str], boards: Iterable[BoardShares] = ()) -> None:
        """Make sums over `boards` for `entrants`, who include all that ever sit at them."""
        self._entrants = list(entrants)
        self._by_game: dict[str, BoardSums] = {}
        for board in boards:
            self.add(board)

    def add(self, board: BoardShares) -> None:
        """Add a complete board."""
        if board.game not in self._by_game:
            self._by_game[board.game] = BoardSums(self._entrants)
        self._by_game[board.game].add(board)

    def fit(self) -> BoardModel:
        """Return what the boards say: of their game, or of the mean over their games."""
        models = [fit_boards(sums) for sums in self._by_game.values()]
        if len(models) > 1:
            return mean_over_games(models, self._entrants)
        return models[0] if models else fit_boards(BoardSums(self._entrants))


def _model(
    rows: Sequence[tuple[str, int, int, float | None, Estimate | None]],
    gaps: Gaps,
    interplay: float,
    boards: int,
) -> BoardModel:
    """Return a model, given of each bot its name, boards, comparable bots, score and estimate."""
    names = [name for name, *_ in rows]
    sure = _sure_pairs(names, gaps)
    above, below = Counter([worse for _, worse in sure]), Counter([better for better, _ in sure])
    scores = []
    for name, own_boards, alike, score, estimate in rows:
        low, high = estimate.interval() if estimate else (None, None)
        if low is not None and high is not None:
            low, high = max(0.0, low), min(1.0, high)
        best, worst = 1 + above[name], len(names) - below[name]
        scores.append(Score(name, own_boards, alike, score, low, high, best, worst))
    scores.sort(key=lambda row: (row.score is None, -round(row.score or 0.0, DECIMALS), row.bot))
    estimates = {name: estimate for name, *_, estimate in rows}
    return BoardModel(tuple(scores), estimates, gaps, sure, interplay, boards)


def _score(index: int, strengths: Strengths, counted: Counted) -> float | None:
    """Return the score of an entrant, or None before its first board (sections 3 and 6)."""
    alike = strengths.alike[index]
    if not counted.boards[index]:
        return None
    if not alike:
        return counted.mean_shares[index]
    others = math.fsum([strengths.values[other] for other in alike]) / len(alike)
    return 0.5 + strengths.values[index] - others + counted.mean_residuals[index]


def _estimate(
    index: int, scores: Sequence[float | None], strengths: Strengths, counted: Counted, both: Errors
) -> Estimate | None:
    """Return a score with its error (section 4), or None after too few boards.

    Nothing is said either while some bots can not be compared: those of other groups would have to
    be at the table that the score is about (section 8).
    """
    score, number = scores[index], counted.numbers[index]
    degrees, alike = number * strengths.freedom - 1, len(strengths.alike[index])
    if score is None or degrees < MIN_DEGREES:
        return None
    if not alike or 1 + alike < sum(map(bool, counted.boards)):
        return None
    return Estimate(score, _error(both.covariance[index][index], MIN_BOARDS / number), degrees)


def _error(variance: float, least: float) -> float:
    return max(math.sqrt(max(0.0, variance)), least)


def _gaps(
    scores: Sequence[float | None], strengths: Strengths, counted: Counted, both: Errors
) -> Iterator[tuple[int, int, Estimate]]:
    """Yield the gap of each entrant above each comparable one (section 4)."""
    numbers, covariance = counted.numbers, both.covariance
    for bot, alike in enumerate(strengths.alike):
        for other in alike:
            own, theirs = scores[bot], scores[other]
            if own is None or theirs is None or not (numbers[bot] and numbers[other]):
                continue
            variance = covariance[bot][bot] + covariance[other][other] - 2 * covariance[bot][other]
            boards = numbers[bot] + numbers[other] - both.common[bot][other]
            error = _error(variance, math.hypot(1 / numbers[bot], 1 / numbers[other]))
            yield bot, other, Estimate(own - theirs, error, boards * strengths.freedom - 1)


def _sure_pairs(names: Sequence[str], gaps: Gaps) -> frozenset[tuple[str, str]]:
    """Return all pairs of which the first is surely better (section 4)."""
    told = {pair: gap for pair, gap in gaps.items() if gap.is_known and gap.mean > 0}
    if not told:
        return frozenset()
    doubt = ALPHA / (len(names) * (len(names) - 1))
    degrees = [gap.degrees for gap in told.values()]
    least, most = quantile(1 - doubt, max(degrees)), quantile(1 - doubt, min(degrees))
    sure = []
    for pair, gap in told.items():
        t = gap.mean / gap.error
        if t > most or (t > least and gap.doubt < doubt):  # the doubt itself is rarely needed
            sure.append(pair)
    return frozenset(sure)
