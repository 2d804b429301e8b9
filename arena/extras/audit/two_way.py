"""Tables of pairs of bots: what a pair has beyond what its two bots have with all others."""

from collections import defaultdict
from collections.abc import Mapping
from statistics import median
from typing import NamedTuple

Pair = tuple[str, str]

MAX_SWEEPS = 20
PRECISION = 1e-9
MEDIAN_VARIANCE = 1.57
"""The variance of a median over that of a mean, for normal values: pi / 2."""


class Cell(NamedTuple):
    """The estimate of an ordered pair."""

    value: float
    error: float
    degrees: float
    boards: int


def excesses(cells: Mapping[Pair, Cell]) -> dict[Pair, Cell]:
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
            moved = max([moved, *[abs(one) for one in medians.values()]])
        if moved < PRECISION:
            break
    return {
        pair: cell._replace(value=residuals[pair], error=_error(cells, pair))
        for pair, cell in cells.items()
    }


def _error(cells: Mapping[Pair, Cell], pair: Pair) -> float:
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
