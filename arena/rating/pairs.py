"""Compute head-to-head results."""

from collections import defaultdict
from collections.abc import Iterable

import msgspec

from arena.rating.complete_boards import BoardShares


class Pair(msgspec.Struct, frozen=True):
    bot: str
    opponent: str
    boards: int
    ahead: float  # fraction of boards; a tie counts as half a board


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
