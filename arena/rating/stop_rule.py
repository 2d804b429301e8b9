"""The stop rule: when enough boards are played to be certain of an order.

A *line* between two neighbours of the table says that every bot above it is better than every bot
below it. Neighbours are *close* if their scores differ by less than epsilon. A table is certain
when all neighbours have one or the other. All of these statements are right together in 95 % of
runs, however often one looks. The boards of a variant are played in portions, with a look at the
end of each, so the course of a run depends neither on the speed of the workers nor on where it was
stopped. `docs/ratings.md` ("When a run is certain") has the formulas and the sizes.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec
import numpy as np

from arena.rating.certificate import EPSILON, Border, Certificate, Neighbours, StopRule
from arena.rating.complete_boards import BoardShares
from arena.rating.intervals import ALPHA
from arena.rating.score_equations import Array
from arena.rating.scores import BoardModel, fit_boards, fit_games

# -- looks -----------------------------------------------------------------------------------------


class Looks:
    """The looks at a table so far."""

    def __init__(self, epsilon: float = EPSILON, confidence: float = 1 - ALPHA) -> None:
        """Begin without a look.

        Args:
            epsilon: scores that differ by less are close, above 0.
            confidence: the probability that all that is said is right together, below 1.
        """
        self.epsilon = epsilon
        self.confidence = confidence
        self.looks = 0
        self._low: Array | float = -math.inf
        """By two entrants, the highest lower bound of their gap at any look so far."""
        self._most: Array | float = math.inf
        """By two entrants, the lowest upper bound of the size of their gap."""

    def look(self, model: BoardModel) -> Certificate:
        """Take what all boards so far say, and return what is certain now."""
        self.looks += 1
        size, gaps = len(model.scores), model.gaps
        error = np.where(gaps.is_known, gaps.error, 1.0)
        low = gaps.mean - self._half(error, size)
        most = abs(gaps.mean) + self._half(error, size * (size - 1) / 2)
        self._low = np.maximum(self._low, np.where(gaps.is_known, low, -math.inf))
        self._most = np.minimum(self._most, np.where(gaps.is_known, most, math.inf))
        names = [score.bot for score in model.scores]
        places = [gaps.places[name] for name in names]
        is_above = self._low[np.ix_(places, places)] > 0
        neighbours = []
        for place, (better, worse) in enumerate(pairwise(names), 1):
            border: Border = "undecided"
            if is_above[:place, place:].all():
                border = "line"
            elif self._most[places[place - 1], places[place]] < self.epsilon:
                border = "close"
            neighbours.append(Neighbours(better, worse, border, gaps.certainty(better, worse)))
        return Certificate(
            tuple(neighbours), self.confidence, self.epsilon, model.boards, self.looks
        )

    def _half(self, error: Array, statements: float) -> Array:
        return half_width(error, statements, self.epsilon, 1 - self.confidence)


def half_width(error: Array, statements: float, epsilon: float, alpha: float) -> Array:
    """Return the half widths of a confidence sequence that holds at all looks together.

    It is Robbins' normal mixture, for one of `statements` statements that share `alpha`.
    """
    q = (epsilon / error) ** 2
    spread = (1 + 1 / q) * (np.log1p(q) + 2 * math.log(statements / alpha))
    widths: Array = error * np.sqrt(spread)
    return widths


# -- the course of a variant in a run with a stop rule ---------------------------------------------


INITIAL_BOARDS, MAX_BOARDS = 25, 1_600
"""Boards of the smallest portion, and of the largest one."""
GROWTH = 4
"""The boards before a portion, divided by its own boards, once there are many."""


class CertaintyCourse:
    """Follows how certain the order of a variant is, from portion to portion."""

    def __init__(
        self,
        entrants: Iterable[str],
        budget: int,
        rule: StopRule,
        sizes: tuple[int, int] = (INITIAL_BOARDS, MAX_BOARDS),
    ) -> None:
        """Begin before the first board.

        Args:
            entrants: all who play the variant.
            budget: the most boards that may be played, at least 1.
            rule: says when the order is certain.
            sizes: the boards of the smallest and of the largest portion.
        """
        self.budget = budget
        self.certificate: Certificate | None = None
        """The certificate of the last look; None before the first one."""
        self._entrants = list(entrants)
        self._boards: list[BoardShares] = []
        self._looks = Looks(rule.epsilon, rule.confidence / 100)
        self._smallest, self._largest = sizes
        self._before = 0
        """The boards of the portions before the current one."""
        self._added = 0
        """The boards of the current portion that are over."""

    @property
    def portion_boards(self) -> int:
        """The number of boards of the current portion; 0 when the course is over."""
        if self.certificate and self.certificate.is_certain:
            return 0
        grown = self._before // GROWTH if self._before else len(self._entrants)
        return min(max(self._smallest, grown), self._largest, self.budget - self._before)

    @property
    def is_over(self) -> bool:
        """Whether the order is certain, or the budget is played."""
        return not self.portion_boards

    @property
    def portions(self) -> int:
        """The number of portions that are over."""
        return self.certificate.looks if self.certificate else 0

    def add(self, board: BoardShares) -> None:
        """Add the next complete board. After the last one of a portion, a look is taken."""
        self._boards.append(board)
        self._added += 1
        if self._added == self.portion_boards:
            self._before += self._added
            self._added = 0
            self.certificate = self._looks.look(fit_boards(self._entrants, self._boards))


# -- how the certainty of an order grew ------------------------------------------------------------


class CertaintySnapshot(msgspec.Struct, frozen=True):
    """The certainty of neighbours of the final order after a part of the run, the best first."""

    games: int
    """The games of the boards so far."""
    certainty: tuple[float | None, ...]
    """The certainty that the first is better, for this pair alone; None if it was unknown."""
    borders: tuple[Border, ...]
    """The borders certain at any number of games. Without a stop rule all are undecided."""


def certainty_history(
    boards: Sequence[BoardShares],
    order: Sequence[str],
    steps: int,
    course: CertaintyCourse | None = None,
) -> list[CertaintySnapshot]:
    """Return how the certainty of an order grew, look by look.

    Args:
        boards: the complete boards in schedule order.
        order: all entrants in the final order.
        steps: the number of looks in a run without a stop rule, about.
        course: the course of a run with a stop rule before its first board, which is followed.
            The looks are at the ends of its portions.
    """
    games, pairs = 0, list(pairwise(order))
    found = []
    looks = zip(boards, _looks(boards, steps, course), strict=True)
    for number, (board, is_look) in enumerate(looks, 1):
        games += sum(map(len, board.sides))  # a game for each seat
        if is_look:
            model = fit_games(order, boards[:number])
            certainty = tuple([model.gaps.certainty(better, other) for better, other in pairs])
            certificate = course.certificate if course else None
            found.append(CertaintySnapshot(games, certainty, _borders(order, certificate)))
    return found


def _looks(
    boards: Sequence[BoardShares], steps: int, course: CertaintyCourse | None
) -> Iterator[bool]:
    """Yield after each board whether to look."""
    step = max(1, math.ceil(len(boards) / steps))
    for number, board in enumerate(boards, 1):
        if course:
            portions = course.portions
            course.add(board)
            yield course.portions > portions
        else:
            yield number % step == 0 or number == len(boards)


def _borders(order: Sequence[str], certificate: Certificate | None) -> tuple[Border, ...]:
    """Return what a certificate says of an order, which may not be that of the certificate."""
    neighbours = certificate.neighbours if certificate else ()
    names = [neighbour.better for neighbour in neighbours]
    lines = {
        frozenset(names[:place])
        for place, neighbour in enumerate(neighbours, 1)
        if neighbour.border == "line"
    }
    close = {
        frozenset((neighbour.better, neighbour.worse))
        for neighbour in neighbours
        if neighbour.border == "close"
    }
    found: list[Border] = []
    for place, pair in enumerate(pairwise(order), 1):
        if frozenset(order[:place]) in lines:
            found.append("line")
        else:
            found.append("close" if frozenset(pair) in close else "undecided")
    return tuple(found)
