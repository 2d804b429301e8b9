"""Decide when a run may stop early, and describe how reliable the order of its leaderboard is."""

from itertools import pairwise
from typing import Annotated, Literal, get_args

import msgspec

EPSILON = 0.05  # scores that differ by less count as equal
Order = Literal["rating", "score"]
ORDERS: tuple[str, ...] = get_args(Order)
Result = Literal["placement", "points"]
"""How the sides of a board are ranked: by their placements or by their total points."""
RESULTS: tuple[str, ...] = get_args(Result)
STOP_RULES = ("certain",)
Epsilon = Annotated[float, msgspec.Meta(gt=0, lt=1)]
Confidence = Annotated[float, msgspec.Meta(ge=50, lt=100)]


class StopRule(msgspec.Struct, frozen=True):
    """Settings of a run that ends early when the leaderboard's order is statistically certain."""

    epsilon: Epsilon = EPSILON
    confidence: Confidence = 95
    """Confidence level for the leaderboard's order at which the run ends, in percent."""


Border = Literal["line", "close", "undecided"]


class Neighbours(msgspec.Struct, frozen=True):
    """Two adjacent bots in a leaderboard, and the probability that their order is correct."""

    better: str
    worse: str
    border: Border
    certainty: float | None
    """Probability that the first bot is better than the second, without a correction for multiple
    comparisons."""


class Certificate(msgspec.Struct, frozen=True):
    """Describes how reliable the order of a leaderboard is."""

    neighbours: tuple[Neighbours, ...]
    confidence: float  # from 0 to 1, that all of them are correct
    epsilon: float
    boards: int
    looks: int

    @property
    def is_certain(self) -> bool:
        return all(pair.border != "undecided" for pair in self.neighbours)

    def rank_ranges(self) -> dict[str, tuple[int, int]]:
        """Return the best and worst possible rank of each bot."""
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
    """Summarize a certificate in one line."""
    borders = [pair.border for pair in certificate.neighbours]
    text = f"{borders.count('line')} of {len(borders)} lines"
    if close := borders.count("close"):
        text += f", {close} close"
    undecided = [pair for pair in certificate.neighbours if pair.border == "undecided"]
    undecided.sort(key=lambda pair: pair.certainty or 0.0)
    if undecided:
        named = [
            f"{pair.better}-{pair.worse}"
            + ("" if pair.certainty is None else f" {pair.certainty:.2f}")
            for pair in undecided[:MAX_PAIRS]
        ]
        text += f"; {', '.join(named)}"
    if more := len(undecided[MAX_PAIRS:]):
        text += f" and {more} more"
    return text
