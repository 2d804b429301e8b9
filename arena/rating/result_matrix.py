"""The matrix of results: what each bot did against each other, beside what their scores say."""

import math
from collections.abc import Sequence

import msgspec

from arena.rating.board_fit import fit_strengths
from arena.rating.board_interplay import Departures, departures
from arena.rating.board_model import ALPHA, MIN_BOARDS, MIN_DEGREES
from arena.rating.board_shares import BoardShares
from arena.rating.board_sums import BoardSums
from arena.rating.student_t import upper_tail


class Cell(msgspec.Struct, frozen=True):
    """The result of a bot against an opponent."""

    bot: str
    opponent: str
    boards: int
    """The boards at which they met as opponents."""
    share: float
    """The share of games in which `bot` was placed before, by win weight; a tie counts half."""
    expected: float
    """The share that the strengths of the two give, within 0 and 1."""
    departs: bool
    """Whether the share departs from it beyond chance. In 95 % of runs without any interplay, no
    cell does."""


def result_matrix(boards: Sequence[BoardShares], names: Sequence[str]) -> list[Cell]:
    """Return the results of the entrants `names` against each other, sorted by name.

    Extra boards count for what is expected only. `docs/scores.md`, section 4, has the test.
    """
    if not boards:
        return []
    everything = BoardSums(names, boards)
    balanced = everything
    if any(board.challengers for board in boards):
        balanced = BoardSums(names, [board for board in boards if not board.challengers])
    met = departures(balanced, fit_strengths(everything).values)
    doubt = ALPHA / (2 * max(1, len(met)))
    cells = []
    for (one, other), found in met.items():
        share = found.shares / found.boards
        expected = min(1.0, max(0.0, share - found.total / found.boards))
        departs = _departs(found, share - expected, doubt)
        first, second = balanced.names[one], balanced.names[other]
        cells.append(Cell(first, second, found.boards, share, expected, departs))
        cells.append(Cell(second, first, found.boards, 1 - share, 1 - expected, departs))
    return sorted(cells, key=lambda cell: (cell.bot, cell.opponent))


def _departs(found: Departures, departure: float, doubt: float) -> bool:
    """Return whether a mean departure is so large by chance with a probability below `doubt`."""
    degrees = found.boards - 1
    if degrees < MIN_DEGREES:
        return False
    error = max(math.sqrt(max(0.0, found.variance) / found.boards), MIN_BOARDS / found.boards)
    return upper_tail(abs(departure) / error, degrees) < doubt
