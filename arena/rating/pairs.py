"""Results of each entrant against each other."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

import msgspec

from arena.rating.board_result import complete_results
from arena.record import AnyResult
from engine import Variant


class Pair(msgspec.Struct, frozen=True):
    """The result of a bot against an opponent, over the boards on which they met."""

    bot: str
    opponent: str
    boards: int
    ahead: float
    """The share of these boards on which `bot` ranked before `opponent`; a tie counts half."""


def pairs(records: Iterable[AnyResult], variants: Mapping[str, Variant]) -> list[Pair]:
    """Return the results of all entrants against their opponents, sorted by name."""
    boards: dict[tuple[str, str], int] = defaultdict(int)
    ahead: dict[tuple[str, str], float] = defaultdict(float)
    for result in complete_results(records, variants):
        sides = list(zip(result.sides, result.ranks, strict=True))
        for side, rank in sides:
            for other, other_rank in sides:
                for pair in [(a, b) for a in side for b in other if side is not other]:
                    boards[pair] += 1
                    ahead[pair] += 1.0 if rank < other_rank else 0.5 if rank == other_rank else 0.0
    return [Pair(*pair, boards[pair], ahead[pair] / boards[pair]) for pair in sorted(boards)]
