"""Scoring of Bribery: points of sides, from who controls the officials [6, 7]."""
# compiled: see setup.py

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.bribery.cards import COUNTRY, JOKER_2, JOKER_POINTS, OFFICIALS, POINTS, SUITS, VOTES
from engine.bribery.control import Controller, find_controller

_JOKER_POINTS: Final = tuple(JOKER_POINTS.items())
_VOTERS: Final = tuple(
    [(official, votes, COUNTRY[official]) for official, votes in enumerate(VOTES) if votes]
)
"""The officials that have votes, with these and their countries."""


class Evaluation(NamedTuple):
    """The votes and points of a board."""

    votes: list[int]
    """By official: the votes for its controller."""
    country_votes: list[list[int]]
    """By suit and side."""
    countries: list[Controller]
    """By suit: the controller of its country."""
    points: list[int]
    """By side."""


def evaluate(control: list[Controller], count: int) -> Evaluation:
    """Evaluate a board with these controllers by official, and `count` sides."""
    votes = [0] * len(OFFICIALS)
    country_votes = [[0] * count for _ in SUITS]
    bonus_side, bonus_votes = control[JOKER_2]
    for official, usual, suit in _VOTERS:
        side, factor = control[official]
        if factor:
            won = usual * factor
            if side == bonus_side:  # dominating the official does not double the bonus [R19]
                won += bonus_votes
            votes[official] = won
            by_side = country_votes[suit]
            by_side[side] = by_side[side] + won
    points = [0] * count
    countries = [find_controller(row) for row in country_votes]
    for suit, (side, factor) in enumerate(countries):
        # Without a controller: 0 points for the last side.
        points[side] = points[side] + POINTS[suit] * factor
    for joker, joker_points in _JOKER_POINTS:
        side, factor = control[joker]
        points[side] = points[side] + joker_points * factor
    return Evaluation(votes, country_votes, countries, points)


def win_weight(points: Sequence[int]) -> int:
    """Return 2 for a dominating win, in which no other side has points, and else 1 [7, R23]."""
    return 2 if points.count(0) == len(points) - 1 else 1
