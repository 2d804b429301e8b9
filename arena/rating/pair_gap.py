"""The gap between the scores of two bots, by the order-free score of all boards."""

from collections.abc import Sequence

import msgspec

from arena.rating.board_model import fit_boards
from arena.rating.board_shares import BoardShares
from arena.rating.board_sums import BoardSums


class Side(msgspec.Struct, frozen=True):
    """The score of one of the two bots."""

    bot: str
    score: float | None
    """None before its first board."""
    low: float | None
    high: float | None
    """Bounds of its 95 % interval; None after too few boards."""
    boards: int


class PairGap(msgspec.Struct, frozen=True):
    """What the boards of a run say of two bots."""

    bots: tuple[Side, Side]
    boards_together: int
    """Boards at which both sat. The others count as well, through the opponents."""
    gap: float | None
    """The score of the first bot less that of the second; None if they are not comparable."""
    low: float | None
    high: float | None
    """Bounds of the 95 % interval of the gap; None after too few boards."""
    certainty: float | None
    """How certain it is that the first bot is better; None after too few boards."""


def pair_gap(boards: Sequence[BoardShares], names: Sequence[str], pair: tuple[str, str]) -> PairGap:
    """Return the gap between two of the entrants `names` (`docs/scores.md`, section 4)."""
    model = fit_boards(BoardSums(names, boards))
    scores = {one.bot: one for one in model.scores}
    first, second = [
        Side(one.bot, one.score, one.low, one.high, one.boards)
        for one in (scores[name] for name in pair)
    ]
    seated = [{name for side in board.sides for name in side} for board in boards]
    gap = model.gaps.get(pair)
    half = gap.half_width if gap and gap.is_known else None
    return PairGap(
        bots=(first, second),
        boards_together=sum([seats.issuperset(pair) for seats in seated]),
        gap=gap.gap if gap else None,
        low=None if gap is None or half is None else max(-1.0, gap.gap - half),
        high=None if gap is None or half is None else min(1.0, gap.gap + half),
        certainty=model.certainty(*pair),
    )
