"""The stop rule of a run, and the certificate of what is certain about the order of a table.

Settings need these types, so this module is light. `stop_rule` decides what is certain.
"""

from itertools import pairwise
from typing import Annotated, Literal, get_args

import msgspec

EPSILON = 0.05
"""Scores that differ by less count as close, unless the user chooses otherwise."""
Order = Literal["rating", "score"]
"""The value by which the rows of a table are ordered."""
ORDERS: tuple[str, ...] = get_args(Order)
Result = Literal["placement", "points"]
"""What ranks the sides of a board: their placements in its games, or the sum of their points."""
RESULTS: tuple[str, ...] = get_args(Result)
STOP_RULES = ("certain",)
"""The stop rules, by which a run may end before all its rounds."""
Epsilon = Annotated[float, msgspec.Meta(gt=0, lt=1)]
Confidence = Annotated[float, msgspec.Meta(ge=50, lt=100)]


class StopRule(msgspec.Struct, frozen=True):
    """The certainty of the order of a table at which a run ends."""

    epsilon: Epsilon = EPSILON
    """Scores that differ by less are close."""
    confidence: Confidence = 95
    """In percent: the probability that all lines and close pairs are right together."""


Border = Literal["line", "close", "undecided"]


class Neighbours(msgspec.Struct, frozen=True):
    """The certainty of two neighbours of a table."""

    better: str
    worse: str
    border: Border
    certainty: float | None
    """The certainty that the first is better, for this pair alone."""


class Certificate(msgspec.Struct, frozen=True):
    """The certainty of the order of a table, valid at any number of boards."""

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
        return all(pair.border != "undecided" for pair in self.neighbours)

    @property
    def undecided(self) -> tuple[str, ...]:
        """The bots of undecided neighbours, by name."""
        pairs = [pair for pair in self.neighbours if pair.border == "undecided"]
        return tuple(sorted({pair.better for pair in pairs} | {pair.worse for pair in pairs}))

    def rank_ranges(self) -> dict[str, tuple[int, int]]:
        """Return by bot the first and the last rank between the lines round it."""
        names = [neighbour.better for neighbour in self.neighbours] + [
            neighbour.worse for neighbour in self.neighbours[-1:]
        ]
        ends = [rank for rank, pair in enumerate(self.neighbours, 1) if pair.border == "line"]
        bounds = [0, *ends, len(names)]
        return {
            names[rank]: (first + 1, last)
            for first, last in pairwise(bounds)
            for rank in range(first, last)
        }


MAX_PAIRS = 3
"""Undecided neighbours that are named at once."""


def certainty_text(certificate: Certificate) -> str:
    """Return what is decided and what is not: `3 of 9 lines, 1 close; planner-collector 0.87`.

    Undecided neighbours come with the certainty that the first is better, the least certain first.
    """
    borders = [pair.border for pair in certificate.neighbours]
    text = f"{borders.count('line')} of {len(borders)} lines"
    if close := borders.count("close"):
        text += f", {close} close"
    undecided = [pair for pair in certificate.neighbours if pair.border == "undecided"]
    undecided.sort(key=lambda pair: pair.certainty or 0.0)
    if undecided:
        text += f"; {', '.join(map(_pair_text, undecided[:MAX_PAIRS]))}"
    if more := len(undecided[MAX_PAIRS:]):
        text += f" and {more} more"
    return text


def _pair_text(pair: Neighbours) -> str:
    certainty = "" if pair.certainty is None else f" {pair.certainty:.2f}"
    return f"{pair.better}-{pair.worse}{certainty}"
