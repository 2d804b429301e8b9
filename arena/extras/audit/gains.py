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
from engine import Variant

Relation = Literal["opponent", "partner"]
Pair = tuple[str, str]

MIN_DEGREES = 10
"""Degrees of freedom of a bot's fit below which nothing is said of its gains."""
MIN_BOARDS = 5
"""Boards with a bot, and boards without it, below which nothing is said of the gain from it."""

MIN_SINGULAR = 1e-10
"""Parts of the largest singular value: what is smaller is 0 but for rounding."""
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
    import numpy as np  # only here, since loading it takes a while

    number = {who: index for index, who in enumerate(met)}
    is_met = np.zeros((len(scores), len(met)))
    for row, score in zip(is_met, scores, strict=True):
        row[[number["opponent", name] for name in score.opponents]] = 1
        row[[number["partner", name] for name in score.partners]] = 1
    values = np.array([score.points for score in scores])
    effects, _, rank, _ = np.linalg.lstsq(is_met, values, rcond=MIN_SINGULAR)
    degrees = len(scores) - int(rank)
    if degrees < MIN_DEGREES:
        return
    inverse = np.linalg.pinv(is_met.T @ is_met, rcond=MIN_SINGULAR, hermitian=True)
    is_open = np.eye(len(met)) - inverse @ (is_met.T @ is_met)
    residual = float(np.sum((values - is_met @ effects) ** 2))
    for (relation, name), index in number.items():
        boards = int(is_met[:, index].sum())
        peers = [
            peer
            for peer in range(len(met))
            if met[peer][0] == relation and np.allclose(is_open[peer], is_open[index], atol=1e-6)
        ]
        if len(peers) > 1 and MIN_BOARDS <= boards <= len(scores) - MIN_BOARDS:
            contrast = np.zeros(len(met))
            contrast[peers] = -1 / len(peers)
            contrast[index] += 1
            variance = max(0.0, float(contrast @ inverse @ contrast)) * residual / degrees
            gain = float(contrast @ effects)
            yield relation, name, PairEffect(gain, math.sqrt(variance), degrees, boards)


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
