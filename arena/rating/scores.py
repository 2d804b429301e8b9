"""The order-free score: what complete boards say of the strength of their entrants.

The score of a bot is the share of opponents that it is placed before, at a table drawn at random
from the field. The share of a side is explained as one half, plus the strengths of its members,
less the mean strength of the other sides, by least squares over all boards. The order of boards
changes no bit. `docs/ratings.md` explains it and has the formulas, `score_equations` solves them.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from arena.rating.complete_boards import BoardShares
from arena.rating.gaps import Gaps, gaps_of, mean_gaps, no_gaps
from arena.rating.intervals import MIN_DEGREES, Estimate, combine
from arena.rating.score_equations import BoardTable, Solution, interplay, solve

MIN_BOARDS = 0.5
"""Boards that could have gone otherwise: a score is at least as uncertain as they make it."""
DECIMALS = 12
"""Decimals of scores and their bounds. What follows depends on the machine."""


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
    interplay: float
    """The typical distance of meetings from what the scores say."""
    boards: int


def tables_of(names: Sequence[str], boards: Iterable[BoardShares]) -> list[BoardTable]:
    """Return boards as arrays; `names` are those of all who sit at them, by number."""
    by_sizes: dict[tuple[int, ...], list[BoardShares]] = defaultdict(list)
    for board in boards:
        by_sizes[tuple(map(len, board.sides))].append(board)
    numbers = {name: number for number, name in enumerate(names)}
    return [BoardTable(own, numbers) for _, own in sorted(by_sizes.items())]


def fit_boards(names: Iterable[str], boards: Iterable[BoardShares]) -> BoardModel:
    """Return what the boards of one game say of `names`, among whom are all that sit at them."""
    names, boards = sorted(names), list(boards)
    if not boards:
        return _model([(name, 0, 0, None, None) for name in names], no_gaps(names), 0.0, 0)
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
    gaps = gaps_of(names, solution)
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
    gaps = mean_gaps([model.gaps for model in models], names)
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
    """Return a model, given the name, boards, comparable bots, score and estimate of each bot."""
    above, below = gaps.is_sure.sum(axis=0).tolist(), gaps.is_sure.sum(axis=1).tolist()
    scores = []
    for place, (name, own_boards, alike, score, estimate) in enumerate(rows):
        low, high = estimate.interval() if estimate else (None, None)
        if low is not None and high is not None:
            low, high = max(0.0, round(low, DECIMALS)), min(1.0, round(high, DECIMALS))
        best, worst = 1 + above[place], len(rows) - below[place]
        scores.append(Score(name, own_boards, alike, score, low, high, best, worst))
    scores.sort(key=lambda row: (row.score is None, -(row.score or 0.0), row.bot))
    estimates = {name: estimate for name, *_, estimate in rows}
    return BoardModel(tuple(scores), estimates, gaps, interplay, boards)


def _estimates(solution: Solution, scores: Sequence[float | None]) -> Iterator[Estimate | None]:
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
