"""The stop rule of a run, and the certificate that says how certain the order of a table is.

Settings use these types, so this module imports little; the decisions are made in `stop_rule`.
"""

from itertools import pairwise
from typing import Annotated, Literal, get_args

import msgspec

EPSILON = 0.05
"""Default for the difference in score below which two bots count as close."""
Order = Literal["rating", "score"]
ORDERS: tuple[str, ...] = get_args(Order)
Result = Literal["placement", "points"]
"""What ranks the sides of a board: their placements in its games, or their total points."""
RESULTS: tuple[str, ...] = get_args(Result)
STOP_RULES = ("certain",)
Epsilon = Annotated[float, msgspec.Meta(gt=0, lt=1)]
Confidence = Annotated[float, msgspec.Meta(ge=50, lt=100)]


class StopRule(msgspec.Struct, frozen=True):
    """How certain the order of a table must be before a run stops early."""

    epsilon: Epsilon = EPSILON
    confidence: Confidence = 95
    """Probability, in percent, that all lines and close pairs are right."""


Border = Literal["line", "close", "undecided"]


class Neighbours(msgspec.Struct, frozen=True):
    """How certain the order of two neighbours in a table is."""

    better: str
    worse: str
    border: Border
    certainty: float | None
    """Certainty that the first one is better, for this pair alone."""


class Certificate(msgspec.Struct, frozen=True):
    """What is certain about the order of a table. It holds no matter when the run stops."""

    neighbours: tuple[Neighbours, ...]
    """From the top pair to the bottom pair."""
    confidence: float
    """Lower bound for the probability that all lines and close pairs are right."""
    epsilon: float
    boards: int
    """Number of boards at the last look."""
    looks: int

    @property
    def is_certain(self) -> bool:
        return all(pair.border != "undecided" for pair in self.neighbours)

    @property
    def undecided(self) -> tuple[str, ...]:
        """Names of the bots in undecided pairs, sorted."""
        pairs = [pair for pair in self.neighbours if pair.border == "undecided"]
        return tuple(sorted({pair.better for pair in pairs} | {pair.worse for pair in pairs}))

    def rank_ranges(self) -> dict[str, tuple[int, int]]:
        """Return the best and worst rank of each bot between the nearest lines."""
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


def certainty_text(certificate: Certificate) -> str:
    """Summarize a certificate, as in `3 of 9 lines, 1 close; planner-collector 0.87`.

    Undecided pairs are followed by the certainty that the first bot is better, least certain first.
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
