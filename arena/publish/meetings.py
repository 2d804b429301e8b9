"""Collect head-to-head results and each bot's heaviest defeats."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from arena.base.record import GameRecord
from arena.publish.notable_games import BotBoard, Scale, WorstBoards, worst_boards
from engine import Variant


class _Counts:
    def __init__(self) -> None:
        self.boards = self.games = 0
        self.ahead = self.margin = 0.0


class PairLine(NamedTuple):
    """The head-to-head result of two bots in one variant, from the first bot's perspective."""

    variant: str
    boards: int
    ahead: float
    """Fraction of games in which the first bot of the pair ranked ahead of the second bot. A tie
    counts as half a game."""
    margin: float


class PairPage(NamedTuple):
    names: tuple[str, str]  # the bot that ranked ahead more often comes first
    boards: int
    ahead: float
    lines: list[PairLine]
    worst: list[tuple[str, str, BotBoard]]  # bot, opponent, worst board against the opponent


class Meetings:
    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], dict[str, _Counts]] = defaultdict(dict)
        self._worst: dict[tuple[str, str], dict[str, WorstBoards]] = defaultdict(dict)

    def add(self, records: Sequence[GameRecord], variant: Variant) -> None:
        is_clean = not any(record.faults for record in records)
        for pair in combinations(sorted(records[0].entrants), 2):
            seats = [tuple(map(record.entrants.index, pair)) for record in records]
            if any({*seats[0]} <= {*side} for side in variant.sides):
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
        self, scales: Mapping[str, Scale], wanted: Collection[tuple[str, ...]] | None = None
    ) -> dict[tuple[str, str], PairPage]:
        """Return the head-to-head results of each pair of bots, sorted by the names of the bots.

        Pass `wanted` to include only certain pairs of bots.
        """
        met = [pair for pair in self._counts if wanted is None or pair in wanted]
        return {pair: self._page(pair, scales) for pair in sorted(met)}

    def _page(self, pair: tuple[str, str], scales: Mapping[str, Scale]) -> PairPage:
        counts = self._counts[pair]
        games = sum([own.games for own in counts.values()])
        ahead = sum([own.ahead for own in counts.values()]) / games
        is_turned = ahead < 0.5
        first, second = pair[::-1] if is_turned else pair
        lines = []
        for variant, own in counts.items():
            share, margin = own.ahead / own.games, own.margin / own.games
            turned = (1 - share, -margin) if is_turned else (share, margin)
            lines.append(PairLine(variant, own.boards, *turned))
        worst = [
            (name, other, board)
            for name, other in ((second, first), (first, second))
            for board in worst_boards(self._worst.get((name, other), {}).values(), scales)[:1]
        ]
        boards = sum([own.boards for own in counts.values()])
        lines.sort(key=lambda line: -line.ahead)
        return PairPage((first, second), boards, max(ahead, 1 - ahead), lines, worst)
