"""Collect head-to-head results of pairs of bots, by variant, and their worst boards."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import msgspec

from arena.base.record import GameRecord
from arena.publish.notable_games import (
    WORST_BOARDS,
    BotBoard,
    Scale,
    WorstBoards,
    worst_boards,
)
from engine import Variant

MAX_PAIR_BOARDS = 150
"""Approximate number of boards listed on all pages that compare two bots. Each of them gets a
replay.
"""


class _Counts:
    def __init__(self) -> None:
        self.boards = self.games = 0
        self.ahead = self.margin = 0.0


class PairLine(NamedTuple):
    """Results between two bots in a variant, as seen by the first bot."""

    variant: str
    boards: int
    ahead: float
    """Share of games in which the first bot finished ahead of the second. A tie counts as half."""
    margin: float


class PairPage(msgspec.Struct, frozen=True):
    names: tuple[str, str]
    """Both bots. The bot that ranks ahead more often comes first."""
    boards: int
    ahead: float
    """Share of games in which the first bot ranked ahead. A tie counts as half."""
    lines: tuple[PairLine, ...]
    worst: tuple[tuple[str, list[BotBoard]], ...]
    """Each bot's worst boards against the other bot, starting with the weaker bot. The tuple is
    empty if pairs that are closer in the table already fill `MAX_PAIR_BOARDS`.
    """

    def decisive_games(self) -> Iterator[tuple[str, str]]:
        """For each board, yield the key of the game with the heaviest defeat, and a link text."""
        for name, boards in self.worst:
            others = [bot for bot in self.names if bot != name]
            for board in boards:
                yield board.heaviest(name, others).key, f"where {name} lost most to {others[0]}"


class Meetings:
    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], dict[str, _Counts]] = defaultdict(dict)
        self._worst: dict[tuple[str, str], dict[str, WorstBoards]] = defaultdict(dict)

    def add(self, records: Sequence[GameRecord], variant: Variant) -> None:
        is_clean = not any(record.faults for record in records)
        for pair in combinations(sorted(records[0].entrants), 2):
            seats = [tuple(map(record.entrants.index, pair)) for record in records]
            if any(first in side and second in side for first, second in seats[:1]
                   for side in variant.sides):  # fmt: skip
                continue
            counts = self._counts[pair].setdefault(variant.id, _Counts())
            counts.boards += 1
            margins = 0
            for record, (first, second) in zip(records, seats, strict=True):
                rank, other = record.ranks[first], record.ranks[second]
                counts.games += 1
                counts.ahead += 1.0 if rank < other else 0.5 if rank == other else 0.0
                margins += record.points[first] - record.points[second]
            counts.margin += margins
            if is_clean and margins:
                loser = pair if margins < 0 else pair[::-1]
                worst = self._worst[loser].setdefault(variant.id, WorstBoards())
                worst.add(-abs(margins) / len(records), records)

    def pages(
        self,
        places: Mapping[str, int],
        scales: Mapping[str, Scale],
        wanted: Collection[tuple[str, ...]] | None = None,
    ) -> dict[tuple[str, str], PairPage]:
        """Return the page of each pair that met.

        Each pair in `wanted` is in alphabetical order. By default, all pairs get a page.
        """

        def distance(pair: tuple[str, str]) -> tuple[int, int]:
            first, second = [places.get(name, len(places)) for name in pair]
            return abs(first - second), first + second

        met = [pair for pair in self._counts if wanted is None or pair in wanted]
        pairs = sorted(met, key=distance)
        boards = max(1, min(WORST_BOARDS, MAX_PAIR_BOARDS // (2 * len(pairs) or 1)))
        named = frozenset(pairs[: MAX_PAIR_BOARDS // (2 * boards)])
        return {pair: self._page(pair, scales, boards if pair in named else 0) for pair in pairs}

    def _page(self, pair: tuple[str, str], scales: Mapping[str, Scale], number: int) -> PairPage:
        counts = self._counts[pair]
        ahead = _share(counts.values())
        is_turned = ahead < 0.5
        first, second = pair[::-1] if is_turned else pair
        lines = []
        for variant, own in counts.items():
            share, margin = own.ahead / own.games, own.margin / own.games
            turned = (1 - share, -margin) if is_turned else (share, margin)
            lines.append(PairLine(variant, own.boards, *turned))
        worst = [
            (name, worst_boards(self._worst.get((name, other), {}).values(), scales)[:number])
            for name, other in ((second, first), (first, second))
            if number
        ]
        boards = sum([own.boards for own in counts.values()])
        best = sorted(lines, key=lambda line: -line.ahead)
        return PairPage((first, second), boards, max(ahead, 1 - ahead), tuple(best), tuple(worst))


def _share(counts: Iterable[_Counts]) -> float:
    own = list(counts)
    return sum([count.ahead for count in own]) / sum([count.games for count in own])
