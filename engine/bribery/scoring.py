"""Compute each side's points in Bribery [6, 7]."""
# compiled: see setup.py

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.bribery.cards import JOKER_2, JOKER_POINTS, OFFICIALS_OF, POINTS, VOTES
from engine.bribery.control import Controller, find_controller

_JOKER_POINTS: Final = tuple(JOKER_POINTS.items())
_VOTERS_OF: Final = tuple(
    [tuple([(official, VOTES[official]) for official in officials]) for officials in OFFICIALS_OF]
)


class Evaluation(NamedTuple):
    country_votes: list[list[int]]  # by suit and side
    countries: list[Controller]
    points: list[int]


def evaluate(control: list[Controller], count: int) -> Evaluation:
    bonus_side, bonus_votes = control[JOKER_2]
    points = [0] * count
    country_votes: list[list[int]] = []
    countries: list[Controller] = []
    for suit, voters in enumerate(_VOTERS_OF):
        by_side = [0] * count
        for official, votes in voters:
            side, factor = control[official]
            if factor:
                won = votes * factor
                if side == bonus_side:
                    won += bonus_votes
                by_side[side] = by_side[side] + won
        country_votes.append(by_side)
        controller = find_controller(by_side)
        countries.append(controller)
        side, factor = controller  # without a controller: 0 points for the last side
        points[side] = points[side] + POINTS[suit] * factor
    for joker, joker_points in _JOKER_POINTS:
        side, factor = control[joker]
        points[side] = points[side] + joker_points * factor
    return Evaluation(country_votes, countries, points)


def votes_of(official: int, controller: Controller, bonus: Controller) -> int:
    """Return an official's votes, including the bonus of Joker #2."""
    side, factor = controller
    bonus_side, bonus_votes = bonus
    votes = VOTES[official] * factor
    # Dominating the official does not double the bonus [R19].
    return votes + bonus_votes if votes and side == bonus_side else votes


def win_weight(points: Sequence[int]) -> int:
    """Return how many wins a victory counts for: 2 if only one side has points, else 1 [R23]."""
    return 2 if points.count(0) == len(points) - 1 else 1
