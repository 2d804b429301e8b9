"""Two bots against each other: results of pairs, the gap of their scores, and the matrix."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from arena.rating.complete_boards import BoardShares
from arena.rating.intervals import ALPHA, MIN_DEGREES, upper_tail
from arena.rating.score_equations import Departures, departures, solve
from arena.rating.scores import MIN_BOARDS, Score, fit_games, tables_of


class Pair(msgspec.Struct, frozen=True):
    """The result of a bot against an opponent, over the boards on which they met."""

    bot: str
    opponent: str
    boards: int
    ahead: float
    """The share of these boards on which `bot` ranked before `opponent`; a tie counts half."""


def pairs(played: Iterable[BoardShares]) -> list[Pair]:
    """Return the results of all entrants against their opponents, sorted by name."""
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


# -- the gap between two scores --------------------------------------------------------------------


class PairGap(msgspec.Struct, frozen=True):
    """The gap of two bots by the boards of a run."""

    bots: tuple[Score, Score]
    boards_together: int
    """Boards at which both sat. The others count as well, through the opponents."""
    gap: float | None
    """The score of the first bot less that of the second; None if they are not comparable."""
    low: float | None
    high: float | None
    """Bounds of the 95 % interval of the gap; None after too few boards."""
    certainty: float | None
    """The certainty that the first bot is better; None after too few boards."""


def pair_gap(boards: Sequence[BoardShares], names: Sequence[str], pair: tuple[str, str]) -> PairGap:
    """Return the gap between two of the entrants `names` (`docs/ratings.md`).

    It is the mean over the games that both have played.
    """
    both = [{board.game for board in boards if bot in board.entrants} for bot in pair]
    model = fit_games(names, [board for board in boards if board.game in both[0] & both[1]])
    scores = {score.bot: score for score in model.scores}
    gap = model.gaps.get(*pair)
    low, high = gap.interval() if gap and gap.is_known else (None, None)
    return PairGap(
        bots=(scores[pair[0]], scores[pair[1]]),
        boards_together=sum([board.entrants.issuperset(pair) for board in boards]),
        gap=gap.mean if gap else None,
        low=None if low is None else max(-1.0, low),
        high=None if high is None else min(1.0, high),
        certainty=model.gaps.certainty(*pair),
    )


# -- the matrix of results beside what scores say --------------------------------------------------


class PairResult(msgspec.Struct, frozen=True):
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


def result_matrix(boards: Sequence[BoardShares], names: Sequence[str]) -> list[PairResult]:
    """Return the results of the entrants `names` against each other, sorted by name.

    `docs/ratings.md` has the test.
    """
    if not boards:
        return []
    names = sorted(names)
    tables = tables_of(names, boards)
    met = list(departures(tables, solve(tables, len(names)).strengths))
    doubt = ALPHA / (2 * max(1, len(met)))
    cells = []
    for found in met:
        first, second = [names[number] for number in found.pair]
        share, boards_met = found.share, found.boards
        expected = min(1.0, max(0.0, share - found.mean))
        departs = _departs(found, share - expected, doubt)
        cells.append(PairResult(first, second, boards_met, share, expected, departs))
        cells.append(PairResult(second, first, boards_met, 1 - share, 1 - expected, departs))
    return sorted(cells, key=lambda cell: (cell.bot, cell.opponent))


def _departs(found: Departures, departure: float, doubt: float) -> bool:
    """Return whether a mean departure is so large by chance with a probability below `doubt`."""
    degrees = found.boards - 1
    if degrees < MIN_DEGREES:
        return False
    error = max(math.sqrt(found.variance / found.boards), MIN_BOARDS / found.boards)
    return upper_tail(abs(departure) / error, degrees) < doubt
