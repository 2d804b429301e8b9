"""The settings of the stop rule, under which a run ends when the order of its bots is certain."""

from typing import Annotated, Literal, get_args

import msgspec

Order = Literal["rating", "score"]
"""What the rows of a table are ordered by."""
ORDERS: tuple[str, ...] = get_args(Order)
STOP_RULES = ("certain",)
"""When a run may end before all its rounds."""
Epsilon = Annotated[float, msgspec.Meta(gt=0, lt=1)]
Confidence = Annotated[float, msgspec.Meta(ge=50, lt=100)]


class StopRule(msgspec.Struct, frozen=True):
    """When the order of a table is certain enough."""

    epsilon: Epsilon = 0.05
    """Scores that differ by less are close."""
    confidence: Confidence = 95
    """In percent: the probability that all lines and close pairs are right together."""
