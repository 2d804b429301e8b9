"""Which bots can meet: a common table ranks only bots that do."""

from collections.abc import Collection, Mapping
from itertools import combinations

NAMED_PAIRS = 3
"""Pairs that a sentence names; of more, it gives the number and an example."""


def never_met(players: Mapping[str, Collection[str]]) -> list[tuple[str, str]]:
    """Return the pairs of bots that have no variant in common; `players` are by variant.

    Two bots of a variant that have not met yet are compared through others, and are not returned.
    """
    names = sorted({name for playing in players.values() for name in playing})
    own = {name: {one for one in players if name in players[one]} for name in names}
    return [(one, other) for one, other in combinations(names, 2) if not own[one] & own[other]]


def never_met_text(pairs: Collection[tuple[str, str]]) -> str:
    """Return a sentence about the bots that never met; empty if there are none."""
    if not pairs:
        return ""
    named = [f"{one} and {other}" for one, other in pairs]
    why = "because they play no common variant"
    if len(named) <= NAMED_PAIRS:
        return f"{'; '.join(named)} never met, {why}."
    return f"{len(named)} pairs of bots never met, for example {named[0]}, {why}."
