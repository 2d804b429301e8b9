"""Gains of a bot from each other bot at its table, in points.

The points of a bot on a board are fitted as the sum of the effects of the bots that it meets there.
The unit is the board: its rotations share one deal, so only their mean counts.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Literal, NamedTuple

from arena.base.record import GameRecord
from arena.rating.estimates import LeastSquares, Matrix, effects_matrix
from engine import Variant

Relation = Literal["opponent", "partner"]
Pair = tuple[str, str]

MIN_DEGREES = 10
"""Degrees of freedom of a bot's fit below which nothing is said of its gains."""
MIN_BOARDS = 5
"""Boards with a bot, and boards without it, below which nothing is said of the gain from it."""

MAX_SWEEPS = 20
PRECISION = 1e-9
MEDIAN_VARIANCE = 1.57
"""The variance of a median over that of a mean, for normal values: pi / 2."""


class PairEffect(NamedTuple):
    """The estimate of an ordered pair."""

    value: float
    error: float
    degrees: float
    boards: int


class BoardPoints(NamedTuple):
    """The mean points of a bot on a board, and whom it met there."""

    bot: str
    opponents: tuple[str, ...]
    partners: tuple[str, ...]
    points: float


def board_points(board: Sequence[GameRecord], variant: Variant) -> list[BoardPoints]:
    """Return the points of each bot on a complete board."""
    points: dict[str, list[int]] = defaultdict(list)
    for record in board:
        for name, own in zip(record.entrants, record.points, strict=True):
            points[name].append(own)
    seated = board[0].entrants
    found = []
    for side in variant.sides:
        members = [seated[seat] for seat in side]
        opponents = tuple([name for name in seated if name not in members])
        for name in members:
            partners = tuple([member for member in members if member != name])
            mean = math.fsum(points[name]) / len(points[name])
            found.append(BoardPoints(name, opponents, partners, mean))
    return found


def gains(scores: Iterable[BoardPoints]) -> dict[Relation, dict[Pair, PairEffect]]:
    """Return what each bot gains from each other one, by whether they are opponents or partners.

    A gain is in points a game, beyond the mean of all that the bot meets in this relation. Pairs
    that met too rarely, or whose effects the schedule mixes with those of others, are missing.
    """
    by_bot: dict[str, list[BoardPoints]] = defaultdict(list)
    for score in scores:
        by_bot[score.bot].append(score)
    found: dict[Relation, dict[Pair, PairEffect]] = {"opponent": {}, "partner": {}}
    for bot, own in sorted(by_bot.items()):
        for relation, other, cell in _gains_of(own):
            found[relation][bot, other] = cell
    return found


def _gains_of(scores: Sequence[BoardPoints]) -> Iterable[tuple[Relation, str, PairEffect]]:
    """Yield the gains of one bot from those whom it met."""
    met: list[tuple[Relation, str]] = sorted(
        {("opponent", name) for score in scores for name in score.opponents}
        | {("partner", name) for score in scores for name in score.partners}
    )
    number = {who: index for index, who in enumerate(met)}
    columns = [
        [number["opponent", name] for name in score.opponents]
        + [number["partner", name] for name in score.partners]
        for score in scores
    ]
    values = [score.points for score in scores]
    squares = LeastSquares(effects_matrix(list(zip(*columns, strict=True)), len(met)))
    degrees = len(scores) - squares.rank
    if degrees < MIN_DEGREES:
        return
    effects = squares.solve(_sums(columns, values, len(met)))
    fitted = [math.fsum([effects[column] for column in own]) for own in columns]
    residual = math.fsum([(a - b) ** 2 for a, b in zip(values, fitted, strict=True)])
    boards = [sum([index in own for own in columns]) for index in range(len(met))]
    alike = squares.alike()
    for (relation, name), index in number.items():
        peers = [index, *[peer for peer in alike[index] if met[peer][0] == relation]]
        if len(peers) > 1 and MIN_BOARDS <= boards[index] <= len(scores) - MIN_BOARDS:
            contrast = {place: (place == index) - 1 / len(peers) for place in peers}
            gain = math.fsum([weight * effects[place] for place, weight in contrast.items()])
            variance = _variance(squares.inverse, contrast) * residual / degrees
            yield relation, name, PairEffect(gain, math.sqrt(variance), degrees, boards[index])


def _sums(columns: Sequence[Sequence[int]], values: Sequence[float], width: int) -> list[float]:
    """Return by effect the sum of the values that it is part of."""
    sums = [0.0] * width
    for own, value in zip(columns, values, strict=True):
        for column in own:
            sums[column] += value
    return sums


def _variance(inverse: Matrix, contrast: Mapping[int, float]) -> float:
    """Return the variance of a contrast of effects, for values of variance 1."""
    terms = [
        weight * other * inverse[row][column]
        for row, weight in contrast.items()
        for column, other in contrast.items()
    ]
    return max(0.0, math.fsum(terms))


# -- what a pair has beyond what its two bots have with all others ---------------------------------


def excesses(cells: Mapping[Pair, PairEffect]) -> dict[Pair, PairEffect]:
    """Return the part of each cell that the effects of its row and column do not explain.

    The effects are found by median polish, so a few large cells do not change those of others.
    Their errors are added as those of medians.
    """
    residuals = {pair: cell.value for pair, cell in cells.items()}
    for _ in range(MAX_SWEEPS):
        moved = 0.0
        for place in (0, 1):
            lines: dict[str, list[float]] = defaultdict(list)
            for pair, value in residuals.items():
                lines[pair[place]].append(value)
            medians = {name: median(values) for name, values in lines.items()}
            residuals = {pair: value - medians[pair[place]] for pair, value in residuals.items()}
            moved = max([moved, *[abs(moved_by) for moved_by in medians.values()]])
        if moved < PRECISION:
            break
    return {
        pair: cell._replace(value=residuals[pair], error=_error(cells, pair))
        for pair, cell in cells.items()
    }


def _error(cells: Mapping[Pair, PairEffect], pair: Pair) -> float:
    variance = cells[pair].error ** 2
    for place in (0, 1):
        others = [
            cell.error**2
            for other, cell in cells.items()
            if other[place] == pair[place] and other != pair
        ]
        if others:
            variance += MEDIAN_VARIANCE * sum(others) / len(others) ** 2
    return float(variance**0.5)
