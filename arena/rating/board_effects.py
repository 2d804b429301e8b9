"""The normal equations of the scores of boards, from how often each two entrants met.

A score is explained as the sum of the effects of its entrant, its opponents and its partners. With
n entrants, entrant i has number i as itself, n + i as an opponent and 2 n + i as a partner.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

Met = tuple[int, int, int]
"""Two entrants, and the number of boards on which they met."""


def board_matrix(
    entrants: int, at_places: Sequence[Sequence[int]], side_of: Sequence[int]
) -> list[list[int]]:
    """Return the matrix of the normal equations: of how many scores two effects are both a part.

    It is `effects_matrix` of all scores, in a fourth of the time. Each entrant of a board has a
    score there, so two that met are together in the scores of both, and of all others on the board.

    Args:
        entrants: their number.
        at_places: by place of a board, its entrants, board by board.
        side_of: by place, its side. All sides have the same number of members.
    """
    n, members = entrants, side_of.count(side_of[0])
    partners, others = members - 1, len(side_of) - members
    width = (3 if partners else 2) * n
    matrix = [[0] * width for _ in range(width)]
    for one, boards in Counter([one for place in at_places for one in place]).items():
        for first, scores in ((0, 1), (n, others), (2 * n, partners)):
            if scores:
                matrix[first + one][first + one] = boards * scores
    for one, other, boards in _met(at_places, side_of, as_partners=False):
        matrix[one][n + other] += boards
        matrix[n + one][n + other] += boards * (others - members)
        if partners:
            matrix[n + one][2 * n + other] += boards * partners
    for one, other, boards in _met(at_places, side_of, as_partners=True):
        matrix[one][2 * n + other] += boards
        matrix[n + one][n + other] += boards * others
        matrix[2 * n + one][2 * n + other] += boards * (partners - 1)
    for one, row in enumerate(matrix):
        for other in range(one):
            row[other] = matrix[other][one]
    return matrix


def _met(
    at_places: Sequence[Sequence[int]], side_of: Sequence[int], *, as_partners: bool
) -> Iterator[Met]:
    """Yield each two entrants that met, in both orders."""
    for one, other in combinations(range(len(side_of)), 2):
        if (side_of[one] == side_of[other]) == as_partners:
            pairs = Counter(zip(at_places[one], at_places[other], strict=True))
            for (first, second), boards in pairs.items():
                yield first, second, boards
                yield second, first, boards
