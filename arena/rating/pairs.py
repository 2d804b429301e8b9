"""Compute head-to-head results and the result matrix."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from arena.rating.complete_boards import BoardShares
from arena.rating.intervals import ALPHA, MIN_DEGREES, upper_tail
from arena.rating.score_equations import Departures, departures, solve
from arena.rating.scores import MIN_BOARDS, tables_of


class Pair(msgspec.Struct, frozen=True):
    bot: str
    opponent: str
    boards: int
    ahead: float
    """Share of boards on which `bot` ranked above `opponent`. A tie counts as half."""


def pairs(played: Iterable[BoardShares]) -> list[Pair]:
    boards: dict[tuple[str, str], int] = defaultdict(int)
    ahead: dict[tuple[str, str], float] = defaultdict(float)
    for board in played:
        sides = list(zip(board.sides, board.ranks, strict=True))
        for side, rank in sides:
            for other, other_rank in sides:
                for pair in [(a, b) for a in side for b in other if side is not other]:
                    boards[pair] += 1
                    ahead[pair] += 1.0 if rank < other_rank else 0.5 if rank == other_rank else 0.0
    return [Pair(*pair, boards[pair], ahead[pair] / boards[pair]) for pair in sorted(boards)]


# -- the matrix of results beside what scores say --------------------------------------------------


class PairResult(msgspec.Struct, frozen=True):
    bot: str
    opponent: str
    boards: int
    share: float
    """Share of games in which `bot` finished ahead, weighted by `win_weight`. A tie counts as
    half.
    """
    expected: float
    """Share predicted from the strengths of both bots, limited to the range from 0 to 1."""
    departs: bool
    """Whether the result differs from the prediction by more than chance. If predictions are exact,
    no result in the matrix is marked in 95% of runs."""


def result_matrix(boards: Sequence[BoardShares], names: Sequence[str]) -> list[PairResult]:
    """Return the results of all pairs among `names`, sorted by name.

    `docs/ratings.md` describes the test for `departs`.
    """
    if not boards:
        return []
    names = sorted(names)
    tables = tables_of(names, boards)
    met = list(departures(tables, solve(tables, len(names)).strengths))
    doubt = ALPHA / (2 * max(1, len(met)))
    are_samples = all(board.is_sample for board in boards)
    cells = []
    for found in met:
        first, second = [names[number] for number in found.pair]
        share, boards_met = found.share, found.boards
        expected = min(1.0, max(0.0, share - found.mean))
        departs = are_samples and _departs(found, share - expected, doubt)
        cells.append(PairResult(first, second, boards_met, share, expected, departs))
        cells.append(PairResult(second, first, boards_met, 1 - share, 1 - expected, departs))
    return sorted(cells, key=lambda cell: (cell.bot, cell.opponent))


def _departs(found: Departures, departure: float, doubt: float) -> bool:
    degrees = found.boards - 1
    if degrees < MIN_DEGREES:
        return False
    error = max(math.sqrt(found.variance / found.boards), MIN_BOARDS / found.boards)
    return upper_tail(abs(departure) / error, degrees) < doubt
