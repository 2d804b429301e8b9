"""What the points of a bot gain from each other bot at its table.

The points of a bot on a board are fitted as the sum of the effects of the bots that it meets there.
The unit is the board: its rotations share one deal, so only their mean counts.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from arena.extras.audit.two_way import Cell, Pair
from arena.rating.least_squares import LeastSquares, effects_matrix
from arena.rating.linear_system import Matrix
from arena.record import GameRecord
from engine import Variant

Relation = Literal["opponent", "partner"]

MIN_DEGREES = 10
"""Degrees of freedom of a bot's fit below which nothing is said of its gains."""
MIN_BOARDS = 5
"""Boards with a bot, and boards without it, below which nothing is said of the gain from it."""


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
            partners = tuple([one for one in members if one != name])
            mean = math.fsum(points[name]) / len(points[name])
            found.append(BoardPoints(name, opponents, partners, mean))
    return found


def gains(scores: Iterable[BoardPoints]) -> dict[Relation, dict[Pair, Cell]]:
    """Return what each bot gains from each other one, by whether they are opponents or partners.

    A gain is in points a game, beyond the mean of all that the bot meets in this relation. Pairs
    that met too rarely, or that the schedule does not tell apart from others, are missing.
    """
    by_bot: dict[str, list[BoardPoints]] = defaultdict(list)
    for score in scores:
        by_bot[score.bot].append(score)
    found: dict[Relation, dict[Pair, Cell]] = {"opponent": {}, "partner": {}}
    for bot, own in sorted(by_bot.items()):
        for relation, other, cell in _gains_of(own):
            found[relation][bot, other] = cell
    return found


def _gains_of(scores: Sequence[BoardPoints]) -> Iterable[tuple[Relation, str, Cell]]:
    """Yield the gains of one bot from those whom it met."""
    met: list[tuple[Relation, str]] = sorted(
        {("opponent", name) for one in scores for name in one.opponents}
        | {("partner", name) for one in scores for name in one.partners}
    )
    number = {who: index for index, who in enumerate(met)}
    columns = [
        [number["opponent", name] for name in one.opponents]
        + [number["partner", name] for name in one.partners]
        for one in scores
    ]
    values = [one.points for one in scores]
    squares = LeastSquares(effects_matrix(columns, len(met)))
    degrees = len(scores) - squares.rank
    if degrees < MIN_DEGREES:
        return
    effects = squares.solve(_sums(columns, values, len(met)))
    fitted = [math.fsum([effects[column] for column in own]) for own in columns]
    residual = math.fsum([(a - b) ** 2 for a, b in zip(values, fitted, strict=True)])
    boards = [sum([index in own for own in columns]) for index in range(len(met))]
    alike = squares.alike()
    for (relation, name), index in number.items():
        peers = [index, *[one for one in alike[index] if met[one][0] == relation]]
        if len(peers) > 1 and MIN_BOARDS <= boards[index] <= len(scores) - MIN_BOARDS:
            contrast = {place: (place == index) - 1 / len(peers) for place in peers}
            gain = math.fsum([weight * effects[place] for place, weight in contrast.items()])
            variance = _variance(squares.inverse, contrast) * residual / degrees
            yield relation, name, Cell(gain, math.sqrt(variance), degrees, boards[index])


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
        one * other * inverse[row][column]
        for row, one in contrast.items()
        for column, other in contrast.items()
    ]
    return max(0.0, math.fsum(terms))
