"""The order-free score: what complete boards say of the strength of their entrants.

The score of a bot is the share of opponents that it is placed before, at a table drawn at random
from the field. The share of a side is explained as one half, plus the strengths of its members,
less the mean strength of the other sides, by least squares over all boards. Sums are exact or come
in the order of the boards' numbers, so the order of games changes no bit. `docs/scores.md` explains
it and has the formulas.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from arena.rating.board_fit import (
    Counted,
    Errors,
    Strengths,
    count,
    errors,
    fit_strengths,
    interplay,
)
from arena.rating.board_sums import BoardSums
from arena.rating.intervals import quantile, upper_tail

ALPHA = 0.05
MIN_DEGREES = 2.0
"""Degrees of freedom below which nothing is said of an error."""
MIN_BOARDS = 0.5
"""Boards that could have gone otherwise: a score is at least as uncertain as they make it."""
DECIMALS = 12
"""Decimals of scores: those that are equal when rounded are sorted by name."""


class Gap(NamedTuple):
    """What the score of a bot is above that of another one with which it is comparable."""

    gap: float
    error: float
    degrees: float

    @property
    def is_known(self) -> bool:
        """Whether there are enough boards to say how certain it is."""
        return self.degrees >= MIN_DEGREES

    @property
    def doubt(self) -> float:
        """The probability of so large a gap, or a larger one, between bots that are equal."""
        return upper_tail(self.gap / self.error, self.degrees)

    @property
    def half_width(self) -> float:
        """Half the width of the 95 % interval of the gap."""
        return quantile(1 - ALPHA / 2, self.degrees) * self.error


class Score(msgspec.Struct, frozen=True):
    """The score of a bot."""

    bot: str
    boards: int
    compared_with: int
    """The number of other bots with which it is comparable."""
    score: float | None
    """None before its first board."""
    low: float | None
    high: float | None
    """Bounds of its 95 % interval; None after too few boards."""
    best_rank: int
    worst_rank: int
    """The ranges of all bots are right together in 95 % of runs."""


class BoardModel(NamedTuple):
    """What complete boards say of the entrants."""

    scores: tuple[Score, ...]
    """Best first; equal scores are sorted by name, and bots without a score come last."""
    gaps: Mapping[tuple[str, str], Gap]
    """By two comparable bots, in both orders."""
    interplay: float
    """How far meetings are, typically, from what the scores say."""
    boards: int

    def certainty(self, bot: str, other: str) -> float | None:
        """Return how certain it is that `bot` is better than `other`, for this pair alone.

        None if they are not comparable, or there are too few boards.
        """
        gap = self.gaps.get((bot, other))
        return 1 - gap.doubt if gap and gap.is_known else None

    def certainties(self, bot: str) -> dict[str, float]:
        """Return `certainty` over each other bot of which it is known, by name."""
        others = sorted([score.bot for score in self.scores])
        known = [(other, self.certainty(bot, other)) for other in others]
        return {other: value for other, value in known if value is not None}


def fit_boards(sums: BoardSums) -> BoardModel:
    """Return what the boards say of all entrants."""
    names, boards = sums.names, sums.boards
    if not boards:
        unknown = [Score(name, 0, 0, None, None, None, 1, len(names)) for name in names]
        return BoardModel(tuple(unknown), {}, 0.0, 0)
    strengths = fit_strengths(sums)
    counted = count(sums, strengths)
    both = errors(sums, strengths, counted)
    scores = [_score(index, strengths, counted) for index in range(len(names))]
    gaps = {
        (names[better], names[other]): gap
        for better, other, gap in _gaps(scores, strengths, counted, both)
    }
    ranks = _rank_ranges(names, gaps)
    rows = []
    for index, name in enumerate(names):
        alike = len(strengths.alike[index])
        low, high = _interval(index, scores, strengths, counted, both)
        rows.append(
            Score(name, counted.boards[index], alike, scores[index], low, high, *ranks[name])
        )
    rows.sort(key=lambda row: (row.score is None, -round(row.score or 0.0, DECIMALS), row.bot))
    return BoardModel(tuple(rows), gaps, interplay(sums, strengths.values), boards)


def _score(index: int, strengths: Strengths, counted: Counted) -> float | None:
    """Return the score of an entrant, or None before its first board (sections 3 and 6)."""
    alike = strengths.alike[index]
    if not counted.boards[index]:
        return None
    if not alike:
        return counted.mean_shares[index]
    others = math.fsum([strengths.values[other] for other in alike]) / len(alike)
    return 0.5 + strengths.values[index] - others + counted.mean_residuals[index]


def _interval(
    index: int, scores: Sequence[float | None], strengths: Strengths, counted: Counted, both: Errors
) -> tuple[float, float] | tuple[None, None]:
    """Return the 95 % interval of a score, within 0 and 1 (section 4)."""
    score, number = scores[index], counted.numbers[index]
    degrees = number * strengths.freedom - 1
    if score is None or not strengths.alike[index] or degrees < MIN_DEGREES:
        return None, None
    error = _error(both.covariance[index][index], MIN_BOARDS / number)
    half = quantile(1 - ALPHA / 2, degrees) * error
    return max(0.0, score - half), min(1.0, score + half)


def _error(variance: float, least: float) -> float:
    return max(math.sqrt(max(0.0, variance)), least)


def _gaps(
    scores: Sequence[float | None], strengths: Strengths, counted: Counted, both: Errors
) -> Iterator[tuple[int, int, Gap]]:
    """Yield the gap of each entrant above each comparable one (section 4)."""
    numbers, covariance = counted.numbers, both.covariance
    for group, alike in enumerate(strengths.alike):
        for other in alike:
            own, theirs = scores[group], scores[other]
            if own is None or theirs is None or not (numbers[group] and numbers[other]):
                continue
            variance = (
                covariance[group][group] + covariance[other][other] - 2 * covariance[group][other]
            )
            boards = numbers[group] + numbers[other] - both.common[group][other]
            error = _error(variance, math.hypot(1 / numbers[group], 1 / numbers[other]))
            yield group, other, Gap(own - theirs, error, boards * strengths.freedom - 1)


def _rank_ranges(
    names: Sequence[str], gaps: Mapping[tuple[str, str], Gap]
) -> dict[str, tuple[int, int]]:
    """Return by entrant its best and its worst rank (section 4)."""
    best, worst = dict.fromkeys(names, 1), dict.fromkeys(names, len(names))
    told = {pair: gap for pair, gap in gaps.items() if gap.is_known and gap.gap > 0}
    if told:
        doubt = ALPHA / (len(names) * (len(names) - 1))
        degrees = [gap.degrees for gap in told.values()]
        least, most = quantile(1 - doubt, max(degrees)), quantile(1 - doubt, min(degrees))
        for (better, worse), gap in told.items():
            t = gap.gap / gap.error
            if t > most or (t > least and gap.doubt < doubt):  # the doubt itself is rarely needed
                best[worse] += 1
                worst[better] -= 1
    return {name: (best[name], worst[name]) for name in names}
