"""The audit of a variant: its complete boards, and what they say."""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from statistics import NormalDist, median, pstdev

import msgspec

from arena.base.record import GameRecord
from arena.extras.audit.findings import Gain, OpeningDependence, VariantCoverage
from arena.extras.audit.gains import Pair, PairEffect, Relation, board_points, excesses, gains
from arena.extras.audit.gifts import Given, affordable_boards, gift, given_on
from arena.extras.audit.openings import MIN_OPENINGS, Opening, opening_p_value
from arena.extras.audit.situations import Situation, decisions, like_situations
from arena.rating.intervals import upper_tail
from engine import Variant

LEVEL = 0.05
"""The probability that a run in which no bot gains from another shows a gain all the same."""
GIFT_LEVEL = 0.01
"""The same of a gift, given such a gain between bots that favour each other by their styles."""
CERTAIN_LEVEL = 0.001
"""The same of openings and near copies, which are tested alone."""
MIN_GAIN = 0.2
"""The least gain and gift, in standard deviations of the points of a game. Less is a matter of
style: the true gifts of honest bots have a standard deviation of about 0.16 (docs/trust.md)."""
MIN_UNEXPLAINED_GAIN = 0.5
"""The same of a gain whose cause cannot be found, which also needs `CERTAIN_LEVEL`."""
MIN_GIFT = 0.25
"""The least gift, as a part of the gain."""
MAX_GAMES = 3
"""Games that are named for a gain."""

Board = Sequence[GameRecord]


class VariantAudit:
    """The complete boards of a variant, and what they say."""

    def __init__(self, variant: Variant) -> None:
        self.situations: list[Situation] = []
        self._variant = variant
        self._boards: list[Board] = []
        self._openings: dict[str, list[Opening]] = defaultdict(list)
        self._given: dict[int, Given] = {}

    def add(self, board: Board) -> None:
        """Add a complete board."""
        self._boards.append(board)
        made = []
        for record in board:
            own = list(decisions(record, self._variant))
            made += own
            if own and own[0].number == 0:
                others = frozenset(record.entrants) - {own[0].bot}
                self._openings[own[0].bot].append(Opening(own[0], others))
        self.situations += like_situations(made)

    @cached_property
    def cells(self) -> dict[Relation, dict[Pair, PairEffect]]:
        """The gain of each bot from each other one beyond the additive fit, of all boards."""
        scores = [each for board in self._boards for each in board_points(board, self._variant)]
        found = gains(scores)
        return {relation: excesses(cells) if cells else {} for relation, cells in found.items()}

    def large_gains(self, tested: int) -> list[Gain]:
        """Return the significant gains among `tested` ones, surest first, without causes."""
        found = []
        for relation, cells in self.cells.items():
            least, level = self._bounds(relation)
            for (bot, other), cell in cells.items():
                p_value = min(1.0, tested * _p_value(cell))
                if cell.value >= least and p_value < level:
                    found.append(
                        Gain(
                            variant=self._variant.id,
                            bot=bot,
                            other=other,
                            relation=relation,
                            boards=cell.boards,
                            gain=cell.value,
                            error=cell.error,
                            p_value=p_value,
                            games=_best_games(self._boards_of(bot, other), bot),
                        )
                    )
        return sorted(found, key=lambda one: (one.p_value, one.bot, one.other))

    def explain(self, gain: Gain, tested: int) -> Gain:
        """Return a gain with its cause, if that can be found. `tested` gains are explained."""
        if not self._can_explain(gain.relation):
            return gain
        boards = self._boards_of(gain.bot, gain.other)[: affordable_boards(self._boards[0])]
        given = gift(gain.other, gain.bot, [self._given_on(board) for board in boards])
        style = MIN_GAIN * self._points_deviation()
        p_value = min(1.0, tested * _p_value(given._replace(value=given.value - style)))
        is_gift = p_value < GIFT_LEVEL and given.value >= MIN_GIFT * gain.gain
        return msgspec.structs.replace(
            gain,
            cause="gift" if is_gift else "own play",
            gift=given.value,
            gift_error=given.error,
            gift_p_value=p_value,
        )

    def opening_pairs(self) -> list[Pair]:
        """Return the pairs whose openings can be tested: with and without each other."""
        found = []
        for bot, own in sorted(self._openings.items()):
            for other in sorted({name for opening in own for name in opening.others}):
                together = sum([other in opening.others for opening in own])
                if MIN_OPENINGS <= together <= len(own) - MIN_OPENINGS:
                    found.append((bot, other))
        return found

    def dependent_openings(self, tested: int) -> list[OpeningDependence]:
        """Return the openings that depend on another bot, among `tested` pairs."""
        rng = random.Random(f"openings of {self._variant.id}")
        found = []
        for bot, other in self.opening_pairs():
            own = self._openings[bot]
            p_value = min(1.0, tested * opening_p_value(own, other, CERTAIN_LEVEL / tested, rng))
            if p_value < CERTAIN_LEVEL:
                found.append(OpeningDependence(self._variant.id, bot, other, len(own), p_value))
        return found

    def coverage(self, tested: int) -> VariantCoverage:
        """Return what was tested here. `tested` is the number of gains in the run."""
        cells = self.cells
        opponents = cells["opponent"].values()
        detectable = None
        if opponents:
            least, level = self._bounds("opponent")
            error = median([cell.error for cell in opponents])
            detectable = max(NormalDist().inv_cdf(1 - level / tested) * error, least)
        return VariantCoverage(
            variant=self._variant.id,
            boards=len(self._boards),
            bots=len({name for board in self._boards for name in board[0].entrants}),
            pairs=len(opponents),
            partners=len(cells["partner"]),
            openings=len(self.opening_pairs()),
            detectable=detectable,
        )

    def _given_on(self, board: Board) -> Given:
        number = board[0].board
        if number not in self._given:
            rng = random.Random(f"gifts on board {number} of {self._variant.id}")
            self._given[number] = given_on(board, self._variant, rng)
        return self._given[number]

    def _boards_of(self, bot: str, other: str) -> list[Board]:
        return [board for board in self._boards if {bot, other} <= set(board[0].entrants)]

    def _can_explain(self, relation: Relation) -> bool:
        """Return whether gifts can be found. With two sides, what one is given the other loses."""
        return (
            relation == "opponent"
            and len(self._variant.sides) > 2
            and bool(self._boards)
            and affordable_boards(self._boards[0]) > 0
        )

    def _bounds(self, relation: Relation) -> tuple[float, float]:
        """Return the least gain that is reported, in points, and the greatest p-value."""
        if self._can_explain(relation):
            return MIN_GAIN * self._points_deviation(), LEVEL
        return MIN_UNEXPLAINED_GAIN * self._points_deviation(), CERTAIN_LEVEL

    def _points_deviation(self) -> float:
        points = [point for board in self._boards for record in board for point in record.points]
        return pstdev(points) if points else 0.0


def _p_value(cell: PairEffect) -> float:
    """Return the p-value of a cell that is not above 0."""
    if not cell.error:
        return 1.0 if cell.value <= 0 else 0.0
    return upper_tail(cell.value / cell.error, cell.degrees)


def _best_games(boards: Iterable[Board], bot: str) -> tuple[str, ...]:
    records = [record for board in boards for record in board]
    records.sort(key=lambda one: -one.points[one.entrants.index(bot)])
    return tuple([game.title for game in records[:MAX_GAMES]])
