"""Scoring of Bribery: points and ranks of sides, from the bribes on the board [6, 7]."""
# compiled: see setup.py

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.bribery.cards import (
    COUNTRY,
    JOKER_1,
    JOKER_2,
    JOKER_POINTS,
    OFFICIALS,
    OFFICIALS_OF,
    POINTS,
    SUITS,
    VALUE_OF,
    VOTES,
)
from engine.bribery.control import (
    UNCONTROLLED,
    Controller,
    Pile,
    SideTable,
    Values,
    find_controller,
)

_JOKER_POINTS: Final = tuple(JOKER_POINTS.items())
_VOTERS: Final = tuple(
    [(official, votes, COUNTRY[official]) for official, votes in enumerate(VOTES) if votes]
)
"""The officials that have votes, with these and their countries."""
_VOTERS_OF: Final = tuple(
    [tuple([(official, VOTES[official]) for official in officials]) for officials in OFFICIALS_OF]
)
"""By suit: the officials of its country, with their votes."""


class Evaluation(NamedTuple):
    """The control, votes and points of a board."""

    values: Values
    """By bribe: its value on any official but Joker #1."""
    officials: list[Controller]
    """By official: its controller."""
    votes: list[int]
    """By official: the votes for its controller."""
    country_votes: list[list[int]]
    """By suit and side."""
    countries: list[Controller]
    """By suit: the controller of its country."""
    points: list[int]
    """By side."""


def score(piles: list[Pile], sides: SideTable) -> list[int]:
    """Return the points of each side: those of `evaluate`, without all that a view shows.

    It makes no list of controllers, which takes most of the time of a compiled `evaluate`.
    """
    bonus = sides.controller(piles[JOKER_1], VALUE_OF)
    values = sides.values[bonus]
    bonus_side, bonus_votes = sides.controller(piles[JOKER_2], values)
    points = [0] * sides.count
    for suit, voters in enumerate(_VOTERS_OF):
        by_side = [0] * sides.count
        for official, votes in voters:
            pile = piles[official]
            if pile:
                side, factor = sides.controller(pile, values)
                won = votes * factor
                if factor and side == bonus_side:
                    won += bonus_votes
                by_side[side] = by_side[side] + won
        side, factor = find_controller(by_side)
        points[side] = points[side] + POINTS[suit] * factor
    for joker, joker_points in _JOKER_POINTS:
        side, factor = bonus if joker == JOKER_1 else sides.controller(piles[joker], values)
        points[side] = points[side] + joker_points * factor
    return points


def evaluate(piles: list[Pile], sides: SideTable) -> Evaluation:
    """Evaluate the board with these piles by official.

    The order is that of the rules page: Joker #1 first, since it changes all other totals [R17].
    """
    bonus = sides.controller(piles[JOKER_1], VALUE_OF)
    values = sides.values[bonus]
    # A method that is called where it is looked up is a call of C in the compiled build.
    officials = [sides.controller(pile, values) if pile else UNCONTROLLED for pile in piles]
    officials[JOKER_1] = bonus

    votes = [0] * len(OFFICIALS)
    country_votes = [[0] * sides.count for _ in SUITS]
    bonus = officials[JOKER_2]
    for official, _, suit in _VOTERS:
        side, factor = officials[official]
        if factor:
            votes[official] = won = votes_of(official, officials[official], bonus)
            by_side = country_votes[suit]
            by_side[side] = by_side[side] + won

    points = [0] * sides.count
    countries = [find_controller(row) for row in country_votes]
    for suit, (side, factor) in enumerate(countries):
        # Without a controller: 0 points for the last side.
        points[side] = points[side] + POINTS[suit] * factor
    for joker, joker_points in _JOKER_POINTS:
        side, factor = officials[joker]
        points[side] = points[side] + joker_points * factor
    return Evaluation(values, officials, votes, country_votes, countries, points)


def votes_of(official: int, controller: Controller, bonus: Controller) -> int:
    """Return the votes of an official for its controller; `bonus` is the controller of Joker #2."""
    side, factor = controller
    bonus_side, bonus_votes = bonus
    votes = VOTES[official] * factor
    # Dominating the official does not double the bonus [R19].
    return votes + bonus_votes if votes and side == bonus_side else votes


def win_weight(points: Sequence[int]) -> int:
    """Return 2 for a dominating win, in which no other side has points, and else 1 [7, R23]."""
    return 2 if points.count(0) == len(points) - 1 else 1
