"""The order-free score: what complete boards say of the strength of their entrants.

The score of a bot is the share of opponents that it is placed before, at a table drawn at random
from the field. The share of a side is explained as one half, plus the strengths of its members,
less the mean strength of the other sides, by least squares over all boards. The order of boards
changes no bit. `docs/ratings.md` explains it and has the formulas, `score_equations` solves them.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from arena.rating.complete_boards import BoardShares
from arena.rating.intervals import MIN_DEGREES, Estimate, combine, quantile

if TYPE_CHECKING:
    from arena.rating.score_equations import BoardTable, Solution

ALPHA = 0.05
MIN_BOARDS = 0.5
"""Boards that could have gone otherwise: a score is at least as uncertain as they make it."""
DECIMALS = 12
"""Decimals of scores and their bounds. What follows depends on the machine."""
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


def tables_of(names: Sequence[str], boards: Iterable[BoardShares]) -> "list[BoardTable]":
    """Return boards as arrays; `names` are those of all who sit at them, by number."""
    from arena.rating.score_equations import BoardTable

    by_sizes: dict[tuple[int, ...], list[BoardShares]] = defaultdict(list)
    for board in boards:
        by_sizes[tuple(map(len, board.sides))].append(board)
    numbers = {name: number for number, name in enumerate(names)}
    return [BoardTable(own, numbers) for _, own in sorted(by_sizes.items())]


def fit_boards(names: Iterable[str], boards: Iterable[BoardShares]) -> BoardModel:
    """Return what the boards of one game say of `names`, among whom are all that sit at them."""
    names, boards = sorted(names), list(boards)
    if not boards:
        return _model([(name, 0, 0, None, None) for name in names], {}, 0.0, 0)
    from arena.rating.score_equations import interplay, solve

    tables = tables_of(names, boards)
    solution = solve(tables, len(names))
    own_boards = solution.boards.diagonal().astype(int).tolist()
    scores = [
        score if number else None
        for score, number in zip(solution.scores.tolist(), own_boards, strict=True)
    ]
    comparable = solution.is_comparable.sum(axis=1).tolist()
    estimates = _estimates(solution, scores)
    rows = list(zip(names, own_boards, comparable, scores, estimates, strict=True))
    gaps = {(names[bot], names[other]): gap for bot, other, gap in _gaps(solution, scores)}
    return _model(rows, gaps, interplay(tables, solution.strengths), len(boards))


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
                round(math.fsum(values) / len(own), DECIMALS) if len(values) == len(own) else None,
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


def fit_games(names: Iterable[str], boards: Iterable[BoardShares]) -> BoardModel:
    """Return what boards say of `names`: those of one game, or the mean over several games."""
    names = list(names)
    by_game: dict[str, list[BoardShares]] = defaultdict(list)
    for board in boards:
        by_game[board.game].append(board)
    models = [fit_boards(names, own) for own in by_game.values()]
    if len(models) > 1:
        return mean_over_games(models, names)
    return models[0] if models else fit_boards(names, [])


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
            low, high = max(0.0, round(low, DECIMALS)), min(1.0, round(high, DECIMALS))
        best, worst = 1 + above[name], len(names) - below[name]
        scores.append(Score(name, own_boards, alike, score, low, high, best, worst))
    scores.sort(key=lambda row: (row.score is None, -(row.score or 0.0), row.bot))
    estimates = {name: estimate for name, *_, estimate in rows}
    return BoardModel(tuple(scores), estimates, gaps, sure, interplay, boards)


def _estimates(solution: "Solution", scores: Sequence[float | None]) -> Iterator[Estimate | None]:
    """Yield each score with its error, or None after too few boards.

    Nothing is said either while some bots can not be compared: those of other groups would have to
    be at the table that the score is about.
    """
    seated = len(scores) - scores.count(None)
    for index, score in enumerate(scores):
        boards = float(solution.boards[index, index])
        degrees, alike = boards * solution.freedom - 1, int(solution.is_comparable[index].sum())
        if score is None or degrees < MIN_DEGREES or not alike or 1 + alike < seated:
            yield None
        else:
            variance = max(0.0, float(solution.covariance[index, index]))
            yield Estimate(score, max(math.sqrt(variance), MIN_BOARDS / boards), degrees)


def _gaps(
    solution: "Solution", scores: Sequence[float | None]
) -> Iterator[tuple[int, int, Estimate]]:
    """Yield the gap of each entrant above each comparable one."""
    boards, covariance = solution.boards.tolist(), solution.covariance.tolist()
    comparable = solution.is_comparable.tolist()
    for bot, other in permutations(range(len(scores)), 2):
        own, theirs = scores[bot], scores[other]
        if not comparable[bot][other] or own is None or theirs is None:
            continue
        variance = covariance[bot][bot] + covariance[other][other] - 2 * covariance[bot][other]
        least = math.hypot(1 / boards[bot][bot], 1 / boards[other][other])
        both = boards[bot][bot] + boards[other][other] - boards[bot][other]
        error = max(math.sqrt(max(0.0, variance)), least)
        yield bot, other, Estimate(own - theirs, error, both * solution.freedom - 1)


def _sure_pairs(names: Sequence[str], gaps: Gaps) -> frozenset[tuple[str, str]]:
    """Return all pairs of which the first is surely better."""
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
