"""The stop rule: when enough boards are played to be certain of an order.

A *line* between two neighbours of the table says that everybody above it is better than everybody
below it. Neighbours are *close* if their scores differ by less than epsilon. A table is certain
when all neighbours have one or the other. All of these statements are right together in 95 % of
runs, however often one looks. `docs/scores.md`, section 5, has the formulas.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import msgspec

from arena.rating.board_model import ALPHA, BoardModel

EPSILON = 0.05
"""Scores that differ by less count as close, unless the user chooses otherwise."""

Border = Literal["line", "close", "undecided"]


class Neighbours(msgspec.Struct, frozen=True):
    """What is certain about two neighbours of a table."""

    better: str
    worse: str
    border: Border
    certainty: float | None
    """How certain it is that the first is better, for this pair alone."""


class Certificate(msgspec.Struct, frozen=True):
    """What is certain about the order of a table, at any number of boards."""

    neighbours: tuple[Neighbours, ...]
    """From the best two to the worst two."""
    confidence: float
    """The probability that all lines and close pairs are right together, at least."""
    epsilon: float
    boards: int
    """The boards of the last look."""
    looks: int

    @property
    def is_certain(self) -> bool:
        """Whether nothing is undecided."""
        return all(one.border != "undecided" for one in self.neighbours)

    @property
    def undecided(self) -> tuple[str, ...]:
        """The bots of undecided neighbours, by name."""
        open_pairs = [one for one in self.neighbours if one.border == "undecided"]
        return tuple(sorted({name for one in open_pairs for name in (one.better, one.worse)}))

    def rank_ranges(self) -> dict[str, tuple[int, int]]:
        """Return by bot the first and the last rank between the lines round it."""
        names = [one.better for one in self.neighbours] + [
            one.worse for one in self.neighbours[-1:]
        ]
        ends = [rank for rank, one in enumerate(self.neighbours, 1) if one.border == "line"]
        bounds = [0, *ends, len(names)]
        return {
            names[rank]: (first + 1, last)
            for first, last in pairwise(bounds)
            for rank in range(first, last)
        }


class _Bounds(NamedTuple):
    """What all looks so far leave possible for the gap of a bot above another one."""

    low: float
    most: float
    """Of its size."""


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
        self._model: BoardModel | None = None
        self._bounds: dict[tuple[str, str], _Bounds] = {}

    def look(self, model: BoardModel) -> Certificate:
        """Take what all boards so far say, and return what is certain now."""
        self.looks += 1
        self._model = model
        size = len(model.scores)
        for pair, gap in model.gaps.items():
            if gap.is_known:
                before = self._bounds.get(pair, _Bounds(-math.inf, math.inf))
                for_lines = self._half(gap.error, size)
                for_close = self._half(gap.error, size * (size - 1) / 2)
                self._bounds[pair] = _Bounds(
                    max(before.low, gap.gap - for_lines), min(before.most, abs(gap.gap) + for_close)
                )
        return self._certificate(model)

    def _half(self, error: float, statements: float) -> float:
        return half_width(error, statements, self.epsilon, 1 - self.confidence)

    def _certificate(self, model: BoardModel) -> Certificate:
        names = [score.bot for score in model.scores]
        neighbours = [
            Neighbours(
                names[place - 1],
                names[place],
                self._border(names, place),
                model.certainty(names[place - 1], names[place]),
            )
            for place in range(1, len(names))
        ]
        return Certificate(
            tuple(neighbours), self.confidence, self.epsilon, model.boards, self.looks
        )

    def _border(self, names: Sequence[str], place: int) -> Border:
        """Return what is certain between the first `place` bots and the others."""
        unknown = _Bounds(-math.inf, math.inf)
        if all(
            self._bounds.get((above, below), unknown).low > 0
            for above in names[:place]
            for below in names[place:]
        ):
            return "line"
        nearest = self._bounds.get((names[place - 1], names[place]), unknown)
        return "close" if nearest.most < self.epsilon else "undecided"


def half_width(error: float, statements: float, epsilon: float, alpha: float) -> float:
    """Return the half width of a confidence sequence that holds at all looks together.

    It is Robbins' normal mixture, for one of `statements` statements that share `alpha`.
    """
    q = (epsilon / error) ** 2
    spread = (1 + 1 / q) * (math.log1p(q) + 2 * math.log(statements / alpha))
    return error * math.sqrt(spread)
