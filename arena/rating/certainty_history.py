"""How the certainty of an order grew with the games of a run."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from arena.rating.board_model import fit_boards
from arena.rating.board_shares import BoardShares
from arena.rating.board_sums import BoardSums
from arena.rating.certainty import Border, Certificate
from arena.rating.certainty_course import CertaintyCourse


class CertaintySnapshot(msgspec.Struct, frozen=True):
    """What a part of a run says of each two neighbours of its final order, the best two first."""

    games: int
    """The games of the boards so far."""
    certainty: tuple[float | None, ...]
    """How certain it was that the first is better, for this pair alone; None if it was unknown."""
    borders: tuple[Border, ...]
    """What was certain at any number of games. All are undecided in a run without a stop rule."""


def certainty_history(
    boards: Sequence[BoardShares],
    order: Sequence[str],
    steps: int,
    course: CertaintyCourse | None = None,
) -> list[CertaintySnapshot]:
    """Return how the certainty of an order grew, look by look.

    Args:
        boards: the complete boards in schedule order; extra boards come with their challengers.
        order: all entrants in the final order.
        steps: the number of looks in a run without a stop rule, about.
        course: the course of a run with a stop rule before its first board, which is followed.
            The looks are at the ends of its portions.
    """
    sums, games, pairs = BoardSums(order), 0, list(pairwise(order))
    found = []
    for board, is_look in zip(boards, _looks(boards, steps, course), strict=True):
        sums.add(board)
        games += sum(map(len, board.sides))  # a game for each seat
        if is_look:
            model = fit_boards(sums)
            certainty = tuple([model.certainty(one, other) for one, other in pairs])
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
    names = [one.better for one in neighbours]
    lines = {
        frozenset(names[:place]) for place, one in enumerate(neighbours, 1) if one.border == "line"
    }
    close = {frozenset((one.better, one.worse)) for one in neighbours if one.border == "close"}
    found: list[Border] = []
    for place, pair in enumerate(pairwise(order), 1):
        if frozenset(order[:place]) in lines:
            found.append("line")
        else:
            found.append("close" if frozenset(pair) in close else "undecided")
    return tuple(found)
