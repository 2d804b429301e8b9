"""Points of boards of Bribery as they are, as if no bribes followed.

`Evaluation` finds the same without future bribes. But here all numbers are small and whole, so
that most results can be looked up, also from one game to the next.
"""

import functools

from bots.bribery.board import JOKER, PLACES, Board, Pile, Piles
from bots.bribery.cards import COUNTRIES, JOKERS, VOTES
from bots.bribery.control import Future, leader

MAX_RESULTS = 1 << 13
"""The number of results of each kind that are kept."""

Holder = int
"""The control of an official or a joker: 0 if no side controls it, 1 + 2 * side if a side does, and
one more if that side dominates it."""
NOBODY: Holder = 0

Points = tuple[int, ...]
"""By side."""


class CurrentPoints:
    """The points of each side on boards as they are."""

    def __init__(self, future: Future) -> None:
        """Remember the number of sides of `future`, which has no bribes."""
        self.future = future
        self._sides = len(future.shares)

    def points(self, board: Board) -> list[int]:
        """Return the points of each side."""
        sides = self._sides
        jokers, value_bonus, vote_bonus = joker_points(board[JOKER], sides)
        countries = [
            country_points(suit, board[suit], value_bonus, vote_bonus, sides) for suit in COUNTRIES
        ]
        return [j + s + h + d + c for j, s, h, d, c in zip(jokers, *countries)]


def controller(board: Board, official: str) -> int | None:
    """Return the side that controls an official, if any."""
    value_bonus = holder(board[JOKER][0], NOBODY)
    group, place = PLACES[official]
    found = holder(board[group][place], value_bonus)
    return None if found == NOBODY else _side(found)


@functools.lru_cache(maxsize=MAX_RESULTS)
def joker_points(piles: Piles, sides: int) -> tuple[Points, Holder, Holder]:
    """Return the points of the jokers, and who has the bonuses of jokers 1 and 2."""
    value_bonus = holder(piles[0], NOBODY)
    holders = [value_bonus, *[holder(pile, value_bonus) for pile in piles[1:]]]
    points = [0] * sides
    for joker, value in zip(holders, JOKERS.values()):
        if joker:
            points[_side(joker)] += value * _factor(joker)
    return tuple(points), value_bonus, holders[1]


@functools.lru_cache(maxsize=MAX_RESULTS)
def country_points(
    suit: str, piles: Piles, value_bonus: Holder, vote_bonus: Holder, sides: int
) -> Points:
    """Return the points of a country, given who has the bonuses of jokers 1 and 2."""
    ace, king, queen, jack = [holder(pile, value_bonus) for pile in piles]
    return _points_of_holders(COUNTRIES[suit], (ace, king, queen, jack), vote_bonus, sides)


@functools.lru_cache(maxsize=MAX_RESULTS)
def _points_of_holders(
    points: int, holders: tuple[Holder, ...], vote_bonus: Holder, sides: int
) -> Points:
    """Return the points of a country for which a side gets `points`, or twice if it dominates."""
    votes = [0] * sides
    for official, rank_votes in zip(holders, VOTES.values()):
        if official:
            side = _side(official)
            votes[side] += rank_votes * _factor(official) + _bonus(vote_bonus, side)
    first = leader(votes)
    if first is None:
        return (0,) * sides
    factor = 2 if votes[first] == sum(votes) else 1
    return tuple([points * factor if side == first else 0 for side in range(sides)])


@functools.lru_cache(maxsize=MAX_RESULTS)
def holder(pile: Pile | None, value_bonus: Holder) -> Holder:
    """Return who controls an official with these bribes, given who has the bonus of joker 1."""
    if pile is None or not pile.values:
        return NOBODY
    if pile.only_side is not None:
        return 1 + 2 * pile.only_side + 1
    totals = [0] * (1 + max(pile.values)[0])
    for side, value in pile.values:
        totals[side] += value + _bonus(value_bonus, side)
    first = leader(totals)
    return NOBODY if first is None else 1 + 2 * first


def _side(joker: Holder) -> int:
    """Return the side of a holder, which is not nobody."""
    return (joker - 1) // 2


def _factor(joker: Holder) -> int:
    """Return the factor of a holder's control, which is 2 for domination."""
    return 2 - joker % 2


def _bonus(joker: Holder, side: int) -> int:
    """Return the bonus of a side by joker 1 or 2."""
    return _factor(joker) if joker and _side(joker) == side else 0
