"""Compute the scores of bots from their results on complete boards.

A bot's score is the share of opponents that it is expected to beat if opponents are chosen at
random. Scores are based on a model in which every bot has a strength. The strength of a side is
the sum of its bots' strengths. The predicted result of a side is 0.5 plus its own strength minus
the mean strength of the opposing sides. The model is fitted by least squares, as explained in
`docs/ratings.md`.
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

# The standard error of a score is at least MIN_BOARDS divided by the number of boards.
MIN_BOARDS = 0.5
# Further digits depend on the machine.
DECIMALS = 12


class Score(msgspec.Struct, frozen=True):
    bot: str
    boards: int
    compared_with: int  # number of other bots with comparable scores
    score: float | None
    low: float | None
    high: float | None  # of the 95% interval; None if there are too few boards
    best_rank: int
    worst_rank: int


class BoardModel(NamedTuple):
    scores: tuple[Score, ...]
    """Scores in descending order. Bots without a score come last."""
    estimates: Mapping[str, Estimate | None]
    """Each bot's score and its standard error, or None if the error is unknown."""
    gaps: Gaps
    interplay: float
    boards: int


def tables_of(names: Sequence[str], boards: Iterable[BoardShares]) -> list[BoardTable]:
    by_sizes: dict[tuple[int, ...], list[BoardShares]] = defaultdict(list)
    for board in boards:
        by_sizes[tuple(map(len, board.sides))].append(board)
    numbers = {name: number for number, name in enumerate(names)}
    return [BoardTable(own, numbers) for _, own in sorted(by_sizes.items())]


def fit_boards(names: Iterable[str], boards: Iterable[BoardShares]) -> BoardModel:
    names, boards = sorted(names), list(boards)
    if not boards:
        return _model([(name, 0, 0, None, None) for name in names], no_gaps(names), 0.0, 0)
    tables = tables_of(names, boards)
    solution = solve(tables, len(names))
    if not all(board.is_sample for board in boards):
        solution = solution._replace(freedom=0.0)  # the errors of such boards are unknown
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
    """Average each bot's scores over several games, giving each game the same weight. All given
    bots must play all games.
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


def _model(
    rows: Sequence[tuple[str, int, int, float | None, Estimate | None]],
    gaps: Gaps,
    interplay: float,
    boards: int,
) -> BoardModel:
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
    seated = len(scores) - scores.count(None)
    for index, score in enumerate(scores):
        boards = float(solution.boards[index, index])
        degrees, alike = boards * solution.freedom - 1, int(solution.is_comparable[index].sum())
        if score is None or degrees < MIN_DEGREES or not alike or 1 + alike < seated:
            yield None
        else:
            variance = max(0.0, float(solution.covariance[index, index]))
            yield Estimate(score, max(math.sqrt(variance), MIN_BOARDS / boards), degrees)
