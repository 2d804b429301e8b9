"""Who has won [9]."""

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState


class Result(msgspec.Struct, frozen=True):
    """The result of a game, by seat."""

    ranks: tuple[int, ...]
    keys: tuple[tuple[int, int, int, int, int], ...]
    """Married or not, influence, first brides, second brides, workshops."""


def keys_of(state: "BridesAndBribesState") -> list[tuple[int, int, int, int, int]]:
    """Return by seat what ranks it; the greater key is better [R57]."""
    keys = []
    for seat, influence in enumerate(state.influence):
        first = state.spouse_seat[0::2].count(seat)
        second = state.spouse_seat[1::2].count(seat)
        married = int(first + second > 0)
        keys.append((married, influence, first, second, len(state.shops[seat])))
    return keys


def rank(state: "BridesAndBribesState") -> list[int]:
    """Return the rank of each seat: 1 and the number of seats with a greater key [R58]."""
    keys = keys_of(state)
    return [1 + sum([other > own for other in keys]) for own in keys]


def describe(state: "BridesAndBribesState") -> Result:
    """Return the result of a game that is over."""
    return Result(ranks=tuple(rank(state)), keys=tuple(keys_of(state)))
