"""Points of boards of Bribery as they are, as if no bribes followed.

`Evaluation` finds the same without future bribes. But here all numbers are small and whole, so
that most results can be looked up, also from one game to the next.
"""
# compiled: see setup.py

import functools
from typing import Final

from bots.bribery.board import JOKER, PLACES, Board, Pile, Piles
from bots.bribery.cards import COUNTRIES, JOKERS, VOTES
from bots.bribery.control import Future, leader

MAX_RESULTS = 1 << 13
"""The number of results of each kind that are kept."""

Holder = int
"""The control of something: 2 * side, and 1 more if the side dominates it; NOBODY if no side
controls it."""
NOBODY: Final[Holder] = -1
MAX_SIDES: Final = 4

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
    for held, value in zip(holders, JOKERS.values()):
        if held != NOBODY:
            points[_side(held)] += value * _factor(held)
    return tuple(points), value_bonus, holders[1]


@functools.lru_cache(maxsize=MAX_RESULTS)
def country_points(
    suit: str, piles: Piles, value_bonus: Holder, vote_bonus: Holder, sides: int
) -> Points:
    """Return the points of a country, given who has the bonuses of jokers 1 and 2."""
    ace, king, queen, jack = piles
    found = country_holder(
        holder(ace, value_bonus),
        holder(king, value_bonus),
        holder(queen, value_bonus),
        holder(jack, value_bonus),
        vote_bonus,
    )
    return _points_of(found, COUNTRIES[suit], sides)


@functools.lru_cache(maxsize=MAX_RESULTS)
def country_holder(
    ace: Holder, king: Holder, queen: Holder, jack: Holder, vote_bonus: Holder
) -> Holder:
    """Return who controls a country, given who controls its officials."""
    votes = [0] * MAX_SIDES
    for held, rank_votes in zip((ace, king, queen, jack), VOTES.values()):
        if held != NOBODY:
            side = _side(held)
            bonus = _factor(vote_bonus) if _side(vote_bonus) == side else 0
            votes[side] += rank_votes * _factor(held) + bonus
    first = leader(votes)
    return NOBODY if first is None else _holder(first, votes[first] == sum(votes))


@functools.lru_cache(maxsize=MAX_RESULTS)
def holder(pile: Pile | None, value_bonus: Holder) -> Holder:
    """Return who controls an official with these bribes, given who has the bonus of joker 1."""
    if pile is None or not pile.values:
        return NOBODY
    if pile.only_side is not None:
        return _holder(pile.only_side, is_dominated=True)
    bonus_side, bonus = _side(value_bonus), _factor(value_bonus)
    totals = [0] * MAX_SIDES
    for side, value in pile.values:
        totals[side] += value + bonus if side == bonus_side else value
    first = leader(totals)
    return NOBODY if first is None else _holder(first, is_dominated=False)


@functools.cache
def _points_of(found: Holder, points: int, sides: int) -> Points:
    """Return the points of all sides for a country that gives `points`, or twice if dominated."""
    if found == NOBODY:
        return (0,) * sides
    own = points * _factor(found)
    return tuple([own if side == _side(found) else 0 for side in range(sides)])


def _holder(side: int, is_dominated: bool) -> Holder:
    """Return the holder for a side that controls or even dominates something."""
    return 2 * side + is_dominated


def _side(found: Holder) -> int:
    """Return the side of a holder; -1 is that of no holder."""
    return found // 2


def _factor(found: Holder) -> int:
    """Return the factor of a holder's control, which is 2 for domination."""
    return 1 + found % 2
